#include "bench/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <numeric>
#include <random>
#include <regex>

#include "drivers/errors.hpp"

namespace dbdyno {
namespace {

constexpr const char* echo_storage = "echo";
constexpr const char* null_storage = "null";
constexpr const char* memory_storage = "memory";
constexpr std::string_view mix_workload_name = "mix";
/// In the order of the table's blocks.
constexpr std::array<std::string_view, 7> workloads{"get",  "set",       "mix",    "multiget",
                                                    "rows", "rows_view", "connect"};

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

/// What a group of cells comes to, with the flags over it.
struct group_sweep {
  const plan_group& group;
  sweep all;
};

/// The plan's, for as many requests as the flags want.
double row_seconds_of(const group_sweep& of) {
  if (!of.all.requests || !of.group.what.requests) return 0;
  return of.group.row_seconds * static_cast<double>(*of.all.requests) /
         static_cast<double>(*of.group.what.requests);
}

row_length length_of(const group_sweep& of) {
  return {.requests = of.all.requests,
          .duration = *of.all.duration,
          .warmup = *of.all.warmup,
          .repetitions = *of.all.repetitions,
          .row_seconds = row_seconds_of(of)};
}

std::size_t index_of(std::vector<planned_cell>& cells, const planned_cell& wanted) {
  const auto found =
      std::find_if(cells.begin(), cells.end(), [&](const planned_cell& c) { return c.what == wanted.what; });
  if (found != cells.end()) return static_cast<std::size_t>(found - cells.begin());
  cells.push_back(wanted);
  return cells.size() - 1;
}

/// As Google Benchmark does: an extended regular expression found anywhere in the name; a leading - turns it
/// round. "all" and nothing are every name.
class name_filter {
 public:
  explicit name_filter(const std::string& text)
      : negative_(text.starts_with('-')),
        expression_(text == "all" ? "" : text.substr(negative_ ? 1 : 0), std::regex::extended) {}

  bool takes(const cell& what) const {
    const bool found = std::regex_search(what.id(), expression_) ||
                       std::regex_search(what.google_benchmark_name(), expression_);
    return found != negative_;
  }

 private:
  bool negative_;
  std::regex expression_;
};

/// Takes up cells; sweeps over what a mode does not have would repeat one.
class cell_collector {
 public:
  cell_collector(const group_sweep& from, const std::vector<name_filter>& filters,
                 std::vector<planned_cell>& out)
      : from_(from), filters_(filters), out_(out) {}

  /// Adds `what` once at each rate.
  void add(const cell& what, const runner_entry& runner) {
    const planned_cell closed{
        .what = what, .run = runner.run, .spins = runner.spins, .length = length_of(from_)};
    if (from_.all.rates.empty()) add_one(closed);
    for (const offered_rate& rate : from_.all.rates) {
      planned_cell open = closed;
      if (!rate.is_percent) {
        open.what.rate = rate.value;
        add_one(open);
        continue;
      }
      open.what.rate_percent = rate.value;
      if (!takes(open.what)) continue;
      open.maximum = index_of(out_, closed);
      add_one(open);
    }
  }

 private:
  bool takes(const cell& what) const {
    return std::all_of(filters_.begin(), filters_.end(), [&](const name_filter& f) { return f.takes(what); });
  }
  void add_one(const planned_cell& planned) {
    if (takes(planned.what)) index_of(out_, planned);
  }

