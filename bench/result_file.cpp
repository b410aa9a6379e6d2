#include "bench/result_file.hpp"

#include <fmt/format.h>

#include <ctime>

#include "bench/build_info.hpp"
#include "bench/google_build_type.hpp"
#include "bench/result_rows.hpp"
#include "drivers/version.hpp"
#include "results/aggregates.hpp"
#include "results/local_time.hpp"
#include "results/plan_hash.hpp"

namespace dbdyno {
namespace {

results::plan_info describe_plan(const finished_run& run, const bench_options& options) {
  results::plan_info out;
  out.name = run.plan.name;
  out.seed = options.seed;
  out.options = options.shape;
  if (!options.requests) {
    out.options["duration"] = fmt::format("{:g}", run.plan.duration);
    out.options["warmup"] = fmt::format("{:g}", run.plan.warmup);
  }
  for (const scheduled_row& row : run.order) {
    out.order.push_back({run.plan.cells[row.cell].what.google_benchmark_name(), row.repetition});
  }
  // What is measured and how, not in which order or by which words it was selected: two seeds of one plan are
  // comparable.
  std::string text;
  for (const auto& [name, value] : out.options) {
    if (name != "seed" && name != "benchmark_filter") text += name + "=" + value + "\n";
  }
  for (const planned_cell& planned : run.plan.cells) text += planned.what.google_benchmark_name() + "\n";
  out.hash = results::plan_hash(text);
  return out;
}

}  // namespace

results::run_file describe_run(const finished_run& run, const bench_options& options,
                               const std::vector<driver_entry>& drivers,
                               std::vector<results::target_info> targets) {
  results::run_file out;
  out.context.date = results::local_time(std::time(nullptr));
  out.context.executable = "dbdyno-bench";
  out.context.load_avg = results::read_load_averages();
  out.context.library_build_type = google_benchmark_build_type();
  out.context.library_version = build_info::google_benchmark_version;
  out.context.dbdyno_version = DBDYNO_VERSION;
  out.context.dbdyno_build_type = build_info::build_type;
  out.machine = results::read_machine();
  out.machine.compiler = build_info::compiler;
  for (const driver_entry& driver : drivers) {
    out.machine.libraries.emplace(fmt::format("{}/{}", driver.storage, driver.name), driver.version());
  }
  out.targets = std::move(targets);
  out.plan = describe_plan(run, options);
  return out;
}

void add_results(results::run_file& file, const finished_run& run) {
  file.rows = results::with_aggregates(make_rows(run));
  for (std::size_t i = 0; i < run.results.size(); ++i) {
    if (!run.results[i]) {
      file.partial = true;
      continue;
    }
    results::cell one;
    one.name = run.plan.cells[run.order[i].cell].what.google_benchmark_name();
    one.repetition = run.order[i].repetition;
    for (std::size_t s = 0; s < op_status_count; ++s) {
      const auto status = static_cast<op_status>(s);
      if (is_error(status) && run.results[i]->counts.of(status) != 0) {
        one.errors.emplace(to_string(status), run.results[i]->counts.of(status));
      }
    }
    file.cells.push_back(std::move(one));
  }
  if (run.signal != 0) file.partial = true;
}

}  // namespace dbdyno
