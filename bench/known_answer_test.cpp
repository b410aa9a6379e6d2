// The whole way from a driver's socket to the figures of a row, against a server that does what a script
// says: what comes out must be what was put in.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sched.h>

#include <algorithm>
#include <ctime>
#include <string>
#include <thread>
#include <vector>

#include "bench/get.hpp"
#include "bench/run_thread.hpp"
#include "bench/scripted_rows.hpp"
#include "bench/stolen_time.hpp"
#include "drivers/redis/wire/driver.hpp"
#include "fixtures/scripted_program.hpp"
#include "fixtures/scripted_server.hpp"
#include "results/statistics/moments.hpp"

namespace dbdyno {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr double ms = 1e6;

class coordinated_omission_on_sockets : public testing::TestWithParam<const char*> {};

TEST_P(coordinated_omission_on_sockets, does_not_happen) {
  server_script frozen = nine_keys();
  frozen.timing = {.service = milliseconds(1),
                   .expected_every = milliseconds(2),
                   .freezes = {{milliseconds(4000), milliseconds(5000)}}};
  row_result result;
  for (int attempt = 0; attempt < 3; ++attempt) {
    const theft cpu_time;
    const scripted_program server(frozen);
    row_plan plan = plan_for(GetParam(), server.tcp());
    plan.rate = planned_rate{.per_second = 500};
    plan.duration = seconds(10);
    result = run(GetParam(), plan);
    ASSERT_EQ(result.error, "");
    // A machine whose host takes a CPU away stands still by itself, which shows in every request or at the
    // end.
    const bool stood_still = result.keeping.never_sent != 0 || *result.times.ok.percentile(50) > 1'600'000;
    if (!stood_still || !cpu_time.noticed()) break;
  }
  EXPECT_NEAR(static_cast<double>(result.counts.issued()), 5000, 2);
  EXPECT_EQ(result.keeping.never_sent, 0U);
  const auto at = [&](double percent) {
    return static_cast<double>(*result.times.ok.percentile(percent)) / ms;
  };
  EXPECT_GE(at(50), 1.0);
  EXPECT_LE(at(50), 1.6);
  EXPECT_NEAR(at(90), 501, 501 * 0.02);
  EXPECT_NEAR(at(99), 951, 951 * 0.02);
  EXPECT_NEAR(at(99.9), 997, 997 * 0.02);
  EXPECT_NEAR(static_cast<double>(result.times.ok.max()) / ms, 1001, 1001 * 0.02);
  // Only the one request that was under way then took long in itself.
  std::uint64_t long_ones = 0;
  for (std::size_t i = results::histogram::index_of(500'000'000); i < results::histogram::size; ++i)
    long_ones += result.times.service.count_at(i);
  EXPECT_EQ(long_ones, 1U);
}

INSTANTIATE_TEST_SUITE_P(, coordinated_omission_on_sockets,
                         testing::Values("get/redis/wire/sync", "get/redis/hiredis/sync",
                                         "get/redis/wire/async"),
                         [](const auto& of) {
                           std::string name = of.param;
                           std::replace(name.begin(), name.end(), '/', '_');
                           return name;
                         });

TEST(rate, is_what_the_servers_grid_of_10_ms_allows) {
  for (const loop_shape& shape :
       {loop_shape{"get/redis/wire/sync", 4, 4}, loop_shape{"get/redis/wire/async", 1, 4},
        loop_shape{"get/redis/hiredis/async", 1, 4}, loop_shape{"get/redis/wire/async", 2, 4}}) {
    server_script on_a_grid = nine_keys();
    on_a_grid.timing.grid = milliseconds(10);
    // A machine whose host takes a CPU away for more than 10 ms loses points of the grid; nothing gains any.
    double rate = 0;
    bool excused = true;
    for (int attempt = 0; attempt < 4 && rate < 398 && excused; ++attempt) {
      const theft cpu_time;
      scripted_program server(on_a_grid);
      row_plan plan = plan_for(shape.cell, server.tcp());
      plan.what.threads = shape.threads;
      plan.what.connections = shape.connections;
      plan.duration = seconds(3);
      const row_result result = run(shape.cell, plan);
      ASSERT_EQ(result.error, "");
      rate = result.operations_per_second;
      excused = cpu_time.noticed();
      EXPECT_LT(rate, 402);
      const scripted_counts counted = server.stop();
      EXPECT_EQ(counted.gets, result.counts.issued());
      EXPECT_EQ(counted.replies, result.counts.operations());
    }
    EXPECT_NEAR(rate, 400, 2) << shape.cell << " with " << shape.threads << " threads";
  }
}

TEST(littles_law, holds_when_the_server_stands_still_at_the_end_of_the_window) {
  for (const char* cell : {"get/redis/wire/async", "get/redis/wire/pipeline"}) {
    server_script frozen = nine_keys();
    frozen.timing = {.service = milliseconds(1), .freezes = {{milliseconds(400), milliseconds(1400)}}};
    const scripted_program server(frozen);
    row_plan plan = plan_for(cell, server.tcp());
    plan.what.depth = 4;
    plan.duration = milliseconds(500);
    const row_result result = run(cell, plan);
    ASSERT_EQ(result.error, "");
    EXPECT_GT(result.times.ok.max(), 900'000'000U) << "what the drain waited for belongs to the latencies";
    EXPECT_NEAR(static_cast<double>(result.in_flight.time.count()),
                static_cast<double>(result.in_flight.room.count()),
                0.05 * static_cast<double>(result.in_flight.room.count()))
        << cell;
  }
}

TEST(bytes, are_what_the_protocols_arithmetic_says) {
  for (const auto& [cell, sent, received] :
       {std::tuple{"get/redis/wire/sync", 27U, 108U}, std::tuple{"get/redis/hiredis/pipeline", 27U, 108U},
        std::tuple{"get/redis/wire/async", 27U, 108U}, std::tuple{"set/redis/wire/sync", 27U + 108U, 5U}}) {
    SCOPED_TRACE(cell);
    const scripted_server server(nine_keys());
    row_plan plan = plan_for(cell, server.tcp());
    plan.requests = 1000;
    const row_result result = run(cell, plan);
    ASSERT_TRUE(result.costs.bytes);
    EXPECT_EQ(result.costs.bytes->sent, 1000U * sent);
    EXPECT_EQ(result.costs.bytes->received, 1000U * received);
  }
  server_script other = nine_keys();
  other.protocol = scripted_protocol::handlersocket;
  const scripted_server server(other);
  row_plan plan = plan_for("get/handlersocket/native/pipeline", server.tcp());
  plan.requests = 1000;
  const row_result result = run("get/handlersocket/native/pipeline", plan);
  ASSERT_TRUE(result.costs.bytes);
  // "1 TAB = TAB 1 TAB id LF" and "0 TAB 1 TAB value LF"
  EXPECT_EQ(result.costs.bytes->sent, 1000U * 8);
  EXPECT_EQ(result.costs.bytes->received, 1000U * (5 + 100));
}

/// What one side does before every request: long beside what a cold cache costs.
constexpr milliseconds burnt{1};

/// Waits so long before every get, burning CPU time or not.
template <bool Burns>
class delayed_driver : public redis_wire::sync {
 public:
  using redis_wire::sync::sync;
  op_status get(const key& k, std::string_view& value) noexcept {
    if constexpr (Burns) {
      burn();
    } else {
      const timespec length{0, std::chrono::nanoseconds(burnt).count()};
      ::clock_nanosleep(CLOCK_MONOTONIC, 0, &length, nullptr);
    }
    return redis_wire::sync::get(k, value);
  }

