// What goes wrong is counted exactly, whichever driver it happens to.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string_view>
#include <thread>

#include "bench/scripted_rows.hpp"
#include "fixtures/eventually.hpp"

namespace dbdyno {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

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
           failing{"get/handlersocket/native/sync", fault_kind::refuse, op_status::refused},
           failing{"get/handlersocket/native/sync", fault_kind::cut, op_status::disconnected},
           failing{"set/handlersocket/native/sync", fault_kind::cut_midway, op_status::unknown},
           failing{"get/handlersocket/native/sync", fault_kind::garble, op_status::protocol},
           failing{"get/handlersocket/native/sync", fault_kind::wrong_value, op_status::wrong_reply},
           failing{"get/handlersocket/native/sync", fault_kind::miss, op_status::not_found},
           failing{"get/handlersocket/native/pipeline", fault_kind::refuse, op_status::refused},
           failing{"get/handlersocket/native/async", fault_kind::cut, op_status::disconnected},
           failing{"set/handlersocket/native/async", fault_kind::reset, op_status::unknown},
       }) {
    SCOPED_TRACE(std::string(how.cell) + " " + std::string(to_string(how.fault)));
    server_script broken = nine_keys();
    if (std::string_view(how.cell).find("handlersocket") != std::string_view::npos)
      broken.protocol = scripted_protocol::handlersocket;
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
      const char* code = broken.protocol == scripted_protocol::redis ? "ERR" : "cmd";
      EXPECT_THAT(result.counts.refusals(), testing::ElementsAre(testing::Pair(code, 1000U)));
    }
  }
}

TEST(errors, that_are_timeouts_are_counted_exactly) {
  for (const loop_shape& shape :
       {loop_shape{"get/redis/wire/sync", 4, 4}, loop_shape{"get/redis/hiredis/sync", 4, 4},
        loop_shape{"set/redis/wire/async", 1, 10}, loop_shape{"get/redis/hiredis/async", 1, 10},
        loop_shape{"get/redis/wire/pipeline", 4, 4}}) {
    SCOPED_TRACE(shape.cell);
    server_script stalling = nine_keys();
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
    server_script dropping = nine_keys();
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
  server_script broken = nine_keys();
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
    server_script broken = nine_keys();
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
  auto server = std::make_unique<scripted_server>(nine_keys());
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

TEST(silent_server, does_not_hold_a_row_up) {
  for (const char* cell :
       {"get/redis/wire/sync", "get/redis/wire/pipeline", "get/redis/wire/async", "get/redis/hiredis/sync",
        "get/redis/hiredis/pipeline", "get/redis/hiredis/async"}) {
    SCOPED_TRACE(cell);
    server_script silent = nine_keys();
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