  const group_sweep& from_;
  const std::vector<name_filter>& filters_;
  std::vector<planned_cell>& out_;
};

void add_shapes(cell_collector& out, cell what, const runner_entry& runner, const sweep& all) {
  // Requests beyond what the driver takes wait in the application, which is worth a cell only if asked for.
  const std::vector<std::uint32_t> usual{runner.max_window > 1 ? 16U : 1U};
  const std::vector<std::uint32_t>& depths = all.depths.empty() ? usual : all.depths;
  for (const std::uint32_t threads : all.threads) {
    what.threads = threads;
    if (runner.mode == mode::sync) {
      what.connections = threads;
      out.add(what, runner);
      continue;
    }
    for (const std::uint32_t connections : all.connections) {
      what.connections = runner.mode == mode::async ? connections : threads;
      for (const std::uint32_t depth : depths) {
        what.depth = depth;
        what.shows_depth = runner.max_window > 1 || depth > 1;
        out.add(what, runner);
      }
    }
  }
}

/// A cell once for each value of a parameter that only its workload has.
std::vector<cell> variants_of(cell what, const sweep& all) {
  std::vector<cell> out;
  if (what.workload == "rows" || what.workload == "rows_view") {
    // The control is what a page costs without a storage.
    what.shows_render = what.storage != memory_storage;
    for (const bool render : {false, true}) {
      what.render = render || !what.shows_render;
      if (render == what.render) out.push_back(what);
    }
  } else if (what.workload == "multiget") {
    for (const std::uint32_t keys : all.multiget_keys) {
      what.multiget_keys = keys;
      out.push_back(what);
    }
  } else if (what.workload == "connect") {
    for (const std::uint32_t reuse : all.reuse) {
      // The event loop's drivers open one for every request.
      if (reuse != 1 && what.mode == mode::async) continue;
      what.reuse = reuse;
      out.push_back(what);
    }
  } else {
    out.push_back(what);
  }
  return out;
}

void add_group(std::vector<planned_cell>& out, const plan_group& group, const bench_options& options,
               const std::vector<driver_entry>& drivers) {
  const group_sweep from{group, overlay(options.given, overlay(group.what, usual_sweep()))};
  std::vector<name_filter> filters{name_filter(group.filter)};
  if (options.google.filter) filters.emplace_back(*options.google.filter);
  cell_collector collector(from, filters, out);
  for (const std::string_view workload : workloads) {
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
                  .order = *from.all.order};
        if (workload == mix_workload_name) what.ratio = from.all.ratio;
        // It reads the accounts of the server, which are nobody's business but on a throwaway one.
        if (workload == "rows_view" && options.targets.contains(what.storage)) continue;
        // Where several numbers of requests stand beside each other, the name tells which.
        if (group.what.requests) what.requests = from.all.requests;
        for (const transport via : transports_of(what.storage, options, from.all.transports)) {
          what.via = via;
          for (const cell& variant : variants_of(what, from.all))
            add_shapes(collector, variant, runner, from.all);
        }
      }
    }
  }
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
    if (what.multiget_keys > options.data.keys()) {
      throw usage_error(fmt::format("--multiget-keys {}: the data set has {} keys; give --keys {} or more",
                                    what.multiget_keys, options.data.keys(), what.multiget_keys));
    }
    if (options.max_rate_under && (what.is_open_loop() || planned.length.requests))
      throw usage_error(
          "--max-rate-under tries rates of its own for a --duration; give a plan without rates or requests");
    if (options.layers && (what.is_open_loop() || planned.length.requests))
      throw usage_error(
          "--layers compares closed loops of a --duration; give a plan without rates or requests");
    if (std::uint64_t{what.connections} * what.depth > max_in_flight) {
      throw usage_error(fmt::format("--connections {} with --depth {}: at most {} requests can be in flight",
                                    what.connections, what.depth, max_in_flight));
    }
  }
  std::uint64_t rows = 0;
  for (const planned_cell& planned : plan.cells) rows += planned.length.repetitions;
  if (rows > max_rows) {
    throw usage_error(fmt::format(
        "{} cells with {} repetitions together: at most {} rows fit one run; give a narrower filter or fewer "
        "--repetitions",
        plan.cells.size(), rows, max_rows));
  }
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

std::size_t rank_of(const cell& what) {
  return static_cast<std::size_t>(std::find(workloads.begin(), workloads.end(), what.workload) -
                                  workloads.begin());
}

/// A table has a block for each workload.
void sort_by_workload(std::vector<planned_cell>& cells) {
  std::vector<std::size_t> order(cells.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return rank_of(cells[a].what) < rank_of(cells[b].what);
  });
  std::vector<std::size_t> place(cells.size());
  for (std::size_t i = 0; i < order.size(); ++i) place[order[i]] = i;
  std::vector<planned_cell> sorted;
  for (const std::size_t from : order) {
    sorted.push_back(cells[from]);
    if (sorted.back().maximum) sorted.back().maximum = place[*sorted.back().maximum];
  }
  cells = std::move(sorted);
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
    planned_cell beside{.what = what, .run = echo->run, .spins = echo->spins, .length = cells[c].length};
    beside.what.storage = echo_storage;
    beside.what.driver = "socket";
    beside.what.beside = what.storage + "-" + what.driver;
    planned_cell control{.what = what, .run = null->run, .length = cells[c].length};
    control.what.storage = control.what.driver = null_storage;
    control.what.via = transport::in_process;
    control.what.shows_depth = what.mode != mode::sync;
    cells.push_back(beside);
    const std::size_t echo_index = cells.size() - 1;
    cells[c].layers = layer_cells{.null = index_of(cells, control), .echo = echo_index};
  }
}

/// Names the drivers that will sleep though they are to spin, each once.
void warn_of_sleepers(run_plan& plan) {
  std::vector<std::string> named;
  for (const planned_cell& planned : plan.cells) {
    const cell& what = planned.what;
    if (planned.spins || what.via == transport::in_process) continue;
    std::string name = fmt::format("{}/{}/{}", what.storage, what.driver, to_string(what.mode));
    if (std::find(named.begin(), named.end(), name) == named.end()) named.push_back(std::move(name));
  }
  if (!named.empty())
    plan.warnings.push_back(
        fmt::format("--spin: {} cannot busy-poll and sleeps as ever", fmt::join(named, ", ")));
}

}  // namespace

