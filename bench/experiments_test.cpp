// The workloads of the experiments on real servers: exact counts, answers that are wrong, servers that take
// no more connections.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "bench/scripted_rows.hpp"
#include "data-loaders/loader.hpp"
#include "drivers/mysql/session.hpp"
#include "drivers/redis/client.hpp"
#include "drivers/wire/local_listener.hpp"
#include "fixtures/mariadb_server.hpp"
#include "fixtures/redis_server.hpp"
#include "fixtures/user_rows.hpp"

namespace dbdyno {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using ::testing::HasSubstr;

const data_set thousand(1000, 100, 1);

void load(const target& where) {
  make_loader(where, seconds(5))->load(thousand, false, {});
}

row_plan plan_of(const std::string& name, const target& where) {
  row_plan plan = plan_for(name, where);
  plan.data = thousand;
  plan.what.connections = plan.what.mode == mode::async ? 3 : 1;
  plan.what.depth = 1;
  plan.what.multiget_keys = 10;
  plan.rows = user_rows_block();
  return plan;
}

void expect_all_right(const std::vector<std::string>& names, const target& where) {
  for (const std::string& name : names) {
    SCOPED_TRACE(name);
    for (const bool render : {false, true}) {
      row_plan plan = plan_of(name, where);
      plan.what.render = render;
      if (name.starts_with("rows_view"))
        plan.rows = make_loader(where, seconds(5))->read_rows(rows_source::view);
      plan.requests = 50;
      const row_result result = run(name, plan);
      EXPECT_EQ(result.error, "");
      EXPECT_EQ(result.counts.operations(), 50U);
      EXPECT_EQ(result.counts.issued(), 50U);
    }
  }
}

TEST(experiments, have_every_operation_right_on_redis) {
  const redis_server server;
  load(server.tcp());
  const std::vector<std::string> cells{"multiget/redis/wire/sync",     "multiget/redis/wire/pipeline",
                                       "multiget/redis/wire/async",    "multiget/redis/hiredis/sync",
                                       "multiget/redis/hiredis/async", "rows/redis/wire/sync",
                                       "rows/redis/wire/async",        "rows/redis/hiredis/sync",
                                       "connect/redis/wire/sync",      "connect/redis/hiredis/sync"};
  expect_all_right(cells, server.tcp());
  expect_all_right(cells, server.unix_socket());
}

TEST(experiments, have_every_operation_right_on_mariadb) {
  const mariadb_server server;
  load(server.mysql_tcp());
  const std::vector<std::string> cells{
      "multiget/mysql/text/sync",    "multiget/mysql/text/async",   "multiget/mysql/binary/sync",
      "multiget/mysql/binary/async", "rows/mysql/text/sync",        "rows/mysql/text/async",
      "rows/mysql/binary/sync",      "rows/mysql/binary/async",     "rows_view/mysql/text/sync",
      "rows_view/mysql/text/async",  "rows_view/mysql/binary/sync", "rows_view/mysql/binary/async",
      "connect/mysql/text/sync",     "connect/mysql/text/async",    "connect/mysql/binary/sync"};
  expect_all_right(cells, server.mysql_tcp());
  expect_all_right(cells, server.mysql_unix());
  expect_all_right({"multiget/handlersocket/native/sync", "multiget/handlersocket/native/pipeline",
                    "multiget/handlersocket/native/async", "connect/handlersocket/native/sync"},
                   server.handlersocket());
}

TEST(experiments, have_every_operation_right_in_this_process) {
  for (const char* name :
       {"multiget/null/null/sync", "multiget/memory/map/sync", "rows/null/null/sync", "rows/memory/map/sync"})
    expect_all_right({name},
                     {.storage = std::string(name).find("/null/") != std::string::npos ? "null" : "memory"});
}

TEST(multiget, counts_a_reply_that_lacks_a_value_as_a_miss) {
  const redis_server server;
  load(server.tcp());
  redis_client client("test", server.tcp(), seconds(5));
  for (std::uint32_t id = 1; id <= thousand.keys(); id += 20)
    client.command({"DEL", thousand.make_key(id).text()});
  for (const char* name : {"multiget/redis/wire/async", "multiget/redis/hiredis/sync"}) {
    row_plan plan = plan_of(name, server.tcp());
    plan.requests = 300;
    const row_result result = run(name, plan);
    EXPECT_EQ(result.error, "");
    EXPECT_GT(result.counts.misses(), 0U);
    EXPECT_GT(result.counts.operations(), 0U);
    EXPECT_EQ(result.counts.misses() + result.counts.operations(), 300U);
  }
}

TEST(rows, are_wrong_with_a_changed_or_a_missing_one) {
  const redis_server redis;
  const mariadb_server mariadb;
  load(redis.tcp());
  load(mariadb.mysql_tcp());
  redis_client client("test", redis.tcp(), seconds(5));
  client.command({"HSET", user_row_key(1), user_columns()[46].name, "x"});
  mysql_session session("test", mariadb.mysql_tcp(), seconds(5));
  session.execute("DELETE FROM hs_test.user_rows WHERE Host='host3.example'");
  for (const char* name :
       {"rows/redis/wire/sync", "rows/redis/wire/async", "rows/redis/hiredis/sync", "rows/mysql/text/sync",
        "rows/mysql/text/async", "rows/mysql/binary/sync", "rows/mysql/binary/async"}) {
    SCOPED_TRACE(name);
    const bool sql = std::string(name).find("mysql") != std::string::npos;
    row_plan plan = plan_of(name, sql ? mariadb.mysql_tcp() : redis.tcp());
    plan.requests = 1;
    const row_result result = run(name, plan);
    EXPECT_EQ(result.counts.of(op_status::wrong_reply), 1U);
    EXPECT_THAT(result.error, HasSubstr("wrong_reply"));
  }
}

TEST(connect, says_why_it_could_not) {
  const redis_server server;
  load(server.tcp());
  target nobody = server.tcp();
  nobody.port = 1;
  target sql{.storage = "mysql",
             .via = transport::tcp,
             .host = "127.0.0.1",
             .port = 1,
             .user = "u",
             .password = "s3cret"};
  for (const auto& [name, where] :
       {std::pair("connect/redis/wire/sync", nobody), std::pair("connect/mysql/text/sync", sql),
        std::pair("connect/mysql/text/async", sql)}) {
    SCOPED_TRACE(name);
    row_plan plan = plan_of(name, where);
    plan.requests = 3;
    watchdog dog(seconds(5));
    const row_result result = run_row(find_runner(name).run, plan, dog);
    EXPECT_TRUE(result.counts.balanced());
    EXPECT_GE(result.counts.of(op_status::connect), 1U);
    EXPECT_THAT(result.error, testing::AnyOf(HasSubstr("refused"), HasSubstr("2002"))) << result.error;
    EXPECT_THAT(result.error, testing::Not(HasSubstr("s3cret")));
  }
}

TEST(connect, gives_a_mute_server_up_in_time_though_the_watchdog_looks_meanwhile) {
  const local_listener mute;
  target where{
      .via = transport::tcp, .host = "127.0.0.1", .port = mute.port(), .user = "u", .password = "s3cret"};
  for (const char* name : {"connect/redis/wire/sync", "connect/redis/hiredis/sync", "connect/mysql/text/sync",
                           "connect/mysql/binary/sync"}) {
    SCOPED_TRACE(name);
    where.storage = std::string(name).find("mysql") != std::string::npos ? "mysql" : "redis";
    row_plan plan = plan_of(name, where);
    plan.requests = 2;
    plan.connect_timeout = seconds(1);
    plan.max_errors = {.percent = 100};
    // Far away, but it looks four times a second.
    watchdog dog(seconds(20));
    const auto begin = std::chrono::steady_clock::now();
    const row_result result = run_row(find_runner(name).run, plan, dog);
    EXPECT_LT(std::chrono::steady_clock::now() - begin, seconds(8));
    EXPECT_EQ(result.counts.of(op_status::connect), 2U) << result.error;
    EXPECT_TRUE(result.counts.balanced());
  }
}

struct shape {
  const char* name;
  std::uint32_t connections;
  std::uint32_t threads;
};

void expect_refused(const shape& of, const target& where, std::uint32_t taken, const char* said) {
  SCOPED_TRACE(of.name);
  row_plan plan = plan_of(of.name, where);
  plan.what.connections = of.connections;
  plan.what.threads = of.threads;
  plan.duration = milliseconds(300);
  watchdog dog(seconds(5));
  const row_result result = run_row(find_runner(of.name).run, plan, dog);
  EXPECT_EQ(result.error, "");
  EXPECT_EQ(result.refused_connections, of.connections - taken);
  EXPECT_EQ(result.counts.of(op_status::connect), of.connections - taken);
  EXPECT_EQ(result.counts.errors(), of.connections - taken);
  EXPECT_THAT(result.refusal, HasSubstr(said));
  EXPECT_GT(result.operations, 0U);
  EXPECT_TRUE(result.counts.balanced());
}

TEST(connection_limit, of_redis_is_met_exactly_and_the_others_go_on) {
  const redis_server server;
  load(server.tcp());
  redis_client("test", server.tcp(), seconds(5)).command({"CONFIG", "SET", "maxclients", "10"});
  for (const shape& of : {shape{"get/redis/wire/async", 15, 1}, shape{"get/redis/hiredis/async", 15, 1},
                          shape{"get/redis/wire/async", 15, 3}, shape{"get/redis/wire/async", 40, 4},
                          shape{"get/redis/wire/sync", 15, 15}})
    expect_refused(of, server.tcp(), 10, "max number of clients");
}

TEST(connection_limit, leaves_all_requests_to_the_threads_that_have_connections) {
  const redis_server server;
  load(server.tcp());
  redis_client("test", server.tcp(), seconds(5)).command({"CONFIG", "SET", "maxclients", "2"});
  row_plan plan = plan_of("get/redis/wire/sync", server.tcp());
  plan.what.connections = plan.what.threads = 5;
  plan.requests = 101;
  watchdog dog(seconds(5));
  row_result result = run_row(find_runner("get/redis/wire/sync").run, plan, dog);
  EXPECT_EQ(result.error, "");
  EXPECT_EQ(result.refused_connections, 3U);
  EXPECT_EQ(result.counts.operations(), 101U);

  plan.requests.reset();
  plan.rate = planned_rate{400, arrivals::constant};
  plan.duration = seconds(1);
  result = run_row(find_runner("get/redis/wire/sync").run, plan, dog);
  EXPECT_EQ(result.error, "");
  EXPECT_EQ(result.counts.operations() + result.keeping.never_sent, 400U);
}

TEST(connection_limit, of_mariadb_is_met_exactly_and_the_others_go_on) {
  const mariadb_server server;
  load(server.mysql_tcp());
  // One more is taken from a user with the right CONNECTION ADMIN, which this one has.
  mysql_session("test", server.mysql_tcp(), seconds(5)).execute("SET GLOBAL max_connections=10");
  for (const shape& of : {shape{"get/mysql/text/async", 15, 1}, shape{"get/mysql/binary/async", 15, 1},
                          shape{"get/mysql/text/async", 16, 2}, shape{"get/mysql/text/sync", 15, 15}})
    expect_refused(of, server.mysql_tcp(), 11, "1040");
}

}  // namespace
}  // namespace dbdyno
