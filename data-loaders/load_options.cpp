#include "data-loaders/load_options.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>

#include "data-loaders/command_line.hpp"
#include "drivers/errors.hpp"
#include "drivers/parse_number.hpp"
#include "drivers/version.hpp"

namespace dbdyno {
namespace {

constexpr double min_connect_timeout = 0.001;
constexpr double max_connect_timeout = 3600;

struct typed_flags {
  target_flags targets{};
  std::string keys{}, value_size{}, seed{}, connect_timeout{};
  bool verify = false, replace = false, quiet = false;
};

void declare(CLI::App& app, typed_flags& flags) {
  flags.targets.declare(app, "Targets (handlersocket's table is read back, and filled through --mysql)");
  app.add_option("--keys", flags.keys, fmt::format("keys of the data set ({})", data_set::default_keys))
      ->group("Data");
  app.add_option("--value-size", flags.value_size,
                 fmt::format("bytes of a value, {} to {} ({}); or a range, 16-1024, or sizes by weight, "
                             "100:9,1000:1",
                             value_sizes::smallest, value_sizes::largest, value_sizes().to_string()))
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
  app.footer(
      "A flag wins over its variable: DBDYNO_REDIS_URL, DBDYNO_MYSQL_URL, DBDYNO_LMDB_URL, "
      "DBDYNO_HANDLERSOCKET_URL.\n"
      "Exit codes: 0 loaded and read back right, 1 read back wrong, 2 usage, 4 a target cannot be reached or "
      "holds what\n"
      "dbdyno-load did not make, 130 or 143 interrupted (the next load completes it).");
}

load_options interpret(const CLI::App& app, const typed_flags& flags) {
  load_options out;
  constexpr std::uint64_t any = std::numeric_limits<std::uint64_t>::max();
  if (app.count("--keys") != 0) out.required_keys = parse_whole_number("--keys", flags.keys, 1, key::max_id);
  if (app.count("--value-size") != 0) {
    out.required_value_sizes = value_sizes::parse("--value-size", flags.value_size);
  }
  if (app.count("--seed") != 0) out.required_seed = parse_whole_number("--seed", flags.seed, 0, any);
  out.data = data_set(out.required_keys.value_or(data_set::default_keys),
                      out.required_value_sizes.value_or(value_sizes()),
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

  out.targets = flags.targets.parse(app);
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
         held.sizes() == required_value_sizes.value_or(held.sizes()) &&
         held.seed() == required_seed.value_or(held.seed());
}

parsed_load_command parse_load_command(int argc, const char* const* argv) {
  CLI::App app("Fills storages with the data set that dbdyno-bench measures, and reads it back.",
               "dbdyno-load");
  typed_flags flags;
  declare(app, flags);
  if (auto text = parse_arguments(app, {argv + 1, argv + argc}))
    return {.options = {}, .text = std::move(text)};
  return {.options = interpret(app, flags), .text = std::nullopt};
}

}  // namespace dbdyno
