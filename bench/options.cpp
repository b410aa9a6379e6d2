#include "bench/options.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <regex>

#include "data-loaders/command_line.hpp"
#include "drivers/errors.hpp"
#include "drivers/parse_number.hpp"
#include "drivers/version.hpp"

namespace dbdyno {
namespace {

constexpr double max_seconds = 86'400;
constexpr std::uint64_t max_connections = 65'535;
constexpr std::uint64_t max_depth = 10'000'000;
constexpr std::uint64_t max_threads = 1024;

/// The flags as typed; absent where not given.
struct typed_flags {
  target_flags targets{};
  std::string keys{}, value_size{}, key_order{}, ratio{}, seed{};
  std::string connections{}, depth{}, threads{}, transport{};
  std::string requests{}, duration{}, warmup{}, repetitions{};
  std::string timeout{}, connect_timeout{}, max_errors{};
  std::string rate{}, arrivals{}, max_rate_under{};
  std::string plan{}, out{};
  bool layers = false, list = false, quiet = false;
};

void declare(CLI::App& app, typed_flags& flags) {
  flags.targets.declare(app, "Targets (without one, a private throwaway server is started)");
  app.add_option("--keys", flags.keys, "keys in the data set (100000)")->group("Data");
  app.add_option("--value-size", flags.value_size,
                 "bytes of a value, 16 to 1024 (100); or a range, 16-1024, or sizes by weight, 100:9,1000:1")
      ->group("Data");
  app.add_option("--key-order", flags.key_order,
                 "which keys are asked for: uniform, zipfian, latest, gaussian or sequential (uniform)")
      ->group("Data");
  app.add_option("--ratio", flags.ratio, "gets to sets of mix (9:1)")->group("Data");
  app.add_option("--seed", flags.seed, "of the data, the keys asked for and the order of the repetitions (1)")
      ->group("Data");
  app.add_option("--connections", flags.connections,
                 "connections in all, a list for a sweep: 4,20,100 (50); async")
      ->group("Shape");
  app.add_option("--depth", flags.depth,
                 "requests in flight on each connection, a list (16); pipeline and async")
      ->group("Shape");
  app.add_option("--threads", flags.threads,
                 "client threads, a list (1); sync and pipeline have one connection each")
      ->group("Shape");
  app.add_option("--transport", flags.transport, "tcp, unix or both (tcp,unix)")->group("Shape");
  app.add_option("--requests", flags.requests,
                 "exactly so many requests a row, no warm-up; wins over --duration")
      ->group("Length");
  app.add_option("--duration", flags.duration, "seconds of a measured window (1; quick plan 0.2)")
      ->group("Length");
  app.add_option("--warmup", flags.warmup, "seconds before it that are not counted (0.2; quick plan 0.05)")
      ->group("Length");
  app.add_option("--repetitions", flags.repetitions, "of every cell, interleaved (5)")->group("Length");
  app.add_option("--timeout", flags.timeout, "seconds until a request, and its connection, is given up (5)")
      ->group("Limits");
  app.add_option("--connect-timeout", flags.connect_timeout, "seconds (3)")->group("Limits");
  app.add_option(
         "--max-errors", flags.max_errors,
         "requests of a row, or a share like 0.1%, that may fail before the row counts as errored (0)")
      ->group("Limits");
  app.add_option("--rate", flags.rate,
                 "open loop: requests due per second, a list; latency then counts from when each was due")
      ->group("Load");
  app.add_option("--arrivals", flags.arrivals, "constant or poisson (constant); in an open loop")
      ->group("Load");
  app.add_option("--max-rate-under", flags.max_rate_under,
                 "search for the highest rate that keeps a limit, such as p99=5ms")
      ->group("Load");
  app.add_option("--plan", flags.plan, "a named set of cells: quick, which is the default without a filter")
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

std::vector<std::string> split(std::string_view flag, std::string_view text) {
  std::vector<std::string> out;
  while (true) {
    const auto comma = text.find(',');
    if (text.substr(0, comma).empty())
      throw usage_error(fmt::format("{}: an empty element in the list", flag));
    out.emplace_back(text.substr(0, comma));
    if (comma == std::string_view::npos) return out;
    text = text.substr(comma + 1);
  }
}

std::vector<std::uint32_t> parse_list(std::string_view flag, std::string_view text, std::uint64_t max) {
  std::vector<std::uint32_t> out;
  for (const std::string& element : split(flag, text)) {
    out.push_back(static_cast<std::uint32_t>(parse_whole_number(flag, element, 1, max)));
  }
  return out;
}

std::vector<transport> parse_transports(std::string_view text) {
  std::vector<transport> out;
  for (const std::string& element : split("--transport", text)) {
    if (element == "tcp") {
      out.push_back(transport::tcp);
    } else if (element == "unix") {
      out.push_back(transport::unix_socket);
    } else {
      throw usage_error(fmt::format("--transport: '{}' is none of tcp, unix", element));
    }
  }
  return out;
}

std::vector<double> parse_rates(std::string_view text) {
  // Further apart than a year and closer together than the clock can tell make no schedule.
  constexpr double lowest = 0.001;
  constexpr double highest = 10'000'000;
  std::vector<double> out;
  for (const std::string& element : split("--rate", text)) {
    out.push_back(parse_decimal("--rate", element, "requests per second", lowest, highest));
  }
  return out;
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

void require_no_conflict(std::string_view flag, const std::string& typed, std::string_view google,
                         const std::optional<std::string>& typed_google) {
  if (!typed.empty() && typed_google) {
    throw usage_error(fmt::format("{} and {} say the same; give one of them", flag, google));
  }
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

  if (!flags.key_order.empty()) out.order = parse_key_order("--key-order", flags.key_order);
  if (!flags.ratio.empty()) out.ratio = parse_ratio("--ratio", flags.ratio);
  if (!flags.connections.empty())
    out.connections = parse_list("--connections", flags.connections, max_connections);
  if (!flags.depth.empty()) out.depths = parse_list("--depth", flags.depth, max_depth);
  if (!flags.threads.empty()) out.threads = parse_list("--threads", flags.threads, max_threads);
  if (!flags.transport.empty()) out.transports = parse_transports(flags.transport);

  require_no_conflict("--duration", flags.duration, "--benchmark_min_time", google.min_time);
  require_no_conflict("--warmup", flags.warmup, "--benchmark_min_warmup_time", google.min_warmup_time);
  require_no_conflict("--repetitions", flags.repetitions, "--benchmark_repetitions", google.repetitions);
  if (!flags.requests.empty()) {
    out.requests =
        parse_whole_number("--requests", flags.requests, 1, std::numeric_limits<std::uint64_t>::max() - 1);
  }
  if (!flags.duration.empty()) out.duration = parse_seconds("--duration", flags.duration, 0.001, max_seconds);
  if (google.min_time)
    out.duration = parse_seconds("--benchmark_min_time", *google.min_time, 0.001, max_seconds);
  if (!flags.warmup.empty()) out.warmup = parse_seconds("--warmup", flags.warmup, 0, max_seconds);
  if (google.min_warmup_time) {
    out.warmup = parse_seconds("--benchmark_min_warmup_time", *google.min_warmup_time, 0, max_seconds);
  }
  if (!flags.repetitions.empty()) {
    out.repetitions =
        static_cast<unsigned>(parse_whole_number("--repetitions", flags.repetitions, 1, 10'000));
  }
  if (google.repetitions) {
    out.repetitions =
        static_cast<unsigned>(parse_whole_number("--benchmark_repetitions", *google.repetitions, 1, 10'000));
  }
  if (!flags.timeout.empty()) out.timeout = parse_timeout("--timeout", flags.timeout);
  if (!flags.max_errors.empty()) out.max_errors = parse_max_errors(flags.max_errors);
  if (!flags.rate.empty()) out.rates = parse_rates(flags.rate);
  if (!flags.arrivals.empty()) {
    if (flags.rate.empty() && flags.max_rate_under.empty())
      throw usage_error("--arrivals says when requests are due; give --rate or --max-rate-under as well");
    out.arrivals = parse_arrivals(flags.arrivals);
  }
  if (!flags.max_rate_under.empty()) {
    if (!flags.rate.empty()) throw usage_error("--max-rate-under tries rates of its own; give it or --rate");
    if (!flags.requests.empty())
      throw usage_error("--max-rate-under needs windows of a --duration, not --requests");
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
  if (out.out && out.out == google.out) {
    throw usage_error("--out and --benchmark_out name the same file; the one would replace the other");
  }
  out.layers = flags.layers;
  if (out.layers && (!flags.rate.empty() || !flags.max_rate_under.empty()))
    throw usage_error("--layers compares closed loops; give it or --rate or --max-rate-under");
  if (out.layers && !out.data.sizes().is_fixed())
    throw usage_error("--layers compares with an echo of one size; give --value-size one number");
  if (out.layers && !flags.requests.empty())
    throw usage_error(
        "--layers sends some requests beforehand to learn how long they are, which --requests rules out; "
        "give --duration");
  out.list = flags.list || google.list_tests;
  out.quiet = flags.quiet;

  const auto keep = [&out](const char* name, const std::string& value) {
    if (!value.empty()) out.shape.emplace(name, value);
  };
  keep("keys", std::to_string(out.data.keys()));
  keep("value-size", out.data.sizes().to_string());
  keep("key-order", std::string(to_string(out.order)));
  keep("seed", std::to_string(out.seed));
  keep("ratio", to_string(out.ratio));
  keep("requests", flags.requests);
  keep("repetitions", std::to_string(out.repetitions));
  keep("timeout", fmt::format("{:g}", std::chrono::duration<double>(out.timeout).count()));
  keep("max-errors", flags.max_errors.empty() ? "0" : flags.max_errors);
  keep("rate", flags.rate);
  keep("max-rate-under", flags.max_rate_under);
  if (!flags.rate.empty() || out.max_rate_under)
    keep("arrivals", flags.arrivals.empty() ? "constant" : flags.arrivals);
  if (out.layers) keep("layers", "1");
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
