#include "results/exports/prometheus_text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "results/example_run.hpp"
#include "results/exports/scripted_results.hpp"

using namespace dbdyno::results;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

namespace {

std::string exposed(const run_file& run) {
  return prometheus_text(run, figures_of(run));
}

TEST(PrometheusText, KnownAnswer) {
  EXPECT_EQ(exposed(scripted_results()), R"(# HELP dbdyno_run_info What was run where, and when; always 1.
# TYPE dbdyno_run_info gauge
dbdyno_run_info{date="2024-05-31T18:04:09+02:00",executable="dbdyno-bench"} 1
# HELP dbdyno_run_partial Whether the run ended before its plan did.
# TYPE dbdyno_run_partial gauge
dbdyno_run_partial 0
# HELP dbdyno_run_start_timestamp_seconds When the run started, seconds since 1970.
# TYPE dbdyno_run_start_timestamp_seconds gauge
dbdyno_run_start_timestamp_seconds 1717171449
# HELP dbdyno_repetitions Repetitions by standing: unjudged, valid, suspect; invalid and failed ones do not count.
# TYPE dbdyno_repetitions gauge
dbdyno_repetitions{benchmark="get/redis/wire/sync/transport:tcp",workload="get",storage="redis",driver="wire",mode="sync",transport="tcp",standing="valid"} 1
dbdyno_repetitions{benchmark="get/redis/wire/sync/transport:tcp",workload="get",storage="redis",driver="wire",mode="sync",transport="tcp",standing="suspect"} 1
dbdyno_repetitions{benchmark="get/redis/wire/sync/transport:tcp",workload="get",storage="redis",driver="wire",mode="sync",transport="tcp",standing="invalid"} 1
dbdyno_repetitions{benchmark="get/redis/wire/sync/transport:tcp",workload="get",storage="redis",driver="wire",mode="sync",transport="tcp",standing="failed"} 1
dbdyno_repetitions{benchmark="set/redis/redis-benchmark",standing="unjudged"} 1
# HELP dbdyno_failed_requests Requests that failed, by class, of all repetitions.
# TYPE dbdyno_failed_requests gauge
dbdyno_failed_requests{benchmark="get/redis/wire/sync/transport:tcp",workload="get",storage="redis",driver="wire",mode="sync",transport="tcp",class="disconnected"} 16
dbdyno_failed_requests{benchmark="get/redis/wire/sync/transport:tcp",workload="get",storage="redis",driver="wire",mode="sync",transport="tcp",class="timeout"} 1
# HELP dbdyno_operations_per_second Completed operations per second, the median of the repetitions that count.
# TYPE dbdyno_operations_per_second gauge
dbdyno_operations_per_second{benchmark="get/redis/wire/sync/transport:tcp",workload="get",storage="redis",driver="wire",mode="sync",transport="tcp"} 200
dbdyno_operations_per_second{benchmark="set/redis/redis-benchmark"} 50000
# HELP dbdyno_operations_per_second_lowest The same of the repetition where it was lowest.
# TYPE dbdyno_operations_per_second_lowest gauge
dbdyno_operations_per_second_lowest{benchmark="get/redis/wire/sync/transport:tcp",workload="get",storage="redis",driver="wire",mode="sync",transport="tcp"} 100
# HELP dbdyno_operations_per_second_highest The same of the repetition where it was highest.
# TYPE dbdyno_operations_per_second_highest gauge
dbdyno_operations_per_second_highest{benchmark="get/redis/wire/sync/transport:tcp",workload="get",storage="redis",driver="wire",mode="sync",transport="tcp"} 300
# HELP dbdyno_latency_seconds Latency of the repetitions that count, together; in an open loop from when a request was due.
# TYPE dbdyno_latency_seconds summary
dbdyno_latency_seconds{benchmark="get/redis/wire/sync/transport:tcp",workload="get",storage="redis",driver="wire",mode="sync",transport="tcp",quantile="0.5"} 1e-06
dbdyno_latency_seconds{benchmark="get/redis/wire/sync/transport:tcp",workload="get",storage="redis",driver="wire",mode="sync",transport="tcp",quantile="0.9"} 3.001e-06
dbdyno_latency_seconds{benchmark="get/redis/wire/sync/transport:tcp",workload="get",storage="redis",driver="wire",mode="sync",transport="tcp",quantile="0.99"} 3.001e-06
dbdyno_latency_seconds_sum{benchmark="get/redis/wire/sync/transport:tcp",workload="get",storage="redis",driver="wire",mode="sync",transport="tcp"} 0.004
dbdyno_latency_seconds_count{benchmark="get/redis/wire/sync/transport:tcp",workload="get",storage="redis",driver="wire",mode="sync",transport="tcp"} 2000
dbdyno_latency_seconds{benchmark="set/redis/redis-benchmark",quantile="0.5"} 6e-07
dbdyno_latency_seconds{benchmark="set/redis/redis-benchmark",quantile="0.95"} 9e-07
dbdyno_latency_seconds{benchmark="set/redis/redis-benchmark",quantile="0.99"} 1.2e-06
# HELP dbdyno_client_cpu_seconds_per_operation CPU time of the client per completed operation.
# TYPE dbdyno_client_cpu_seconds_per_operation gauge
dbdyno_client_cpu_seconds_per_operation{benchmark="get/redis/wire/sync/transport:tcp",workload="get",storage="redis",driver="wire",mode="sync",transport="tcp"} 4e-06
# HELP dbdyno_latency_max_seconds The longest latency, exactly.
# TYPE dbdyno_latency_max_seconds gauge
dbdyno_latency_max_seconds{benchmark="get/redis/wire/sync/transport:tcp",workload="get",storage="redis",driver="wire",mode="sync",transport="tcp"} 3e-06
)");
}

TEST(PrometheusText, DescribesARunAndItsTargets) {
  auto run = example_run();
  run.targets.push_back(run.targets[0]);
  run.imported = import_info{.format = "wrk", .remarks = {}};
  EXPECT_THAT(
      exposed(run),
      AllOf(HasSubstr("dbdyno_run_info{date=\"2024-05-31T18:04:09+02:00\",host=\"box\",executable="
                      "\"dbdyno-bench\",dbdyno_version=\"0.1.0\",build_type=\"RelWithDebInfo\",cpu_model="
                      "\"Fast CPU\",kernel=\"6.1.0-9-amd64\",pinning=\"client=1,server=0\",plan=\"quick\","
                      "plan_hash=\"cbf29ce484222325\",imported_from=\"wrk\"} 1\n"),
            HasSubstr("\ndbdyno_run_partial 1\n"),
            HasSubstr("TYPE dbdyno_target_info gauge\ndbdyno_target_info{storage=\"redis\",server_version="
                      "\"7.0.15\",throwaway=\"true\"} 1\n# HELP")));
}

TEST(PrometheusText, EscapesLabels) {
  run_file run;
  run.rows = {scripted_row(0, 1)};
  run.rows[0].name = "a\\b\"c\nd";
  EXPECT_THAT(exposed(run), HasSubstr("benchmark=\"a\\\\b\\\"c d\",standing="));
}

TEST(PrometheusText, GivesParametersNamesThatLabelsMayHave) {
  run_file run;
  run.rows = {scripted_row(0, 1)};
  run.rows[0].name = "a/b/c/sync/key-order:x/9:1/__name__:y/mode:z/quantile:1/key.order:w/mode:";
  EXPECT_THAT(
      exposed(run),
      HasSubstr("workload=\"a\",storage=\"b\",driver=\"c\",mode=\"sync\",key_order=\"x\",parameter_9=\"1\","
                "parameter___name__=\"y\",parameter_mode=\"z\",parameter_quantile=\"1\","
                "parameter_key_order=\"w\",standing="));
}

TEST(PrometheusText, HasServiceTimesApart) {
  auto run = scripted_results();
  run.rows.resize(2);
  for (cell& each : run.cells)
    each.histograms["service"] = scripted_cell(0, verdict_level::valid, 500).histograms["ok"];
  EXPECT_THAT(exposed(run), AllOf(HasSubstr("mode=\"sync\",transport=\"tcp\",quantile=\"0.5\"} 5e-07\n"),
                                  HasSubstr("\ndbdyno_service_time_seconds_count{"),
                                  HasSubstr("\ndbdyno_service_time_max_seconds{")));
}

TEST(PrometheusText, HasOfAFailedBenchmarkWhatIsKnown) {
  auto run = scripted_results();
  run.rows = {run.rows[3]};
  run.context.date = "today";
  EXPECT_THAT(exposed(run), AllOf(HasSubstr("standing=\"failed\"} 1\n"), Not(HasSubstr("per_second")),
                                  Not(HasSubstr("latency")), Not(HasSubstr("timestamp"))));
}

TEST(PrometheusText, LeavesOutWhatIsNotFinite) {
  run_file run;
  run.rows = {scripted_row(0, std::numeric_limits<double>::infinity())};
  EXPECT_THAT(exposed(run), Not(HasSubstr("operations_per_second")));
}

}  // namespace