std::optional<double> run_plan::expected_seconds() const {
  double sum = 0;
  for (const planned_cell& planned : cells) {
    if (planned.length.seconds() <= 0) return std::nullopt;
    sum += planned.length.repetitions * planned.length.seconds();
  }
  return sum;
}

std::vector<transport> transports_of(const std::string& storage, const bench_options& options,
                                     const std::vector<transport>& wanted) {
  const auto given = options.targets.find(storage);
  if (given != options.targets.end()) {
    // Its URL says which way in there is; a plan that wants another takes this one.
    const transport via = given->second.via;
    const bool ruled_out = via != transport::in_process && !options.given.transports.empty() &&
                           !contains(options.given.transports, via);
    return ruled_out ? std::vector<transport>{} : std::vector{via};
  }
  std::vector<transport> offered;
  if (storage == "redis" || storage == "mysql" || storage == echo_storage) {
    offered = {transport::tcp, transport::unix_socket};
  } else if (storage == "handlersocket") {
#ifndef DBDYNO_NO_MYSQL
    // Without libmariadb there is nobody to fill a throwaway server's table.
    offered = {transport::tcp};
#endif
  } else {
    return {transport::in_process};
  }
  std::erase_if(offered, [&](transport via) { return !contains(wanted, via); });
  return offered;
}

run_plan make_plan(const bench_options& options, const std::vector<driver_entry>& drivers) {
  run_plan out;
  plan_file file;
  if (options.google.filter && !options.plan) {
    out.name = "filter";
    file.groups.push_back({});
  } else {
    const std::string named = options.plan.value_or("quick");
    file = find_plan(named, options.full);
    // Of a file of one's own, where it lies is nobody's business.
    out.name = std::filesystem::path(named).stem().string();
  }
  for (const plan_group& group : file.groups) {
    const std::size_t before = out.cells.size();
    add_group(out.cells, group, options, drivers);
    // A filter of the user's leaves out groups on purpose.
    if (out.cells.size() == before && options.plan && !options.google.filter) {
      out.warnings.push_back(fmt::format(
          "{}: 'cells {}' adds no cell to the plan with these flags and drivers", group.where, group.filter));
    }
  }
  sort_by_workload(out.cells);
  out.about = std::move(file.about);
  out.columns = std::move(file.columns);
  require_possible(out, options);
  if (options.layers) add_layers(out.cells, drivers);
  unsigned threads = 1;
  for (const planned_cell& planned : out.cells) threads = std::max(threads, planned.what.threads);
  out.pin = options.pin.value_or(file.pin);
  out.pins = parse_pinning("--pin", out.pin, allowed_cpus(), threads);
  if (options.pin == "auto" && !out.pins.any())
    out.warnings.emplace_back("--pin auto: there is one CPU only, so nothing is bound");
  if (!out.pins.client.empty() && out.pins.client.size() < threads) {
    out.warnings.push_back(fmt::format("--pin: {} threads share {} CPU{}", threads, out.pins.client.size(),
                                       out.pins.client.size() == 1 ? "" : "s"));
  }
  if (options.spin) warn_of_sleepers(out);
  return out;
}

std::vector<scheduled_row> schedule(const std::vector<planned_cell>& cells, std::uint64_t seed) {
  std::vector<bool> follows(cells.size());
  std::vector<bool> leads(cells.size());
  unsigned most = 0;
  for (const planned_cell& planned : cells) {
    if (planned.layers) follows[planned.layers->echo] = true;
    if (planned.maximum) leads[*planned.maximum] = true;
    most = std::max(most, planned.length.repetitions);
  }
  std::mt19937_64 random(seed);
  std::vector<scheduled_row> out;
  for (const bool leading : {true, false}) {
    for (unsigned repetition = 0; repetition < most; ++repetition) {
      std::vector<std::size_t> round;
      for (std::size_t c = 0; c < cells.size(); ++c) {
        if (!follows[c] && leads[c] == leading && repetition < cells[c].length.repetitions)
          round.push_back(c);
      }
      // Fisher-Yates by hand: std::shuffle may draw differently with another standard library.
      for (std::size_t left = round.size(); left > 1; --left)
        std::swap(round[left - 1], round[random() % left]);
      for (const std::size_t c : round) {
        out.push_back({c, repetition});
        if (cells[c].layers) out.push_back({cells[c].layers->echo, repetition});
      }
    }
  }
  return out;
}

}  // namespace dbdyno
