// The whole way from a driver's socket to the figures of a row, against a server that does what a script
// says: what comes out must be what was put in.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <ctime>

#include "bench/find_runner.hpp"
#include "bench/get.hpp"
#include "bench/run_row.hpp"
#include "bench/run_thread.hpp"
#include "drivers/redis/client.hpp"
#include "drivers/redis/wire/driver.hpp"
#include "fixtures/eventually.hpp"
#include "fixtures/redis_server.hpp"
#include "fixtures/scripted_program.hpp"
#include "fixtures/scripted_server.hpp"
#include "results/statistics.hpp"

namespace dbdyno {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr double ms = 1e6;

/// Keys of one digit: all requests are equally long.
const data_set nine(9, 100, 1);

server_script script() {
  server_script out;
  out.data = nine;
  return out;
}

row_plan plan_for(const std::string& name, const target& where) {
  row_plan out;
  out.what.mode = find_runner(name).mode;
  out.where = where;
  out.data = nine;
  out.clock = tick_clock::calibrated();
  out.first_reconnect_delay = milliseconds(0);
  return out;
}

row_result run(const std::string& name, const row_plan& plan, milliseconds timeout = seconds(5)) {
  watchdog dog(timeout);
  row_result result = run_row(find_runner(name).run, plan, dog);
  EXPECT_TRUE(result.counts.balanced()) << name;
  EXPECT_EQ(result.times.ok.count(), result.counts.operations()) << name;
  EXPECT_EQ(result.times.failed.count() + result.counts.of(op_status::connect), result.counts.errors())
      << name;
  return result;
}

class coordinated_omission_on_sockets : public testing::TestWithParam<const char*> {};

TEST_P(coordinated_omission_on_sockets, does_not_happen) {
  server_script frozen = script();
  frozen.timing = {.service = milliseconds(1),
                   .expected_every = milliseconds(2),
                   .freezes = {{milliseconds(4000), milliseconds(5000)}}};
  const scripted_program server(frozen);
  row_plan plan = plan_for(GetParam(), server.tcp());
  plan.rate = planned_rate{.per_second = 500};
  plan.duration = seconds(10);
  const row_result result = run(GetParam(), plan);
  ASSERT_EQ(result.error, "");
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

struct loop_shape {
  const char* cell;
  std::uint32_t threads;
  std::uint32_t connections;
};

TEST(rate, is_what_the_servers_grid_of_10_ms_allows) {
  for (const loop_shape& shape :
       {loop_shape{"get/redis/wire/sync", 4, 4}, loop_shape{"get/redis/wire/async", 1, 4},
        loop_shape{"get/redis/hiredis/async", 1, 4}, loop_shape{"get/redis/wire/async", 2, 4}}) {
    server_script on_a_grid = script();
    on_a_grid.timing.grid = milliseconds(10);
    scripted_program server(on_a_grid);
    row_plan plan = plan_for(shape.cell, server.tcp());
    plan.what.threads = shape.threads;
    plan.what.connections = shape.connections;
    plan.duration = seconds(3);
    const row_result result = run(shape.cell, plan);
    ASSERT_EQ(result.error, "");
    EXPECT_NEAR(result.operations_per_second, 400, 2)
        << shape.cell << " with " << shape.threads << " threads";
    const scripted_counts counted = server.stop();
    EXPECT_EQ(counted.gets, result.counts.issued());
    EXPECT_EQ(counted.replies, result.counts.operations());
  }
}

/// What 1,000 faults of one kind come to.
struct failing {
  const char* cell;
  fault_kind fault;
  op_status expected;
};

TEST(errors, of_each_class_are_counted_exactly) {
  for (const failing& how : {
           failing{"get/redis/wire/sync", fault_kind::refuse, op_status::refused},
           failing{"get/redis/wire/sync", fault_kind::cut, op_status::disconnected},
           failing{"get/redis/wire/sync", fault_kind::cut_midway, op_status::disconnected},
           failing{"get/redis/wire/sync", fault_kind::reset, op_status::disconnected},
           failing{"set/redis/wire/sync", fault_kind::cut, op_status::unknown},
           failing{"get/redis/wire/sync", fault_kind::garble, op_status::protocol},
           failing{"get/redis/wire/sync", fault_kind::wrong_value, op_status::wrong_reply},
           failing{"get/redis/wire/sync", fault_kind::wrong_type, op_status::wrong_reply},
           failing{"get/redis/wire/sync", fault_kind::miss, op_status::not_found},
           failing{"get/redis/hiredis/sync", fault_kind::refuse, op_status::refused},
           failing{"get/redis/hiredis/sync", fault_kind::cut, op_status::disconnected},
           failing{"set/redis/hiredis/sync", fault_kind::reset, op_status::unknown},
           failing{"get/redis/hiredis/sync", fault_kind::garble, op_status::protocol},
           failing{"get/redis/wire/async", fault_kind::refuse, op_status::refused},
           failing{"get/redis/wire/async", fault_kind::cut, op_status::disconnected},
           failing{"set/redis/wire/async", fault_kind::cut_midway, op_status::unknown},
           failing{"get/redis/wire/async", fault_kind::garble, op_status::protocol},
           failing{"get/redis/hiredis/async", fault_kind::cut, op_status::disconnected},
           failing{"get/redis/hiredis/async", fault_kind::garble, op_status::protocol},
           failing{"get/redis/wire/pipeline", fault_kind::cut, op_status::disconnected},
           failing{"get/redis/hiredis/pipeline", fault_kind::refuse, op_status::refused},
       }) {
    SCOPED_TRACE(std::string(how.cell) + " " + std::string(to_string(how.fault)));
    server_script broken = script();
    broken.faults = {{.kind = how.fault, .which = from_to(500, 1500)}};
    scripted_server server(broken);
    row_plan plan = plan_for(how.cell, server.tcp());
    plan.requests = 2000;
    plan.max_errors = {.requests = 1000};
    const row_result result = run(how.cell, plan);
    EXPECT_EQ(result.error, "");
    EXPECT_EQ(result.counts.issued(), 2000U);
    EXPECT_EQ(result.counts.of(how.expected), 1000U);
    EXPECT_EQ(result.counts.operations(), 1000U);
    const scripted_counts counted = server.counts();
    EXPECT_EQ(counted.gets + counted.sets, 2000U);
    EXPECT_EQ(counted.of(how.fault), 1000U);
    EXPECT_EQ(result.reconnects, ends_connection(how.expected) ? 1000U : 0U);
    if (how.fault == fault_kind::refuse) {
      EXPECT_EQ(result.counts.refusals().at("ERR"), 1000U);
    }
  }
}

TEST(errors, that_are_timeouts_are_counted_exactly) {
  for (const loop_shape& shape :
       {loop_shape{"get/redis/wire/sync", 4, 4}, loop_shape{"get/redis/hiredis/sync", 4, 4},
        loop_shape{"set/redis/wire/async", 1, 10}, loop_shape{"get/redis/hiredis/async", 1, 10},
        loop_shape{"get/redis/wire/pipeline", 4, 4}}) {
    SCOPED_TRACE(shape.cell);
    server_script stalling = script();
    stalling.faults = {{.kind = fault_kind::stall, .which = from_to(100, 1100)}};
    scripted_server server(stalling);
    row_plan plan = plan_for(shape.cell, server.tcp());
    plan.what.threads = shape.threads;
    plan.what.connections = shape.connections;
    plan.requests = 2000;
    plan.max_errors = {.requests = 1000};
    const row_result result = run(shape.cell, plan, milliseconds(20));
    EXPECT_EQ(result.error, "");
    EXPECT_EQ(result.counts.of(op_status::timeout), 1000U);
    EXPECT_EQ(result.counts.operations(), 1000U);
    EXPECT_EQ(server.counts().of(fault_kind::stall), 1000U);
    EXPECT_EQ(result.reconnects, 1000U);
    EXPECT_GE(result.times.failed.percentile(0), 20'000'000U);
  }
}

TEST(errors, that_are_failures_to_connect_are_counted_exactly) {
  for (const char* cell : {"get/redis/wire/sync", "get/redis/wire/pipeline", "get/redis/wire/async",
                           "get/redis/hiredis/sync", "get/redis/hiredis/async"}) {
    SCOPED_TRACE(cell);
    server_script dropping = script();
    dropping.faults = {{.kind = fault_kind::cut, .which = from_to(100, 101)}};
    dropping.dropped_connections = {from_to(1, 1001)};
    scripted_server server(dropping);
    row_plan plan = plan_for(cell, server.tcp());
    plan.requests = 2000;
    plan.max_errors = {.requests = 1001};
    const row_result result = run(cell, plan);
    EXPECT_EQ(result.error, "");
    EXPECT_EQ(result.counts.of(op_status::connect), 1000U);
    EXPECT_EQ(result.counts.of(op_status::disconnected), 1U);
    EXPECT_EQ(result.counts.operations(), 999U);
    EXPECT_EQ(server.counts().dropped_connections, 1000U);
    EXPECT_EQ(result.reconnects, 1U);
    EXPECT_GT(result.downtime.count(), 0);
  }
}

TEST(errors, on_one_connection_take_those_in_flight_on_it_along_and_no_others) {
  server_script broken = script();
  broken.faults = {{.kind = fault_kind::cut, .which = from_to(1000, 1001)}};
  scripted_server server(broken);
  row_plan plan = plan_for("set/redis/wire/async", server.tcp());
  plan.what.connections = 4;
  plan.what.depth = 16;
  plan.requests = 4000;
  plan.max_errors = {.percent = 1};
  const row_result result = run("set/redis/wire/async", plan);
  EXPECT_EQ(result.error, "");
  EXPECT_EQ(result.counts.issued(), 4000U);
  EXPECT_GE(result.counts.errors(), 1U);
  EXPECT_LE(result.counts.errors(), 16U);
  EXPECT_GE(result.counts.of(op_status::unknown), 1U);
  EXPECT_EQ(result.counts.of(op_status::disconnected), 0U) << "a set is unknown";
  EXPECT_EQ(result.reconnects, 1U);
}

TEST(errors, beyond_the_budget_end_the_row) {
  for (const error_limit& limit : {error_limit{.requests = 9}, error_limit{.percent = 0.4}}) {
    server_script broken = script();
    broken.faults = {{.kind = fault_kind::refuse, .which = from_to(500, 510)}};
    scripted_server server(broken);
    row_plan plan = plan_for("get/redis/wire/sync", server.tcp());
    plan.requests = 2000;
    plan.max_errors = limit;
    const row_result result = run("get/redis/wire/sync", plan);
    // 0.4 % of 2,000 are 8.
    EXPECT_THAT(result.error, testing::HasSubstr(limit.percent ? "9 refused" : "10 refused"));
    EXPECT_THAT(result.error, testing::HasSubstr("ERR scripted"));
    EXPECT_EQ(result.counts.issued(), limit.percent ? 509U : 510U);
  }
}

TEST(errors, end_a_row_without_a_length_once_the_server_has_been_gone_for_long) {
  auto server = std::make_unique<scripted_server>(script());
  row_plan plan = plan_for("get/redis/wire/sync", server->tcp());
  plan.requests = 1'000'000'000;
  plan.max_errors = {.percent = 100};
  plan.first_reconnect_delay = milliseconds(1);
  std::thread goes([&] {
    EXPECT_TRUE(eventually(seconds(10), [&] { return server->counts().gets > 100; }));
    server.reset();
  });
  const auto begin = std::chrono::steady_clock::now();
  const row_result result = run("get/redis/wire/sync", plan, milliseconds(200));
  goes.join();
  EXPECT_THAT(result.error, testing::HasSubstr("no connection for 2.2 s: "));
  EXPECT_LT(std::chrono::steady_clock::now() - begin, seconds(10));
}

TEST(littles_law, holds_when_the_server_stands_still_at_the_end_of_the_window) {
  for (const char* cell : {"get/redis/wire/async", "get/redis/wire/pipeline"}) {
    server_script frozen = script();
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
    const scripted_server server(script());
    row_plan plan = plan_for(cell, server.tcp());
    plan.requests = 1000;
    const row_result result = run(cell, plan);
    ASSERT_TRUE(result.costs.bytes);
    EXPECT_EQ(result.costs.bytes->sent, 1000U * sent);
    EXPECT_EQ(result.costs.bytes->received, 1000U * received);
  }
  server_script other = script();
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

/// Waits 300 us before every get, burning CPU time or not.
template <bool Burns>
class delayed_driver : public redis_wire::sync {
 public:
  using redis_wire::sync::sync;
  op_status get(const key& k, std::string_view& value) noexcept {
    if constexpr (Burns) {
      burn();
    } else {
      const timespec length{0, 300'000};
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
    const std::int64_t until = cpu_now() + 300'000;
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

// The burning side is compared with the same cell without it. The other side is compared with a cell that
// waits as long without burning, since whoever sleeps for longer also pays more for being woken.
TEST(cpu_time, is_charged_to_the_side_that_burnt_it) {
  server_script delays = script();
  delays.timing.service = microseconds(300);
  server_script burns = script();
  burns.cpu_per_request = microseconds(300);
  const scripted_program prompt_server(script());
  const scripted_program delaying_server(delays);
  const scripted_program burning_server(burns);
  const thread_runner prompt = find_runner("get/redis/wire/sync").run;
  contender plain{prompt, prompt_server};
  contender at_server[] = {{prompt, delaying_server}, {prompt, burning_server}};
  contender at_client[] = {{run_thread<redis_wire, delayed_driver<false>, get_workload>, prompt_server},
                           {run_thread<redis_wire, delayed_driver<true>, get_workload>, prompt_server}};
  watchdog dog(seconds(5));
  for (int repetition = 0; repetition < 7; ++repetition) {
    for (contender* one : {&plain, &at_server[0], &at_server[1], &at_client[0], &at_client[1]}) {
      row_plan plan = plan_for("get/redis/wire/sync", one->server.tcp());
      plan.requests = 1000;
      plan.server = one->server.pid();
      const row_result result = run_row(one->run, plan, dog);
      ASSERT_EQ(result.error, "");
      ASSERT_TRUE(result.costs.server.cpu);
      one->client.push_back(result.client_cpu_per_operation());
      one->at_server.push_back(static_cast<double>(result.costs.server.cpu->count()) / 1000);
    }
  }
  const auto more = [](const std::vector<double>& with, const std::vector<double>& without) {
    return *results::median(with) - *results::median(without);
  };
  EXPECT_NEAR(more(at_server[1].at_server, plain.at_server), 300'000, 9'000);
  EXPECT_NEAR(more(at_server[1].client, at_server[0].client), 0, 3'000);
  EXPECT_NEAR(more(at_client[1].client, plain.client), 300'000, 9'000);
  EXPECT_NEAR(more(at_client[1].at_server, at_client[0].at_server), 0, 3'000);
}

struct in_flight_shape {
  const char* cell;
  std::uint32_t connections;
  std::uint32_t depth;
};

TEST(stopped_server, makes_timeouts_and_never_a_reply_to_another_request) {
  const redis_server server;
  const data_set data(100, 100, 1);
  for (const in_flight_shape& one :
       {in_flight_shape{"set/redis/wire/sync", 1, 1}, in_flight_shape{"set/redis/hiredis/sync", 1, 1},
        in_flight_shape{"set/redis/wire/async", 5, 8}, in_flight_shape{"set/redis/hiredis/async", 5, 8},
        in_flight_shape{"set/redis/wire/pipeline", 1, 8},
        in_flight_shape{"set/redis/hiredis/pipeline", 1, 8}}) {
    SCOPED_TRACE(one.cell);
    row_plan plan = plan_for(one.cell, server.tcp());
    plan.data = data;
    plan.what.connections = one.connections;
    plan.what.depth = one.depth;
    plan.duration = milliseconds(3000);
    plan.first_reconnect_delay = milliseconds(10);
    plan.max_errors = {.percent = 100};
    redis_client client("test", server.tcp(), seconds(5));
    client.command({"FLUSHALL"});
    std::jthread stopper([&] {
      // Once the first set has come: the row is connected.
      EXPECT_TRUE(eventually(seconds(20), [&] { return client.command({"DBSIZE"}).integer > 0; }));
      ::kill(server.pid(), SIGSTOP);
      std::this_thread::sleep_for(milliseconds(1500));
      ::kill(server.pid(), SIGCONT);
    });
    const auto begin = std::chrono::steady_clock::now();
    const row_result result = run(one.cell, plan, milliseconds(300));
    EXPECT_LT(std::chrono::steady_clock::now() - begin, milliseconds(3000 + 300 + 2000));
    EXPECT_EQ(result.error, "");
    EXPECT_GE(result.counts.of(op_status::timeout), one.connections);
    EXPECT_EQ(result.counts.of(op_status::wrong_reply), 0U);
    EXPECT_EQ(result.counts.of(op_status::protocol), 0U);
    EXPECT_GE(result.reconnects, one.connections);
    EXPECT_GT(result.downtime, milliseconds(500));
    EXPECT_GT(result.counts.operations(), 100U);
  }
}

TEST(silent_server, does_not_hold_a_row_up) {
  for (const char* cell :
       {"get/redis/wire/sync", "get/redis/wire/pipeline", "get/redis/wire/async", "get/redis/hiredis/sync",
        "get/redis/hiredis/pipeline", "get/redis/hiredis/async"}) {
    SCOPED_TRACE(cell);
    server_script silent = script();
    silent.faults = {{.kind = fault_kind::stall, .which = from_to(50, 1'000'000)}};
    const scripted_server server(silent);
    row_plan plan = plan_for(cell, server.tcp());
    plan.duration = milliseconds(300);
    const auto begin = std::chrono::steady_clock::now();
    const row_result result = run(cell, plan, milliseconds(500));
    EXPECT_LT(std::chrono::steady_clock::now() - begin, milliseconds(300 + 500 + 2000));
    EXPECT_THAT(result.error, testing::HasSubstr("1 timeout"));
  }
}

}  // namespace
}  // namespace dbdyno
