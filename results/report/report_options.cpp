#include "results/report/report_options.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "results/clean_text.hpp"

namespace dbdyno::results {
namespace {

void declare(CLI::App& app, report_options& typed) {
  app.add_option("FILES", typed.files, "result files of dbdyno-bench");
  app.add_option("-o,--out", typed.output, "the page to write, such as report.html");
  app.add_option("--title", typed.title, "its heading (the files' names)");
  app.set_version_flag("--version", "dbdyno-report " DBDYNO_VERSION);
  app.set_help_flag("--help", "this text");
  app.footer("Exit codes: 0 written, 2 usage, an unusable file or no place to write to.");
}

/// Whether help or version was asked for: the text.
std::optional<std::string> parse(CLI::App& app, std::vector<std::string> arguments) {
  for (const std::string& argument : arguments) {
    // CLI11 would take the next argument for the value.
    if (argument.starts_with("--") && argument.ends_with('='))
      throw report_usage_error(fmt::format("{} needs a value", argument.substr(0, argument.size() - 1)));
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
    throw report_usage_error(fmt::format("{}; --help lists the flags", error.what()));
  }
  for (const std::string& extra : app.remaining()) {
    throw report_usage_error(
        fmt::format("unknown flag {}; --help lists the flags", clean_text(extra.substr(0, extra.find('=')))));
  }
  return std::nullopt;
}

void check(report_options& options) {
  const auto is_empty = [](const std::string& text) { return text.empty(); };
  if (options.files.empty() || std::any_of(options.files.begin(), options.files.end(), is_empty)) {
    throw report_usage_error(
        "no result file: give those that dbdyno-bench --out or scripts/bench wrote, then -o report.html");
  }
  if (options.output.empty()) throw report_usage_error("no place to write to: give -o report.html");
  for (const std::string& file : options.files) {
    std::error_code none_there;
    if (file == options.output || std::filesystem::equivalent(file, options.output, none_there)) {
      throw report_usage_error(
          fmt::format("-o: '{}' is one of the result files; name another", clean_text(options.output)));
    }
  }
}

}  // namespace

parsed_report_command parse_report_command(int argc, const char* const* argv) {
  CLI::App app("Draws result files into one page of HTML that needs no network.", "dbdyno-report");
  parsed_report_command out;
  declare(app, out.options);
  out.text = parse(app, {argv + 1, argv + argc});
  if (!out.text) check(out.options);
  return out;
}

}  // namespace dbdyno::results
