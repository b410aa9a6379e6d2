#include "results/command_line.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "results/clean_text.hpp"
#include "results/nearest_name.hpp"

namespace dbdyno::results {

std::optional<std::string> parse_command_line(CLI::App& app, std::vector<std::string> arguments) {
  for (const std::string& argument : arguments) {
    // CLI11 would take the next argument for the value.
    if (argument.starts_with("--") && argument.ends_with('='))
      throw command_line_error(fmt::format("{} needs a value", argument.substr(0, argument.size() - 1)));
  }
  app.allow_extras();
  std::reverse(arguments.begin(), arguments.end());  // as CLI11 wants them
  try {
    app.parse(std::move(arguments));
  } catch (const CLI::CallForHelp&) {
    return app.help();
  } catch (const CLI::CallForVersion& version) {
    return std::string(version.what()) + "\n";
  } catch (const CLI::ParseError& error) {
    throw command_line_error(fmt::format("{}; --help lists the flags", clean_text(error.what())));
  }
  const auto extras = app.remaining();
  const auto flag =
      std::find_if(extras.begin(), extras.end(), [](const auto& extra) { return extra.starts_with('-'); });
  if (flag != extras.end()) {
    const std::string name = flag->substr(0, flag->find('='));
    std::vector<std::string> known;
    for (const CLI::Option* option : app.get_options()) known.push_back(option->get_name());
    const std::string meant = nearest_name(name, known);
    throw command_line_error(
        fmt::format("unknown flag {}; {}", clean_text(name),
                    meant.empty() ? "--help lists the flags" : fmt::format("did you mean {}?", meant)));
  }
  if (!extras.empty())
    throw command_line_error(fmt::format("'{}' is one argument too many", clean_text(extras.front())));
  for (const CLI::Option* option : app.get_options()) {
    const auto& values = option->results();
    if (option->get_positional() && std::find(values.begin(), values.end(), "") != values.end())
      throw command_line_error("no result file: give its name, where '' was given");
    if (option->count() != 0 && option->get_expected_min() > 0 && option->results().back().empty())
      throw command_line_error(fmt::format("{} needs a value", option->get_name()));
  }
  return std::nullopt;
}

name_filter::name_filter(const std::string& text) : negative_(text.starts_with('-')) {
  try {
    expression_.assign(negative_ ? text.substr(1) : text, std::regex::extended);
  } catch (const std::regex_error& error) {
    throw command_line_error(
        fmt::format("--filter: '{}' is not a regular expression: {}", clean_text(text), error.what()));
  }
}

}  // namespace dbdyno::results