 private:
  static std::int64_t cpu_now() noexcept {
    timespec t{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return t.tv_sec * 1'000'000'000 + t.tv_nsec;
  }
  static void burn() noexcept {
    const std::int64_t until = cpu_now() + std::chrono::nanoseconds(burnt).count();
    while (cpu_now() < until) {
    }
  }
};

/// A cell, and what each of its repetitions cost an operation on either side. Units: nanoseconds.
struct contender {
  thread_runner run;
  const scripted_program& server;
  std::vector<double> client{};
  std::vector<double> at_server{};
};

/// How much more one contender cost than another: the median over what ran beside each other, so that a drift
/// of the machine cancels out.
double more(const std::vector<double>& with, const std::vector<double>& without) {
  std::vector<double> differences;
  for (std::size_t i = 0; i < with.size(); ++i) differences.push_back(with[i] - without[i]);
  return *results::median(differences);
}

/// Keeps this thread, and whatever it starts, on one CPU while it lives, and that CPU awake.
class one_busy_cpu {
 public:
  one_busy_cpu() {
    EXPECT_EQ(::sched_getaffinity(0, sizeof before_, &before_), 0);
    cpu_set_t one;
    CPU_ZERO(&one);
    int first = 0;
    while (!CPU_ISSET(first, &before_)) ++first;
    CPU_SET(first, &one);
    EXPECT_EQ(::sched_setaffinity(0, sizeof one, &one), 0);
    filler_ = std::jthread([](const std::stop_token& stop) {
      const sched_param none{};
      EXPECT_EQ(::pthread_setschedparam(::pthread_self(), SCHED_IDLE, &none), 0);
      while (!stop.stop_requested()) {
      }
    });
  }
  one_busy_cpu(const one_busy_cpu&) = delete;
  one_busy_cpu& operator=(const one_busy_cpu&) = delete;
  ~one_busy_cpu() { ::sched_setaffinity(0, sizeof before_, &before_); }

