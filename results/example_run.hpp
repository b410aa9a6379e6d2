#pragma once

#include <cstdint>

#include "results/histogram.hpp"
#include "results/latency_record.hpp"
#include "results/run_file.hpp"

namespace dbdyno::results {

/// 1,000 latencies of 1 to 1,000 us, and one beyond the histogram's range.
inline histogram example_latencies() {
  histogram latencies;
  for (std::uint64_t i = 1; i <= 1000; ++i) latencies.record(i * 1000);
  latencies.record(75'000'000'000);
  return latencies;
}

/// A result file, for tests, in which everything that may be present is.
inline run_file example_run() {
  run_file file;
  file.context = {.date = "2024-05-31T18:04:09+02:00",
                  .executable = "dbdyno-bench",
                  .load_avg = {0.25, 0.5, 1},
                  .library_build_type = "debug",
                  .library_version = "1.7.1",
                  .dbdyno_version = "0.1.0",
                  .dbdyno_build_type = "RelWithDebInfo"};
  row good;
  good.name = "get/redis/wire/async/transport:tcp/conns:50/depth:16";
  good.repetitions = 2;
  good.threads = 2;
  good.iterations = 1'000'000;
  good.real_time = 1250.1;
  good.cpu_time = 600.7;
  good.counters = {{"items_per_second", 799'936.00511959}, {"ops", 1e6}, {"misses", 0}, {"errors", 0}};
  row failed;
  failed.name = good.name;
  failed.repetition = 1;
  failed.repetitions = 2;
  failed.threads = 2;
  failed.error_message = "the server said \"no\"";
  row mean = good;
  mean.kind = statistic::mean;
  mean.iterations = 2;
  file.rows = {good, failed, mean};
  file.partial = true;
  file.machine.host_name = "box";
  file.machine.cpu_model = "Fast CPU";
  file.machine.cpu_count = 4;
  file.machine.cpu_mhz = 3500;
  file.machine.caches = {{"Data", 1, 49152, 2}};
  file.machine.virtualised = true;
  file.machine.governor = "powersave";
  file.machine.kernel = "6.1.0-9-amd64";
  file.machine.memory_bytes = 8'000'000'000;
  file.machine.compiler = "GNU 12.2.0";
  file.machine.pinning = "client=1,server=0";
  file.machine.libraries = {{"hiredis", "0.14.1"}, {"libmariadb", "3.3.20"}};
  file.targets = {{.storage = "redis",
                   .url = "redis://:***@127.0.0.1:6379",
                   .throwaway = true,
                   .server_version = "7.0.15",
                   .transports = {"tcp", "unix"},
                   .settings = {{"save", ""}}}};
  file.plan = {.name = "quick",
               .hash = "cbf29ce484222325",
               .seed = 18'446'744'073'709'551'615U,
               .options = {{"duration", "0.5"}, {"keys", "100000"}},
               .order = {{good.name, 0}, {good.name, 1}}};
  file.cells = {
      {.name = good.name,
       .repetition = 0,
       .judged = verdict{verdict_level::suspect, {"the client's core was 97 % busy"}},
       .errors = {},
       .refusals = {{"ERR", 2}},
       .requests = accounting{.issued = 107, .ok = 100, .missed = 4, .unknown = 2, .unsent = 1},
       .reconnects = 3,
       .downtime_s = 0.25,
       .slices = {100, 110.5},
       .start_s = 1.25,
       .window_s = 0.5,
       .histograms = {{"ok", to_record(example_latencies())}}},
      {.name = good.name, .repetition = 1, .judged = {}, .errors = {{"disconnected", 16}, {"timeout", 1}}}};
  file.searches = {
      {.name = good.name,
       .limit = "p99=5ms",
       .steps = {{.rate = 500, .figure = 4e6, .kept = true}, {.rate = 900, .figure = {}, .kept = false}},
       .knee = 500,
       .stopped = "interrupted"}};
  file.layer_splits = {{.name = good.name,
                        .metric = "time",
                        .harness = interval_estimate{10, 9.5, 10.5},
                        .wire = interval_estimate{500, -20, 1020},
                        .library = {}}};
  file.clock = clock_info{.source = "tsc", .ticks_per_second = 2.1e9, .read_ns = 9.5, .record_ns = 4};
  return file;
}

}  // namespace dbdyno::results
