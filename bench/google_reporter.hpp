#pragma once

#include <benchmark/benchmark.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "bench/finished_run.hpp"

namespace dbdyno {

/// "json", "csv" or "console": Google Benchmark's own.
std::unique_ptr<benchmark::BenchmarkReporter> make_stock_reporter(const std::string& format);

/// What one stock reporter is to print.
struct stock_output {
  std::unique_ptr<benchmark::BenchmarkReporter> reporter{};  ///< or none
  bool repetitions = true;
  /// Its CSV has no way to tell that a coefficient of variation is no time.
  bool variation = true;
};

/// Stands between Google Benchmark and one of its stock reporters, or none: puts our figures in the place of
/// its own.
///
/// iterations becomes the completed operations, so real_time is window / operations; rows that were not run
/// are dropped; repetitions get their numbers and, at the end, their aggregates.
class google_reporter : public benchmark::BenchmarkReporter {
 public:
  /// first: the row that is reported first. collect(i): called when the threads of row i have left, before
  /// run.results[i] is read.
  google_reporter(const finished_run& run, std::size_t first, std::function<void(std::size_t)> collect,
                  stock_output output);

  bool ReportContext(const Context& context) override;
  void ReportRuns(const std::vector<Run>& runs) override;
  void Finalize() override;

 private:
  const finished_run& run_;
  std::function<void(std::size_t)> collect_;
  stock_output output_;
  std::size_t next_;
  std::vector<Run> reported_;
};

}  // namespace dbdyno
