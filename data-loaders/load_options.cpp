#include "data-loaders/load_options.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <map>
#include <numeric>
#include <string_view>

#include "drivers/errors.hpp"
#include "drivers/parse_number.hpp"
#include "drivers/version.hpp"

namespace dbdyno {
namespace {

constexpr double min_connect_timeout = 0.001;
constexpr double max_connect_timeout = 3600;

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
     "handlersocket://:secret@host:9998/db?wr=9999: is read back, and filled through --mysql"},
};

struct typed_flags {
  std::map<std::string_view, std::string> urls{};
  std::string keys{}, value_size{}, seed{}, connect_timeout{};
  bool verify = false, replace = false, quiet = false;
};

void declare(CLI::App& app, typed_flags& flags) {
  for (const storage_flag& known : storage_flags) {
    app.add_option(known.flag, flags.urls[known.storage], known.help)->group("Targets");
  }
  app.add_option("--keys", flags.keys, fmt::format("keys of the data set ({})", data_set::default_keys))
      ->group("Data");
  app.add_option("--value-size", flags.value_size,
                 fmt::format("bytes of a value, {} to {} ({})", data_set::min_value_size,
                             data_set::max_value_size, data_set::default_value_size))
      ->group("Data");
  app.add_option("--seed", flags.seed, fmt::format("of the values ({})", data_set::default_seed))
      ->group("Data");
  app.add_flag("--verify", flags.verify, "load nothing, only read back what a load left")
      ->group("What to do");
  app.add_flag("--replace", flags.replace, "take the place of keys and tables that dbdyno-load did not make")
      ->group("What to do");
  app.add_option("--connect-timeout", flags.connect_timeout, "seconds (3)")->group("What to do");
  app.add_flag("--quiet", flags.quiet, "print errors only")->group("What to do");
  app.set_version_flag("--version", "dbdyno-load " DBDYNO_VERSION)->group("What to do");
  app.set_help_flag("--help", "this text")->group("What to do");
  app.allow_extras();
  app.footer(
      "A flag wins over its variable: DBDYNO_REDIS_URL, DBDYNO_MYSQL_URL, DBDYNO_LMDB_URL, "
      "DBDYNO_HANDLERSOCKET_URL.\n"
      "Exit codes: 0 loaded and read back right, 1 read back wrong, 2 usage, 4 a target cannot be reached or "
      "holds what\n"
      "dbdyno-load did not make, 130 or 143 interrupted (the next load completes it).");
}

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), 0);
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, diagonal + 1});
    }
  }
  return row.back();
}

[[noreturn]] void refuse_unknown(const CLI::App& app, std::string_view argument) {
  const std::string_view name = argument.substr(0, argument.find('='));
  if (!name.starts_with('-')) {
    throw usage_error(
        fmt::format("'{}' follows no flag that takes it; --help lists the flags", mask_url(argument)));
  }
  constexpr std::size_t close = 3;
  std::string best;
  std::size_t best_distance = close;
  for (const CLI::Option* option : app.get_options()) {
    const std::string known = option->get_name();
    const std::size_t distance = edit_distance(name, known);
    if (distance >= best_distance) continue;
    best_distance = distance;
    best = known;
  }
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

std::vector<target> parse_targets(const CLI::App& app, const typed_flags& flags) {
  std::vector<target> out;
  for (const storage_flag& known : storage_flags) {
    if (app.count(known.flag) != 0) {
      out.push_back(parse_named_target(known.flag, known.storage, flags.urls.at(known.storage)));
    } else if (const char* value = std::getenv(known.variable); value != nullptr && *value != '\0') {
      out.push_back(parse_named_target(known.variable, known.storage, value));
    }
  }
  return out;
}

load_options interpret(const CLI::App& app, const typed_flags& flags) {
  load_options out;
  constexpr std::uint64_t any = std::numeric_limits<std::uint64_t>::max();
  if (app.count("--keys") != 0) out.required_keys = parse_whole_number("--keys", flags.keys, 1, key::max_id);
  if (app.count("--value-size") != 0) {
    out.required_value_size = parse_whole_number("--value-size", flags.value_size, data_set::min_value_size,
                                                 data_set::max_value_size);
  }
  if (app.count("--seed") != 0) out.required_seed = parse_whole_number("--seed", flags.seed, 0, any);
  out.data = data_set(out.required_keys.value_or(data_set::default_keys),
                      out.required_value_size.value_or(data_set::default_value_size),
                      out.required_seed.value_or(data_set::default_seed));
  if (app.count("--connect-timeout") != 0) {
    const double seconds =
        parse_seconds("--connect-timeout", flags.connect_timeout, min_connect_timeout, max_connect_timeout);
    out.connect_timeout = std::chrono::milliseconds(std::lround(seconds * 1000));
  }
  out.verify_only = flags.verify;
  out.replace = flags.replace;
  out.quiet = flags.quiet;
  if (out.verify_only && out.replace)
    throw usage_error("--verify loads nothing, so --replace has nothing to do");

  out.targets = parse_targets(app, flags);
  if (out.targets.empty()) {
    throw usage_error(
        "no target: give --redis URL, --mysql URL, --lmdb DIR or more of them, or set DBDYNO_REDIS_URL, ...");
  }
  const auto has = [&](std::string_view storage) {
    return std::any_of(out.targets.begin(), out.targets.end(),
                       [&](const target& t) { return t.storage == storage; });
  };
  if (!out.verify_only && has("handlersocket") && !has("mysql")) {
    throw usage_error(
        "--handlersocket (or DBDYNO_HANDLERSOCKET_URL): its table is filled through mysql; give --mysql, "
        "too, or --verify to read back only");
  }
  return out;
}

}  // namespace

bool load_options::accepts(const data_set& held) const noexcept {
  return held.keys() == required_keys.value_or(held.keys()) &&
         held.value_size() == required_value_size.value_or(held.value_size()) &&
         held.seed() == required_seed.value_or(held.seed());
}

parsed_load_command parse_load_command(int argc, const char* const* argv) {
  CLI::App app("Fills storages with the data set that dbdyno-bench measures, and reads it back.",
               "dbdyno-load");
  typed_flags flags;
  declare(app, flags);
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    return {.options = {}, .text = app.help()};
  } catch (const CLI::CallForVersion&) {
    return {.options = {}, .text = std::string("dbdyno-load " DBDYNO_VERSION "\n")};
  } catch (const CLI::ParseError& error) {
    throw usage_error(fmt::format("{}; --help lists the flags", error.what()));
  }
  if (const auto extras = app.remaining(); !extras.empty()) refuse_unknown(app, extras.front());
  return {.options = interpret(app, flags), .text = std::nullopt};
}

}  // namespace dbdyno
