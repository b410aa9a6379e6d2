#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "results/latency_record.hpp"
#include "results/run_file.hpp"

/// Results, for tests, whose figures can be told without a calculator.
namespace dbdyno::results {

inline constexpr const char* scripted_name = "get/redis/wire/sync/transport:tcp/manual_time";
inline constexpr const char* scripted_import = "set/redis/redis-benchmark";

inline row scripted_row(unsigned repetition, double rate) {
  row r;
  r.name = scripted_name;
  r.repetition = repetition;
  r.repetitions = 4;
  r.iterations = std::uint64_t{1000} * (repetition + 1);
  r.real_time = 1e9 / rate;
  r.cpu_time = 4000;
  r.counters = {{"items_per_second", rate}, {"client_cpu_ns_per_op", 4000}, {"p50_ns", 77}};
  return r;
}

/// 1,000 operations took `latency`. Units: nanoseconds.
inline cell scripted_cell(unsigned repetition, verdict_level level, std::uint64_t latency) {
  histogram durations;
  durations.record(latency, 1000);
  return {.name = scripted_name,
          .repetition = repetition,
          .judged = verdict{.level = level, .reasons = {}},
          .errors = {},
          .start_s = 2.0 * repetition,
          .window_s = 0.5,
          .histograms = {{"ok", to_record(durations)}}};
}

/// A benchmark with two repetitions that count, 100 operations a second of 1,000 ns each and 300 of 3,000 ns,
/// one that is invalid and one that failed; and one of another program, with percentiles and without
/// histograms.
inline run_file scripted_results() {
  run_file run;
  run.context.date = "2024-05-31T18:04:09+02:00";
  run.context.executable = "dbdyno-bench";
  run.machine.cpu_count = 2;
  run.rows = {scripted_row(0, 100), scripted_row(1, 300), scripted_row(2, 900), scripted_row(3, 1)};
  run.rows[3].error_message = "the server said \"no\", twice";
  run.rows[3].real_time.reset();
  run.rows[3].counters = {{"errors", 17}};
  run.cells = {scripted_cell(0, verdict_level::valid, 1000), scripted_cell(1, verdict_level::suspect, 3000),
               scripted_cell(2, verdict_level::invalid, 9)};
  run.cells[1].judged->reasons = {"a core was 97 % busy", "it rained, hard"};
  run.cells[2].judged->reasons = {"target rate missed"};
  run.cells.push_back({.name = scripted_name,
                       .repetition = 3,
                       .judged = {},
                       .errors = {{"disconnected", 16}, {"timeout", 1}}});
  row imported;
  imported.name = scripted_import;
  imported.iterations = 0;
  imported.real_time = 20'000;
  imported.counters = {{"items_per_second", 50'000}, {"p50_ns", 600}, {"p95_ns", 900}, {"p99_ns", 1200}};
  run.rows.push_back(imported);
  return run;
}

}  // namespace dbdyno::results
