// A server that stands still for 5 s, with everybody connected: what was asked meanwhile times out, and no
// late reply is ever taken for that to another request.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <cstdint>
#include <fstream>
#include <functional>
#include <map>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "bench/scripted_rows.hpp"
#include "data-loaders/loader.hpp"
#include "drivers/mysql/session.hpp"
#include "drivers/redis/client.hpp"
#include "drivers/wire/local_listener.hpp"
#include "fixtures/eventually.hpp"
#include "fixtures/mariadb_server.hpp"
#include "fixtures/redis_server.hpp"
#include "fixtures/server_counters.hpp"

namespace dbdyno {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

const data_set hundred(100, 100, 1);

struct contender {
  std::string cell;
  target where;
  std::uint32_t connections = 1;
  std::uint32_t depth = 1;
};

/// How many connections of this machine lead to a port of 127.0.0.1. Source: proc(5), /proc/net/tcp.
std::size_t established_to(std::uint16_t port) {
  std::ifstream file("/proc/net/tcp");
  std::size_t count = 0;
  for (std::string line; std::getline(file, line);) {
    std::istringstream fields(line);
    std::string number;
    std::string local;
    std::string remote;
    std::string state;
    fields >> number >> local >> remote >> state;
    const auto colon = remote.find(':');
    if (state != "01" || colon == std::string::npos) continue;
    if (std::stoul(remote.substr(colon + 1), nullptr, 16) == port) ++count;
  }
  return count;
}

void load(const target& where) {
  make_loader(where, seconds(5))->load(hundred, true, {});
}

/// How many requests a server has served.
using request_count = std::function<std::uint64_t()>;

std::uint64_t served_by_redis(const target& where) {
  const resp_reply reply = redis_client("test", where, seconds(5)).command({"INFO", "all"});
  return parse_redis_counters(reply.text).commands.at("cmdstat_get");
}

std::uint64_t served_by_mariadb(const target& where) {
  std::uint64_t out = 0;
  mysql_session("test", where, seconds(5))
      .query("SHOW GLOBAL STATUS LIKE 'Questions'",
             [&](mysql_session::row columns) { out = std::stoull(std::string(columns[1].value_or("0"))); });
  return out;
}

/// Runs all contenders at once and stops the process for 5 s when every one of them is at work.
void expect_only_timeouts(const std::vector<contender>& contenders, pid_t server,
                          const request_count& served) {
  constexpr milliseconds duration{12'000};
  constexpr milliseconds timeout{500};
  constexpr milliseconds stopped{5000};
  std::vector<row_result> results(contenders.size());
  std::vector<milliseconds> took(contenders.size());
  {
    std::vector<std::jthread> rows;
    for (std::size_t i = 0; i < contenders.size(); ++i) {
      rows.emplace_back([&, i] {
        const contender& one = contenders[i];
        row_plan plan = plan_for(one.cell, one.where);
        plan.data = hundred;
        plan.what.connections = one.connections;
        plan.what.depth = one.depth;
        plan.duration = duration;
        plan.first_reconnect_delay = milliseconds(10);
        plan.max_errors = {.percent = 100};
        const auto begin = std::chrono::steady_clock::now();
        results[i] = run(one.cell, plan, timeout);
        took[i] = std::chrono::duration_cast<milliseconds>(std::chrono::steady_clock::now() - begin);
      });
    }
    const bool all_there = eventually(seconds(20), [&] {
      std::map<std::uint16_t, std::size_t> wanted;
      for (const contender& one : contenders) wanted[one.where.port] += one.connections;
      return std::all_of(wanted.begin(), wanted.end(),
                         [](const auto& port) { return established_to(port.first) >= port.second; });
    });
    EXPECT_TRUE(all_there);
    // Whoever is connected may be preparing statements yet, which takes a few requests: many times as many
    // are served meanwhile.
    const std::uint64_t before = served();
    EXPECT_TRUE(eventually(seconds(20), [&] { return served() >= before + 5000; }));
    ::kill(server, SIGSTOP);
    std::this_thread::sleep_for(stopped);
    ::kill(server, SIGCONT);
  }
  for (std::size_t i = 0; i < contenders.size(); ++i) {
    SCOPED_TRACE(contenders[i].cell);
    const row_result& result = results[i];
    EXPECT_EQ(result.error, "");
    EXPECT_LT(took[i], duration + timeout + seconds(2));
    EXPECT_GE(result.counts.of(op_status::timeout), contenders[i].connections)
        << result.counts.of(op_status::disconnected) << " disconnected, "
        << result.counts.of(op_status::unsent) << " unsent, " << result.counts.of(op_status::connect)
        << " not connected, longest " << result.times.ok.max() << " ns, " << result.reconnects
        << " reconnects";
    EXPECT_EQ(result.counts.of(op_status::wrong_reply), 0U);
    EXPECT_EQ(result.counts.of(op_status::protocol), 0U);
    EXPECT_GE(result.reconnects, contenders[i].connections);
    EXPECT_GT(result.downtime, seconds(2));
    EXPECT_GT(result.counts.operations(), 100U);
  }
}

TEST(stopped_server, makes_timeouts_and_never_a_reply_to_another_request_of_redis) {
  const redis_server server;
  const target where = server.tcp();
  load(where);
  expect_only_timeouts({{"get/redis/wire/sync", where},
                        {"get/redis/hiredis/sync", where},
                        {"get/redis/wire/async", where, 5, 8},
                        {"get/redis/hiredis/async", where, 5, 8},
                        {"get/redis/wire/pipeline", where, 1, 8},
                        {"get/redis/hiredis/pipeline", where, 1, 8}},
                       server.pid(), [&] { return served_by_redis(where); });
}

TEST(stopped_server, makes_timeouts_and_never_a_reply_to_another_request_of_mariadb) {
  const mariadb_server server;
  const target sql = server.mysql_tcp();
  const target native = server.handlersocket();
  load(sql);
  expect_only_timeouts({{"get/mysql/text/sync", sql},
                        {"get/mysql/binary/sync", sql},
                        {"get/mysql/text/async", sql, 5},
                        {"get/mysql/binary/async", sql, 5},
                        {"get/mysql/text/pipeline", sql, 1, 8},
                        {"get/handlersocket/native/sync", native},
                        {"get/handlersocket/native/async", native, 5, 8},
                        {"get/handlersocket/native/pipeline", native, 1, 8}},
                       server.pid(), [&] { return served_by_mariadb(sql); });
}

TEST(silent_server, does_not_hold_up_whoever_connects_to_it) {
  const local_listener nobody;
  for (const char* cell : {"get/mysql/text/sync", "get/mysql/binary/sync", "get/mysql/text/async",
                           "get/handlersocket/native/sync", "get/handlersocket/native/async",
                           "get/redis/wire/sync", "get/redis/hiredis/async"}) {
    SCOPED_TRACE(cell);
    const std::string name = cell;
    target where{.via = transport::tcp, .host = "127.0.0.1", .port = nobody.port()};
    where.storage = name.substr(4, name.find('/', 4) - 4);
    where.write_port = where.port;
    where.user = "somebody";
    where.password = "secret";
    where.database = "hs_test";
    row_plan plan = plan_for(name, where);
    plan.connect_timeout = milliseconds(300);
    plan.duration = milliseconds(200);
    const auto begin = std::chrono::steady_clock::now();
    const row_result result = run(name, plan);
    EXPECT_LT(std::chrono::steady_clock::now() - begin, seconds(3));
    EXPECT_NE(result.error, "");
    EXPECT_THAT(result.error, testing::Not(testing::HasSubstr("secret")));
    EXPECT_EQ(result.counts.issued(), 0U);
  }
}

}  // namespace
}  // namespace dbdyno
