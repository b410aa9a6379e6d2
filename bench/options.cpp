#include "bench/options.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <regex>

#include "bench/pinning.hpp"
#include "bench/plan_file.hpp"
#include "data-loaders/command_line.hpp"
#include "drivers/errors.hpp"
#include "drivers/parse_number.hpp"
#include "drivers/version.hpp"

namespace dbdyno {
namespace {

constexpr double max_seconds = 86'400;

/// The flags as typed; absent where not given.
struct typed_flags {
  target_flags targets{};
  std::string keys{}, value_size{}, seed{};
  std::map<std::string, std::string> sweep{};  ///< by word
  std::string timeout{}, connect_timeout{}, max_errors{};
  std::string arrivals{}, max_rate_under{};
  std::string plan{}, out{}, pin{};
  bool spin = false, layers = false, list = false, quiet = false, full = false;
};

std::string names_of_plans() {
  std::string out;
  for (const built_in_plan& plan : built_in_plans())
    out += (out.empty() ? "" : ", ") + std::string(plan.name);
  return out;
}

void declare(CLI::App& app, typed_flags& flags) {
  flags.targets.declare(app, "Targets (without one, a private throwaway server is started)");
  app.add_option("--keys", flags.keys, "keys in the data set (100000)")->group("Data");
  app.add_option("--value-size", flags.value_size,
                 "bytes of a value, 16 to 1024 (100); or a range, 16-1024, or sizes by weight, 100:9,1000:1")
      ->group("Data");
  app.add_option("--key-order", flags.sweep["key-order"],
                 "which keys are asked for: uniform, zipfian, latest, gaussian or sequential (uniform)")
      ->group("Data");
  app.add_option("--ratio", flags.sweep["ratio"], "gets to sets of mix (9:1)")->group("Data");
  app.add_option("--seed", flags.seed, "of the data, the keys asked for and the order of the repetitions (1)")
      ->group("Data");
  app.add_option("--connections", flags.sweep["connections"],
                 "connections in all, a list for a sweep: 4,20,100 (50); async")
      ->group("Shape");
  app.add_option(
         "--depth", flags.sweep["depth"],
         "requests issued and not completed on each connection, a list; what the driver has no room for "
         "waits in a queue (16, or 1 where it has room for one); pipeline and async")
      ->group("Shape");
  app.add_option("--threads", flags.sweep["threads"],
                 "client threads, a list (1); sync and pipeline have one connection each")
      ->group("Shape");
  app.add_option("--transport", flags.sweep["transport"], "tcp, unix or both (tcp,unix)")->group("Shape");
  app.add_option("--multiget-keys", flags.sweep["multiget-keys"], "keys of a request, a list (10); multiget")
      ->group("Shape");
  app.add_option("--reuse", flags.sweep["reuse"], "requests of a connection, a list (1); connect")
      ->group("Shape");
  app.add_option("--pin", flags.pin,
                 "bind client threads and throwaway servers to CPUs of their own: auto, none, or "
                 "client=3,server=0-2 (quick plan auto, otherwise none)")
      ->group("Shape");
  app.add_flag("--spin", flags.spin,
               "never sleep in a wait for a reply; what a driver cannot busy-poll is named")
      ->group("Shape");
  app.add_option("--requests", flags.sweep["requests"],
                 "exactly so many requests a row, no warm-up; wins over --duration")
      ->group("Length");
  app.add_option("--duration", flags.sweep["duration"], "seconds of a measured window (1; quick plan 0.2)")
      ->group("Length");
  app.add_option("--warmup", flags.sweep["warmup"],
                 "seconds before it that are not counted (0.2; quick plan 0.05)")
      ->group("Length");
  app.add_option("--repetitions", flags.sweep["repetitions"], "of every cell, interleaved (5)")
      ->group("Length");
  app.add_option("--timeout", flags.timeout, "seconds until a request, and its connection, is given up (5)")
      ->group("Limits");
  app.add_option("--connect-timeout", flags.connect_timeout, "seconds (3)")->group("Limits");
  app.add_option(
         "--max-errors", flags.max_errors,
         "requests of a row, or a share like 0.1%, that may fail before the row counts as errored (0)")
      ->group("Limits");
  app.add_option("--rate", flags.sweep["rate"],
                 "open loop: requests due per second, or a percentage of the closed loop's rate, a list; "
                 "latency then counts "
                 "from when each was due")
      ->group("Load");
  app.add_option("--arrivals", flags.arrivals, "constant or poisson (constant); in an open loop")
      ->group("Load");
  app.add_option("--max-rate-under", flags.max_rate_under,
                 "search for the highest rate that keeps a limit, such as p99=5ms")
      ->group("Load");
  app.add_option("--plan", flags.plan,
                 "a named measurement, or a file that ends in .plan: " + names_of_plans() +
                     "; quick is the default without a filter")
      ->group("Selection and output");
  app.add_flag("--full", flags.full, "the plan at its full length, which may take hours")
      ->group("Selection and output");
  app.add_option("--out", flags.out, "write the result file here (JSON)")->group("Selection and output");
  app.add_flag(
         "--layers", flags.layers,
         "also run a bare socket echo and the null driver beside each cell, and tell what each layer takes")
      ->group("Selection and output");
  app.add_flag("--list", flags.list, "print the cells that would run, one a line")
      ->group("Selection and output");
  app.add_flag("--quiet", flags.quiet, "no table and no progress")->group("Selection and output");
  app.set_version_flag("--version", "dbdyno-bench " DBDYNO_VERSION)->group("Selection and output");
  app.set_help_flag("--help", "this text")->group("Selection and output");
  app.footer(
      "Selection: --benchmark_filter=REGEX runs the cells whose name it matches, with a window of 1 s.\n"
      "Google Benchmark's other flags work as they do there: --benchmark_repetitions, --benchmark_min_time "
      "(the\n"
      "window's length), --benchmark_list_tests, --benchmark_format, --benchmark_out, "
      "--benchmark_out_format, ...\n"
      "Variables: DBDYNO_REDIS_URL, DBDYNO_MYSQL_URL, DBDYNO_HANDLERSOCKET_URL, DBDYNO_LMDB_URL; a flag "
      "wins.\n"
      "Exit codes: 0 fine, 1 a cell errored, 2 usage, 4 a target cannot be reached or is not loaded,\n"
      "5 the filter matched nothing, 130 or 143 interrupted (while measuring: with a partial result file).");
}

arrivals parse_arrivals(std::string_view text) {
  if (text == "constant") return arrivals::constant;
  if (text == "poisson") return arrivals::poisson;
  throw usage_error(fmt::format("--arrivals: '{}' is none of constant, poisson", text));
}

error_limit parse_max_errors(std::string_view text) {
  if (!text.ends_with('%')) {
    return {.requests =
                parse_whole_number("--max-errors", text, 0, std::numeric_limits<std::uint64_t>::max() - 1)};
  }
  text.remove_suffix(1);
  return {.percent = parse_decimal("--max-errors", text, "percent", 0, 100)};
}

std::chrono::milliseconds parse_timeout(std::string_view flag, std::string_view text) {
  return std::chrono::milliseconds(std::lround(parse_seconds(flag, text, 0.001, max_seconds) * 1000));
}

/// Google Benchmark's own flag for a word of the sweep, where there is one.
void take_google_flag(sweep& out, std::string_view word, const std::string& typed, std::string_view google,
                      const std::optional<std::string>& typed_google) {
  if (!typed_google) return;
  if (!typed.empty())
    throw usage_error(fmt::format("--{} and {} say the same; give one of them", word, google));
  set_in(out, word, google, *typed_google);
}

void check_filter(const std::optional<std::string>& filter) {
  if (!filter) return;
  try {
    const std::regex probe(filter->starts_with('-') ? filter->substr(1) : *filter, std::regex::extended);
  } catch (const std::regex_error& error) {
    throw usage_error(
        fmt::format("--benchmark_filter: '{}' is no extended regular expression: {}", *filter, error.what()));
  }
}

bench_options interpret(const CLI::App& app, const typed_flags& flags, google_flags google) {
  bench_options out;
  for (target& given : flags.targets.parse(app)) out.targets.emplace(given.storage, std::move(given));

  if (!flags.seed.empty()) {
    out.seed = parse_whole_number("--seed", flags.seed, 0, std::numeric_limits<std::uint64_t>::max());
  }
  out.data = data_set(
      flags.keys.empty() ? data_set::default_keys : parse_whole_number("--keys", flags.keys, 1, key::max_id),
      flags.value_size.empty() ? value_sizes() : value_sizes::parse("--value-size", flags.value_size),
      out.seed);

  sweep& given = out.given;
  for (const auto& [word, text] : flags.sweep) {
    if (!text.empty()) set_in(given, word, "--" + word, text);
  }
  const auto typed = [&](const char* word) {
    const auto found = flags.sweep.find(word);
    return found == flags.sweep.end() ? std::string() : found->second;
  };
  take_google_flag(given, "duration", typed("duration"), "--benchmark_min_time", google.min_time);
  take_google_flag(given, "warmup", typed("warmup"), "--benchmark_min_warmup_time", google.min_warmup_time);
  take_google_flag(given, "repetitions", typed("repetitions"), "--benchmark_repetitions", google.repetitions);
  const bool has_rate = !given.rates.empty();
  if (!flags.timeout.empty()) out.timeout = parse_timeout("--timeout", flags.timeout);
  if (!flags.max_errors.empty()) out.max_errors = parse_max_errors(flags.max_errors);
  if (!flags.arrivals.empty()) {
    if (!has_rate && flags.max_rate_under.empty() && flags.plan.empty())
      throw usage_error("--arrivals says when requests are due; give --rate or --max-rate-under as well");
    out.arrivals = parse_arrivals(flags.arrivals);
  }
  if (!flags.max_rate_under.empty()) {
    if (has_rate) throw usage_error("--max-rate-under tries rates of its own; give it or --rate");
    if (given.requests) throw usage_error("--max-rate-under needs windows of a --duration, not --requests");
    if (google.out || google.format != "console")
      throw usage_error(
          "--max-rate-under cannot tell beforehand what it will run, as --benchmark_out and "
          "--benchmark_format need; give --out");
    out.max_rate_under = parse_latency_limit("--max-rate-under", flags.max_rate_under);
  }
  if (!flags.connect_timeout.empty())
    out.connect_timeout = parse_timeout("--connect-timeout", flags.connect_timeout);

  check_filter(google.filter);
  if (!flags.plan.empty()) out.plan = flags.plan;
  if (!flags.out.empty()) out.out = flags.out;
  if (!flags.pin.empty()) {
    parse_pinning("--pin", flags.pin, allowed_cpus(), 1);
    out.pin = flags.pin;
  }
  out.spin = flags.spin;
  if (out.out && out.out == google.out) {
    throw usage_error("--out and --benchmark_out name the same file; the one would replace the other");
  }
  out.layers = flags.layers;
  if (out.layers && (has_rate || !flags.max_rate_under.empty()))
    throw usage_error("--layers compares closed loops; give it or --rate or --max-rate-under");
  if (out.layers && !out.data.sizes().is_fixed())
    throw usage_error("--layers compares with an echo of one size; give --value-size one number");
  if (out.layers && given.requests)
    throw usage_error(
        "--layers sends some requests beforehand to learn how long they are, which --requests rules out; "
        "give --duration");
  out.list = flags.list || google.list_tests;
  out.quiet = flags.quiet;
  out.full = flags.full;
  if (out.full && flags.plan.empty()) throw usage_error("--full is the full length of a plan; give --plan");

  const auto keep = [&out](const char* name, const std::string& value) {
    if (!value.empty()) out.shape.emplace(name, value);
  };
  keep("keys", std::to_string(out.data.keys()));
  keep("value-size", out.data.sizes().to_string());
  keep("seed", std::to_string(out.seed));
  for (const auto& [word, text] : flags.sweep) keep(word.c_str(), text);
  keep("timeout", fmt::format("{:g}", std::chrono::duration<double>(out.timeout).count()));
  keep("max-errors", flags.max_errors.empty() ? "0" : flags.max_errors);
  keep("max-rate-under", flags.max_rate_under);
  if (out.layers) keep("layers", "1");
  if (out.spin) keep("spin", "1");
  if (out.full) keep("full", "1");
  keep("benchmark_filter", google.filter.value_or(""));
  out.google = std::move(google);
  return out;
}

}  // namespace

parsed_command_line parse_command_line(int argc, const char* const* argv) {
  std::vector<std::string> arguments(argv + 1, argv + argc);
  google_flags google = take_google_flags(arguments);
  CLI::App app("Measures get and set of database client drivers: operations per second and what they cost.",
               "dbdyno-bench");
  typed_flags flags;
  declare(app, flags);
  if (auto text = parse_arguments(app, std::move(arguments))) return {.options = {}, .text = std::move(text)};
  return {.options = interpret(app, flags, std::move(google)), .text = std::nullopt};
}

}  // namespace dbdyno