 private:
  cpu_set_t before_{};
  std::jthread filler_;
};

// The burning side is compared with the same cell without it. The other side is compared with a cell that
// waits as long without burning, since after a while without it a CPU's caches hold other things. All of it
// on one CPU that is never idle: to wake one that is costs whoever does it more than what is looked for here.
TEST(cpu_time, is_charged_to_the_side_that_burnt_it) {
  const one_busy_cpu pinned;
  server_script delays = nine_keys();
  delays.timing.service = burnt;
  server_script burns = nine_keys();
  burns.cpu_per_request = burnt;
  const scripted_program prompt_server(nine_keys());
  const scripted_program delaying_server(delays);
  const scripted_program burning_server(burns);
  const thread_runner prompt = find_runner("get/redis/wire/sync").run;
  contender plain{prompt, prompt_server};
  contender at_server[] = {{prompt, delaying_server}, {prompt, burning_server}};
  contender at_client[] = {{run_thread<redis_wire, delayed_driver<false>, get_workload>, prompt_server},
                           {run_thread<redis_wire, delayed_driver<true>, get_workload>, prompt_server}};
  constexpr int requests = 200;
  watchdog dog(seconds(5));
  for (int repetition = 0; repetition < 15; ++repetition) {
    for (contender* one : {&plain, &at_server[0], &at_server[1], &at_client[0], &at_client[1]}) {
      row_plan plan = plan_for("get/redis/wire/sync", one->server.tcp());
      plan.requests = requests;
      plan.server = one->server.pid();
      const row_result result = run_row(one->run, plan, dog);
      ASSERT_EQ(result.error, "");
      ASSERT_TRUE(result.costs.server.cpu);
      one->client.push_back(result.client_cpu_per_operation());
      one->at_server.push_back(static_cast<double>(result.costs.server.cpu->count()) / requests);
    }
  }
  constexpr double all = std::chrono::nanoseconds(burnt).count();
  EXPECT_NEAR(more(at_server[1].at_server, plain.at_server), all, 0.03 * all);
  EXPECT_NEAR(more(at_server[1].client, at_server[0].client), 0, 0.01 * all);
  EXPECT_NEAR(more(at_client[1].client, plain.client), all, 0.03 * all);
  EXPECT_NEAR(more(at_client[1].at_server, at_client[0].at_server), 0, 0.01 * all);
  RecordProperty("burnt_at_server",
                 fmt::format("{:.0f} {:.0f}", more(at_server[1].at_server, plain.at_server),
                             more(at_server[1].client, at_server[0].client)));
  RecordProperty("burnt_at_client", fmt::format("{:.0f} {:.0f}", more(at_client[1].client, plain.client),
                                                more(at_client[1].at_server, at_client[0].at_server)));
}

}  // namespace
}  // namespace dbdyno
