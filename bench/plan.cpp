#include "bench/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <random>
#include <regex>

#include "drivers/errors.hpp"

namespace dbdyno {
namespace {

constexpr const char* echo_storage = "echo";
constexpr const char* null_storage = "null";
constexpr std::string_view mix_workload_name = "mix";

bool contains(const std::vector<transport>& list, transport value) {
  return std::find(list.begin(), list.end(), value) != list.end();
}

/// As a name has it, without the letters that mean something in a filter; empty for the default.
std::string spell(const value_sizes& sizes) {
  if (sizes == value_sizes()) return "";
  std::string out = sizes.to_string();
  std::replace(out.begin(), out.end(), ':', 'x');
  std::replace(out.begin(), out.end(), ',', '_');
  return out;
}

/// Adds `what` once at each rate: sweeps over what a mode does not have would repeat it.
void add(std::vector<planned_cell>& out, cell what, const bench_options& options, thread_runner run) {
  const auto add_one = [&] {
    const bool known =
        std::any_of(out.begin(), out.end(), [&](const planned_cell& c) { return c.what == what; });
    if (!known) out.push_back({what, run});
  };
  if (options.rates.empty()) add_one();
  for (const double rate : options.rates) {
    what.rate = rate;
    add_one();
  }
}

void add_shapes(std::vector<planned_cell>& out, cell what, const runner_entry& runner,
                const bench_options& options) {
  what.shows_depth = runner.mode != mode::sync && runner.max_window > 1;
  for (const std::uint32_t threads : options.threads) {
    what.threads = threads;
    if (runner.mode == mode::sync) {
      what.connections = threads;
      add(out, what, options, runner.run);
      continue;
    }
    for (const std::uint32_t connections : options.connections) {
      what.connections = runner.mode == mode::async ? connections : threads;
      for (const std::uint32_t depth : options.depths) {
        // More than the driver takes would be the same measurement under another name.
        what.depth = what.shows_depth ? std::min(depth, runner.max_window) : 1;
        add(out, what, options, runner.run);
      }
    }
  }
}

std::vector<planned_cell> all_cells(const bench_options& options, const std::vector<driver_entry>& drivers) {
  std::vector<planned_cell> out;
  for (const std::string_view workload : {"get", "set", "mix"}) {
    for (const driver_entry& driver : drivers) {
      for (const runner_entry& runner : driver.runners) {
        if (runner.workload != workload) continue;
        // An echo's replies all have one size.
        if (driver.storage == echo_storage && !options.data.sizes().is_fixed()) continue;
        cell what{.workload = std::string(workload),
                  .storage = std::string(driver.storage),
                  .driver = std::string(driver.name),
                  .mode = runner.mode,
                  .value_size = spell(options.data.sizes()),
                  .order = options.order};
        if (workload == mix_workload_name) what.ratio = options.ratio;
        for (const transport via : transports_of(what.storage, options)) {
          what.via = via;
          add_shapes(out, what, runner, options);
        }
      }
    }
  }
  return out;
}

/// Whether the storage of this cell was given by a socket's URL, so that there is no TCP to show.
bool only_unix(const cell& what, const bench_options& options) {
  return !contains(transports_of(what.storage, options), transport::tcp);
}

/// The short answer: gets and sets over TCP, and what a unix socket changes for one request at a time.
bool is_quick(const cell& what, const bench_options& options) {
  if (what.workload == mix_workload_name) return false;
  return what.via != transport::unix_socket || what.mode == mode::sync || only_unix(what, options);
}

/// Errors: usage_error for a selected cell that cannot be run.
void require_possible(const run_plan& plan, const bench_options& options) {
  constexpr std::uint64_t max_in_flight = 10'000'000;
  constexpr std::uint64_t max_rows = 20'000;
  for (const planned_cell& planned : plan.cells) {
    const cell& what = planned.what;
    if (what.threads > what.connections) {
      throw usage_error(fmt::format("{} threads cannot share {} connections; give --connections {} or more",
                                    what.threads, what.connections, what.threads));
    }
    if (std::uint64_t{what.connections} * what.depth > max_in_flight) {
      throw usage_error(fmt::format("--connections {} with --depth {}: at most {} requests can be in flight",
                                    what.connections, what.depth, max_in_flight));
    }
  }
  if (plan.cells.size() * options.repetitions > max_rows) {
    throw usage_error(
        fmt::format("{} cells, {} times each: at most {} rows fit one run; give a narrower filter or fewer "
                    "--repetitions",
                    plan.cells.size(), options.repetitions, max_rows));
  }
}

/// As Google Benchmark does: an extended regular expression found anywhere in the name; a leading - turns it
/// round.
void keep_matching(std::vector<planned_cell>& cells, const std::string& filter) {
  const bool negative = filter.starts_with('-');
  const std::regex expression(negative ? filter.substr(1) : filter, std::regex::extended);
  std::erase_if(cells, [&](const planned_cell& c) {
    const bool found = std::regex_search(c.what.id(), expression) ||
                       std::regex_search(c.what.google_benchmark_name(), expression);
    return found == negative;
  });
}

const runner_entry* find_runner(const std::vector<driver_entry>& drivers, std::string_view storage,
                                const cell& like) {
  for (const driver_entry& driver : drivers) {
    if (driver.storage != storage) continue;
    for (const runner_entry& runner : driver.runners) {
      if (runner.workload == like.workload && runner.mode == like.mode) return &runner;
    }
  }
  return nullptr;
}

std::size_t index_of(std::vector<planned_cell>& cells, const planned_cell& wanted) {
  const auto found =
      std::find_if(cells.begin(), cells.end(), [&](const planned_cell& c) { return c.what == wanted.what; });
  if (found != cells.end()) return static_cast<std::size_t>(found - cells.begin());
  cells.push_back(wanted);
  return cells.size() - 1;
}

/// Adds an echo beside every cell that crosses a wire, and null in the same shape.
void add_layers(std::vector<planned_cell>& cells, const std::vector<driver_entry>& drivers) {
  const std::size_t count = cells.size();
  for (std::size_t c = 0; c < count; ++c) {
    const cell what = cells[c].what;
    if (what.via == transport::in_process || what.storage == echo_storage) continue;
    const runner_entry* const echo = find_runner(drivers, echo_storage, what);
    const runner_entry* const null = find_runner(drivers, null_storage, what);
    if (echo == nullptr || null == nullptr) continue;
    planned_cell beside{what, echo->run};
    beside.what.storage = echo_storage;
    beside.what.driver = "socket";
    beside.what.beside = what.storage + "-" + what.driver;
    planned_cell control{what, null->run};
    control.what.storage = control.what.driver = null_storage;
    control.what.via = transport::in_process;
    control.what.shows_depth = what.mode != mode::sync;
    cells.push_back(beside);
    const std::size_t echo_index = cells.size() - 1;
    cells[c].layers = layer_cells{.null = index_of(cells, control), .echo = echo_index};
  }
}

}  // namespace

double run_plan::expected_seconds(const bench_options& options) const {
  return static_cast<double>(cells.size()) * options.repetitions * (duration + warmup);
}

std::vector<transport> transports_of(const std::string& storage, const bench_options& options) {
  const auto given = options.targets.find(storage);
  std::vector<transport> offered;
  if (given != options.targets.end()) {
    offered = {given->second.via};
  } else if (storage == "redis" || storage == "mysql" || storage == echo_storage) {
    offered = {transport::tcp, transport::unix_socket};
  } else if (storage == "handlersocket") {
#ifndef DBDYNO_NO_MYSQL
    // Without libmariadb there is nobody to fill a throwaway server's table.
    offered = {transport::tcp};
#endif
  } else {
    return {transport::in_process};
  }
  std::erase_if(offered, [&](transport via) {
    return via != transport::in_process && !contains(options.transports, via);
  });
  return offered;
}

run_plan make_plan(const bench_options& options, const std::vector<driver_entry>& drivers) {
  run_plan out;
  if (options.plan && options.google.filter) {
    throw usage_error("--plan and --benchmark_filter both select cells; give one of them");
  }
  if (options.plan && *options.plan != "quick") {
    throw usage_error(fmt::format("--plan: there is no plan '{}'; there is: quick", *options.plan));
  }
  out.cells = all_cells(options, drivers);
  if (options.google.filter) {
    out.name = "filter";
    // "all" is every benchmark, as in Google Benchmark.
    if (*options.google.filter != "all" && !options.google.filter->empty()) {
      keep_matching(out.cells, *options.google.filter);
    }
  } else {
    out.name = "quick";
    out.duration = 0.2;
    out.warmup = 0.05;
    std::erase_if(out.cells, [&](const planned_cell& c) { return !is_quick(c.what, options); });
  }
  if (options.layers) add_layers(out.cells, drivers);
  if (options.duration) out.duration = *options.duration;
  if (options.warmup) out.warmup = *options.warmup;
  require_possible(out, options);
  return out;
}

std::vector<scheduled_row> schedule(const std::vector<planned_cell>& cells, unsigned repetitions,
                                    std::uint64_t seed) {
  std::vector<bool> follows(cells.size());
  for (const planned_cell& planned : cells) {
    if (planned.layers) follows[planned.layers->echo] = true;
  }
  std::mt19937_64 random(seed);
  std::vector<scheduled_row> out;
  out.reserve(cells.size() * repetitions);
  for (unsigned repetition = 0; repetition < repetitions; ++repetition) {
    std::vector<std::size_t> round;
    for (std::size_t c = 0; c < cells.size(); ++c) {
      if (!follows[c]) round.push_back(c);
    }
    // Fisher-Yates by hand: std::shuffle may draw differently with another standard library.
    for (std::size_t left = round.size(); left > 1; --left)
      std::swap(round[left - 1], round[random() % left]);
    for (const std::size_t c : round) {
      out.push_back({c, repetition});
      if (cells[c].layers) out.push_back({cells[c].layers->echo, repetition});
    }
  }
  return out;
}

}  // namespace dbdyno
