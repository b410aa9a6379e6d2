#include "bench/google_reporter.hpp"

#include <algorithm>
#include <utility>

#include "bench/result_rows.hpp"
#include "results/aggregates.hpp"
#include "results/schema.hpp"

namespace dbdyno {
namespace {

using benchmark_run = benchmark::BenchmarkReporter::Run;

constexpr double nanosecond = 1e-9;

/// What our rows say, in Google Benchmark's form. Times are totals there: it divides them by the iterations.
void fill_in(benchmark_run& out, const results::row& row) {
  out.repetition_index = row.repetition;
  out.repetitions = row.repetitions;
  out.threads = row.threads;
  out.iterations = static_cast<benchmark::IterationCount>(row.iterations);
  const auto iterations = static_cast<double>(std::max<std::uint64_t>(row.iterations, 1));
  out.real_accumulated_time = row.real_time.value_or(0) * nanosecond * iterations;
  out.cpu_accumulated_time = row.cpu_time.value_or(0) * nanosecond * iterations;
  out.error_occurred = row.error_message.has_value();
  out.error_message = row.error_message.value_or("");
  out.counters.clear();
  for (const auto& [name, value] : row.counters) out.counters.emplace(name, benchmark::Counter(value));
}

benchmark_run make_aggregate(const benchmark_run& repetition, const results::row& row) {
  benchmark_run out = repetition;
  fill_in(out, row);
  out.run_type = benchmark_run::RT_Aggregate;
  out.aggregate_name = results::to_string(*row.kind);
  out.repetition_index = benchmark_run::no_repetition_index;
  if (*row.kind == results::statistic::cv) {
    // A ratio is printed as it stands.
    out.aggregate_unit = benchmark::StatisticUnit::kPercentage;
    out.real_accumulated_time = row.real_time.value_or(0);
    out.cpu_accumulated_time = row.cpu_time.value_or(0);
  }
  return out;
}

}  // namespace

std::unique_ptr<benchmark::BenchmarkReporter> make_stock_reporter(const std::string& format) {
  if (format == "json") return std::make_unique<benchmark::JSONReporter>();
  if (format == "csv") {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
    return std::make_unique<benchmark::CSVReporter>();
#pragma GCC diagnostic pop
  }
  return std::make_unique<benchmark::ConsoleReporter>(benchmark::ConsoleReporter::OO_None);
}

google_reporter::google_reporter(const finished_run& run, std::size_t first,
                                 std::function<void(std::size_t)> collect, stock_output output)
    : run_(run), collect_(std::move(collect)), output_(std::move(output)), next_(first) {
}

bool google_reporter::ReportContext(const Context& context) {
  if (!output_.reporter) return true;
  output_.reporter->SetOutputStream(&GetOutputStream());
  output_.reporter->SetErrorStream(&GetErrorStream());
  return output_.reporter->ReportContext(context);
}

void google_reporter::ReportRuns(const std::vector<Run>& runs) {
  for (const Run& measured : runs) {
    const std::size_t index = next_++;
    collect_(index);
    if (!output_.reporter || !run_.results[index]) continue;
    Run ours = measured;
    fill_in(ours, make_row(run_, index));
    ours.family_index = static_cast<std::int64_t>(run_.order[index].cell);
    ours.per_family_instance_index = 0;
    reported_.push_back(ours);
    if (output_.repetitions) output_.reporter->ReportRuns({ours});
  }
}

void google_reporter::Finalize() {
  if (!output_.reporter) return;
  for (const results::row& row : results::with_aggregates(make_rows(run_))) {
    if (!row.kind || (*row.kind == results::statistic::cv && !output_.variation)) continue;
    const auto repetition = std::find_if(reported_.begin(), reported_.end(),
                                         [&](const Run& run) { return run.benchmark_name() == row.name; });
    if (repetition != reported_.end()) output_.reporter->ReportRuns({make_aggregate(*repetition, row)});
  }
  output_.reporter->Finalize();
}

}  // namespace dbdyno
