#include "bench/google_shell.hpp"

#include <benchmark/benchmark.h>

#include <iterator>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "bench/google_reporter.hpp"
#include "bench/row_session.hpp"

namespace dbdyno {
namespace {

/// The session is made when the row's first thread arrives and dropped when its result was read, so that only
/// one row at a time holds memory.
class row_runner {
 public:
  row_runner(finished_run& run, std::size_t index, const row_planner& planner, const row_listener& before_row,
             watchdog& dog)
      : run_(run), index_(index), planner_(planner), before_row_(before_row), dog_(dog) {}

  void operator()(benchmark::State& state) {
    std::call_once(prepared_, [this] { prepare(); });
    for (auto _ : state) {
      if (session_) planned().run(*session_, static_cast<unsigned>(state.thread_index()));
      // The real figures replace this one in the reporter; it must not be 0, which would ask for more
      // iterations.
      state.SetIterationTime(1);
    }
  }

  /// After all threads have left.
  void collect() {
    if (session_) run_.results[index_] = session_->result();
    session_.reset();
  }

 private:
  void prepare() {
    if (dog_.signal() != 0) return;
    before_row_(index_);
    session_.emplace(planner_(planned(), run_.order[index_]), dog_);
  }

  const planned_cell& planned() const { return run_.plan.cells[run_.order[index_].cell]; }

  finished_run& run_;
  std::size_t index_;
  const row_planner& planner_;
  const row_listener& before_row_;
  watchdog& dog_;
  std::once_flag prepared_;
  std::optional<row_session> session_;
};

/// The flags' values, all of them: Google Benchmark takes defaults from variables such as
/// BENCHMARK_REPETITIONS, which would run rows more often or in another order than ours. A tiny min_time
/// makes one trial: any measured time is longer.
constexpr const char* fixed_flags[] = {"--benchmark_min_time=0.000001",
                                       "--benchmark_min_warmup_time=0",
                                       "--benchmark_repetitions=1",
                                       "--benchmark_enable_random_interleaving=false",
                                       "--benchmark_list_tests=false",
                                       "--benchmark_report_aggregates_only=false",
                                       "--benchmark_display_aggregates_only=false",
                                       "--benchmark_counters_tabular=false",
                                       "--benchmark_perf_counters=",
                                       "--benchmark_format=console",
                                       "--benchmark_out="};

/// format: empty for none.
stock_output make_output(const std::string& format, bool repetitions) {
  stock_output out;
  if (!format.empty()) out.reporter = make_stock_reporter(format);
  out.repetitions = repetitions;
  out.variation = format != "csv";
  return out;
}

}  // namespace

void run_under_google_benchmark(finished_run& run, const google_flags& flags, const row_planner& planner,
                                const row_listener& before_row, watchdog& dog) {
  std::vector<std::string> arguments{"dbdyno-bench"};
  arguments.insert(arguments.end(), std::begin(fixed_flags), std::end(fixed_flags));
  arguments.insert(arguments.end(), flags.passed_on.begin(), flags.passed_on.end());
  if (flags.out) {
    arguments.push_back("--benchmark_out=" + *flags.out);
    arguments.push_back("--benchmark_out_format=" + flags.out_format);
  }
  std::vector<char*> argv;
  for (std::string& argument : arguments) argv.push_back(argument.data());
  int argc = static_cast<int>(argv.size());
  benchmark::Initialize(&argc, argv.data());

  std::vector<std::unique_ptr<row_runner>> runners;
  const std::size_t first = run.results.size();
  for (std::size_t i = first; i < run.order.size(); ++i) {
    runners.push_back(std::make_unique<row_runner>(run, i, planner, before_row, dog));
    const cell& what = run.plan.cells[run.order[i].cell].what;
    auto* registered = benchmark::RegisterBenchmark(
        what.name().c_str(), [runner = runners.back().get()](benchmark::State& state) { (*runner)(state); });
    registered->UseManualTime();
    if (what.threads > 1) registered->Threads(static_cast<int>(what.threads));
  }

  run.results.resize(run.order.size());
  google_reporter display(
      run, first, [&](std::size_t index) { runners[index - first]->collect(); },
      make_output(flags.format == "console" ? "" : flags.format,
                  !flags.report_aggregates_only && !flags.display_aggregates_only));
  std::unique_ptr<google_reporter> file;
  if (flags.out) {
    file = std::make_unique<google_reporter>(
        run, first, [](std::size_t) {}, make_output(flags.out_format, !flags.report_aggregates_only));
  }
  benchmark::RunSpecifiedBenchmarks(&display, file.get(), ".");
  benchmark::ClearRegisteredBenchmarks();
}

}  // namespace dbdyno
