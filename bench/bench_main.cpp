// dbdyno-bench: measures the drivers. See --help and README.md.
#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <exception>
#include <optional>
#include <set>
#include <string>

#include "bench/driver_entry.hpp"
#include "bench/handicap.hpp"
#include "bench/measure.hpp"
#include "bench/options.hpp"
#include "bench/plan.hpp"
#include "bench/preflight.hpp"
#include "bench/result_file.hpp"
#include "bench/table.hpp"
#include "bench/target_set.hpp"
#include "bench/watchdog.hpp"
#include "data-loaders/progress_line.hpp"
#include "drivers/errors.hpp"
#include "results/atomic_file.hpp"
#include "results/run_file_writer.hpp"

namespace dbdyno {
namespace {

constexpr int exit_fine = 0;
constexpr int exit_errored = 1;
constexpr int exit_usage = 2;
constexpr int exit_target = 4;
constexpr int exit_no_match = 5;

void print_list(const run_plan& plan) {
  for (const planned_cell& planned : plan.cells) fmt::print("{}\n", planned.what.id());
  std::fflush(stdout);
  std::uint64_t rows = 0;
  for (const planned_cell& planned : plan.cells) rows += planned.length.repetitions;
  if (!plan.about.empty()) fmt::print(stderr, "{}: {}\n", plan.name, plan.about);
  const std::optional<double> seconds = plan.expected_seconds();
  fmt::print(stderr, "{} cells, {} rows with all repetitions: {}\n", plan.cells.size(), rows,
             seconds ? fmt::format("about {:.0f} s, servers and connecting not counted", *seconds)
                     : "how long so many requests take is not known beforehand");
}

/// Says what will not fit. Errors: usage_error where nothing could be measured so.
void require_room(const run_plan& plan, const bench_options& options) {
  const std::vector<std::string> found = check_limits(plan, read_process_limits(), options.data);
  if (!found.empty()) throw usage_error(fmt::format("{}", fmt::join(found, "\n")));
}

/// Says what the servers will refuse, which is measured nevertheless.
void warn_of_refusals(const run_plan& plan, const bench_options& options, const target_set& targets) {
  const std::vector<std::string> found = foresee_refusals(plan, [&](const std::string& storage) {
    return targets.connection_limit(storage, options.connect_timeout);
  });
  for (const std::string& warning : found) fmt::print(stderr, "dbdyno-bench: {}\n", warning);
}

/// Names the servers that stay on the CPUs they have, since they were not started here.
void bind_servers(target_set& targets, run_plan& plan) {
  if (plan.pins.server.empty()) {
    targets.pin_servers({});
    return;
  }
  const target_set::pinned_servers servers = targets.pin_servers(plan.pins.server);
  if (!servers.unbound.empty()) {
    fmt::print(stderr, "dbdyno-bench: --pin: what was not started here stays on the CPUs it has: {}\n",
               fmt::join(servers.unbound, ", "));
  }
  if (servers.bound.empty()) plan.pins.server.clear();
}

void require_writable(const bench_options& options) {
  if (options.out) results::check_writable(*options.out);
  if (options.google.out) results::check_writable(*options.google.out);
}

/// A row that was not run, though nothing interrupted the run, is an error of ours.
bool any_errored_or_missing(const finished_run& run) {
  return std::any_of(run.results.begin(), run.results.end(),
                     [](const std::optional<row_result>& result) { return !result || !result->ok(); });
}

int run(const bench_options& options) {
  const std::vector<driver_entry> drivers = all_drivers();
  run_plan plan = make_plan(options, drivers);
  if (plan.cells.empty()) {
    fmt::print(stderr, "dbdyno-bench: {} matched no benchmark; --list without it shows their names\n",
               options.google.filter ? fmt::format("--benchmark_filter='{}'", *options.google.filter)
                                     : "the selection");
    return exit_no_match;
  }
  for (const std::string& warning : plan.warnings) fmt::print(stderr, "dbdyno-bench: {}\n", warning);
  if (options.list) {
    print_list(plan);
    return exit_fine;
  }
  if constexpr (handicap_percent != 0) {
    fmt::print(stderr,
               "dbdyno-bench: this build slows itself down by {} % as a test of dbdyno-compare; its figures "
               "are no measurement of anything\n",
               handicap_percent);
  }
  require_writable(options);
  require_room(plan, options);

  watchdog dog(options.timeout);
  const tick_clock clock = tick_clock::calibrated();
  progress_line progress(!options.quiet);
  std::set<std::string> storages;
  for (const planned_cell& planned : plan.cells) storages.insert(planned.what.storage);
  target_set targets(options, storages, [&](std::string_view text) {
    if (dog.signal() != 0) throw interrupted{dog.signal()};
    progress.show(text);
  });

  progress.clear();
  warn_of_refusals(plan, options, targets);
  bind_servers(targets, plan);

  finished_run finished;
  // A search decides as it goes what to run.
  if (!options.max_rate_under) finished.order = schedule(plan.cells, options.seed);
  finished.plan = std::move(plan);
  finished.started = std::chrono::steady_clock::now();
  results::run_file file = describe_run(finished, options, drivers, targets.info(), clock);
  measure(finished, options, targets, clock, dog, progress);
  if (!options.quiet && options.google.format == "console") {
    fmt::print("{}", make_table(finished, options));
    // Before anything goes to standard error, which may be the same file.
    std::fflush(stdout);
  }
  if (options.out) {
    add_results(file, finished, options);
    results::save(*options.out, file);
    if (!options.quiet) fmt::print(stderr, "\nresults: {}\n", *options.out);
  }
  if (finished.signal != 0) return 128 + finished.signal;
  return any_errored_or_missing(finished) ? exit_errored : exit_fine;
}

}  // namespace
}  // namespace dbdyno

int main(int argc, char** argv) {
  using namespace dbdyno;
  // A client library that writes to a closed socket must get an error, not end the program.
  std::signal(SIGPIPE, SIG_IGN);
  try {
    const parsed_command_line command_line = parse_command_line(argc, argv);
    if (command_line.text) {
      fmt::print("{}", *command_line.text);
      return exit_fine;
    }
    return run(command_line.options);
  } catch (const interrupted& by) {
    return 128 + by.signal;
  } catch (const usage_error& error) {
    fmt::print(stderr, "dbdyno-bench: {}\n", error.what());
    return exit_usage;
  } catch (const results::result_path_error& error) {
    fmt::print(stderr, "dbdyno-bench: {}\n", error.what());
    return exit_usage;
  } catch (const setup_error& error) {
    fmt::print(stderr, "dbdyno-bench: {}\n", error.what());
    return exit_target;
  } catch (const std::exception& error) {
    fmt::print(stderr, "dbdyno-bench: {}\n", error.what());
    return exit_errored;
  }
}
