#include "data-loaders/command_line.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <utility>

#include "drivers/errors.hpp"
#include "results/nearest_name.hpp"

namespace dbdyno {
namespace {

struct storage_flag {
  const char* storage;
  const char* flag;
  const char* variable;
  const char* help;
};
constexpr storage_flag storage_flags[] = {
    {"redis", "--redis", "DBDYNO_REDIS_URL", "redis://[:password@]host:port[/db] or redis+unix:///path"},
    {"mysql", "--mysql", "DBDYNO_MYSQL_URL",
     "mysql://user:password@host:port/db or mysql://user@/db?socket=/path"},
    {"lmdb", "--lmdb", "DBDYNO_LMDB_URL", "a directory, or lmdb:///dir"},
    {"handlersocket", "--handlersocket", "DBDYNO_HANDLERSOCKET_URL",
     "handlersocket://:secret@host:9998/db?wr=9999"},
};

[[noreturn]] void refuse_unknown(const CLI::App& app, std::string_view argument) {
  const std::string_view name = argument.substr(0, argument.find('='));
  if (!name.starts_with('-')) {
    throw usage_error(
        fmt::format("'{}' follows no flag that takes it; --help lists the flags", mask_url(argument)));
  }
  std::vector<std::string> known;
  for (const CLI::Option* option : app.get_options()) known.push_back(option->get_name());
  const std::string best = results::nearest_name(name, known);
  throw usage_error(best.empty() ? fmt::format("unknown flag {}; --help lists the flags", mask_url(name))
                                 : fmt::format("unknown flag {}; did you mean {}?", mask_url(name), best));
}

/// --lmdb takes a plain directory as well as a URL.
target parse_lmdb_target(std::string_view text) {
  if (text.empty()) throw usage_error("it names no directory");
  if (text.find("://") != std::string_view::npos) return parse_target(text);
  return {.storage = "lmdb",
          .via = transport::in_process,
          .path = std::filesystem::absolute(text).lexically_normal().string()};
}

target parse_named_target(std::string_view source, std::string_view storage, std::string_view text) {
  try {
    target parsed = storage == "lmdb" ? parse_lmdb_target(text) : parse_target(text);
    if (parsed.storage == storage) return parsed;
    throw usage_error(fmt::format("{} is the URL of a {} target", parsed.masked(), parsed.storage));
  } catch (const usage_error& error) {
    throw usage_error(fmt::format("{}: {}", source, error.what()));
  }
}

}  // namespace

void target_flags::declare(CLI::App& app, const std::string& group) {
  for (const storage_flag& known : storage_flags) {
    app.add_option(known.flag, typed_[known.storage], known.help)->group(group);
  }
}

std::vector<target> target_flags::parse(const CLI::App& app) const {
  std::vector<target> out;
  for (const storage_flag& known : storage_flags) {
    if (app.count(known.flag) != 0) {
      out.push_back(parse_named_target(known.flag, known.storage, typed_.at(known.storage)));
    } else if (const char* value = std::getenv(known.variable); value != nullptr && *value != '\0') {
      out.push_back(parse_named_target(known.variable, known.storage, value));
    }
  }
  return out;
}

std::optional<std::string> parse_arguments(CLI::App& app, std::vector<std::string> arguments) {
  // CLI11 would take the next flag for the value, or an empty one for none.
  for (const std::string& argument : arguments) {
    if (argument.starts_with("--") && argument.ends_with('=')) {
      throw usage_error(fmt::format("{} needs a value", argument.substr(0, argument.size() - 1)));
    }
  }
  // CLI11 would name what it does not know whole, a URL with its password included.
  app.allow_extras();
  std::reverse(arguments.begin(), arguments.end());  // as CLI11 wants them
  try {
    app.parse(std::move(arguments));
  } catch (const CLI::CallForHelp&) {
    return app.help();
  } catch (const CLI::CallForVersion& version) {
    return std::string(version.what()) + "\n";
  } catch (const CLI::ParseError& error) {
    throw usage_error(fmt::format("{}; --help lists the flags", error.what()));
  }
  if (const auto extras = app.remaining(); !extras.empty()) refuse_unknown(app, extras.front());
  for (const CLI::Option* option : app.get_options()) {
    const std::vector<std::string>& values = option->results();
    if (option->get_expected_min() > 0 && std::find(values.begin(), values.end(), "") != values.end()) {
      throw usage_error(fmt::format("{} needs a value", option->get_name()));
    }
  }
  return std::nullopt;
}

}  // namespace dbdyno
