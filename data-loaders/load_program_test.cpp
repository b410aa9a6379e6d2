// dbdyno-load as its users see it: exit codes and what is printed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "data-loaders/marker.hpp"
#include "drivers/mysql/session.hpp"
#include "drivers/redis/client.hpp"
#include "drivers/wire/local_listener.hpp"
#include "drivers/wire/unique_fd.hpp"
#include "fixtures/eventually.hpp"
#include "fixtures/free_port.hpp"
#include "fixtures/lmdb_directory.hpp"
#include "fixtures/mariadb_server.hpp"
#include "fixtures/redis_server.hpp"
#include "fixtures/running_program.hpp"

namespace dbdyno {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::MatchesRegex;
using testing::Not;

constexpr std::chrono::seconds timeout{10};

program_outcome run(std::vector<std::string> arguments) {
  return run_program(DBDYNO_LOAD_PATH, std::move(arguments));
}

TEST(dbdyno_load, ends_with_2_for_what_the_user_got_wrong) {
  const std::string redis = "redis://127.0.0.1:1";
  for (const auto& [arguments, named] : std::vector<std::pair<std::vector<std::string>, std::string>>{
           {{}, "--redis"},
           {{"--redis", redis, "--kesy", "1"}, "--kesy"},
           {{"--redis", redis, "--keys", "0"}, "--keys: '0'"},
           {{"--redis", redis, "--keys", "-1"}, "--keys: '-1'"},
           {{"--redis", redis, "--seed", "18446744073709551616"}, "--seed: '18446744073709551616'"},
           {{"--redis", redis, "--value-size", "big"}, "--value-size: 'big'"},
           {{"--redis", redis, "--keys"}, "--keys"},
           {{"--redis", "redis://:s3cret@127.0.0.1"}, "redis://:***@127.0.0.1"},
           {{"--redis", "127.0.0.1:6379"}, "no scheme"}}) {
    const program_outcome result = run(arguments);
    EXPECT_EQ(result.code, 2) << result.text;
    EXPECT_THAT(result.text,
                AllOf(testing::StartsWith("dbdyno-load: "), HasSubstr(named), Not(HasSubstr("s3cret"))));
    EXPECT_EQ(std::count(result.text.begin(), result.text.end(), '\n'), 1) << result.text;
  }
}

TEST(dbdyno_load, ends_with_0_after_help_and_version) {
  EXPECT_EQ(run({"--help"}).code, 0);
  const program_outcome version = run({"--version"});
  EXPECT_EQ(version.code, 0);
  EXPECT_THAT(version.text, testing::StartsWith("dbdyno-load "));
}

TEST(dbdyno_load, ends_with_4_where_nobody_listens_and_where_nobody_answers) {
  const std::string port = std::to_string(find_free_ports(1).front());
  for (const std::string& url :
       {"redis://:s3cret@127.0.0.1:" + port, "mysql://u:s3cret@127.0.0.1:" + port + "/hs_test"}) {
    const program_outcome result = run({"--" + url.substr(0, 5), url});
    EXPECT_EQ(result.code, 4) << result.text;
    EXPECT_THAT(result.text,
                AllOf(HasSubstr("cannot connect to"), HasSubstr(port), Not(HasSubstr("s3cret"))));
  }

  const local_listener silent;
  const std::string where = "127.0.0.1:" + std::to_string(silent.port());
  EXPECT_EQ(run({"--redis", "redis://" + where, "--connect-timeout", "0.2"}).code, 4);
  EXPECT_EQ(run({"--mysql", "mysql://u@" + where + "/", "--connect-timeout", "0.2"}).code, 4);
  EXPECT_EQ(run({"--handlersocket", "handlersocket://:s@" + where + "/?wr=1", "--verify", "--connect-timeout",
                 "0.2"})
                .code,
            4);
}

TEST(dbdyno_load, loads_every_storage_and_verifies_each_printing_no_secret) {
  const redis_server redis({.password = "s3cret"});
  const mariadb_server mariadb;
  const lmdb_directory lmdb;
  const std::vector<std::string> targets{"--redis",         redis.tcp().url(),
                                         "--mysql",         mariadb.mysql_unix().url(),
                                         "--handlersocket", mariadb.handlersocket().url(),
                                         "--lmdb",          lmdb.where().path};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), targets.begin(), targets.end());
    return run(more);
  };
  EXPECT_EQ(with({"--verify"}).code, 4);

  const program_outcome loaded = with({"--keys", "2000"});
  EXPECT_EQ(loaded.code, 0) << loaded.text;
  EXPECT_THAT(
      loaded.text,
      MatchesRegex(
          "redis redis://:[*]{3}@127.0.0.1:[0-9]+: 2,000 keys of 100 bytes loaded in [0-9.]+ s "
          "\\([0-9]+ k/s\\), verified, checksum (0x[0-9a-f]{16})\n"
          "mysql mysql://dbdyno:[*]{3}@/hs_test.socket=[^ ]+: 2,000 keys of 100 bytes loaded in [0-9.]+ s "
          "\\([0-9]+ k/s\\), verified, checksum (0x[0-9a-f]{16})\n"
          "lmdb lmdb://[^ ]+: 2,000 keys of 100 bytes loaded in [0-9.]+ s "
          "\\([0-9]+ k/s\\), verified, checksum (0x[0-9a-f]{16})\n"
          "handlersocket handlersocket://:[*]{3}@127.0.0.1:[0-9]+/hs_test.wr=[0-9]+: 2,000 keys of 100 "
          "bytes verified in [0-9.]+ s, checksum (0x[0-9a-f]{16})\n"));
  EXPECT_THAT(loaded.text, AllOf(Not(HasSubstr("s3cret")), Not(HasSubstr(mariadb.mysql_tcp().password)),
                                 Not(HasSubstr(mariadb.handlersocket().password))));

  EXPECT_EQ(with({"--verify"}).code, 0);
  EXPECT_EQ(with({"--verify", "--keys", "2001"}).code, 1);
  const program_outcome quiet = with({"--verify", "--quiet"});
  EXPECT_EQ(quiet.code, 0);
  EXPECT_THAT(quiet.text, IsEmpty());

  redis_client("test", redis.tcp(), timeout).command({"DEL", "dbdyno:2000"});
  const program_outcome damaged = with({"--verify"});
  EXPECT_EQ(damaged.code, 1);
  EXPECT_THAT(damaged.text, AllOf(HasSubstr("1,999 of 2,000 keys intact, 1 missing: run dbdyno-load again"),
                                  HasSubstr("lmdb lmdb://")));

  ASSERT_EQ(with({"--keys", "2000"}).code, 0);
  redis_client("test", redis.tcp(), timeout).command({"DEL", "dbdyno:user:3"});
  mysql_session("test", mariadb.mysql_unix(), timeout)
      .execute("UPDATE hs_test.user_rows SET User='x' WHERE Host LIKE 'host2%'");
  const program_outcome wrong_rows = with({"--verify"});
  EXPECT_EQ(wrong_rows.code, 1);
  EXPECT_THAT(wrong_rows.text, AllOf(HasSubstr("of the rows beside them there are 2 rows and not 3"),
                                     HasSubstr("row 2 has 'x' in column User")));
  EXPECT_EQ(with({"--keys", "2000"}).code, 0);
}

TEST(dbdyno_load, leaves_the_data_of_others_alone_unless_told_to_replace_it) {
  const redis_server redis;
  redis_client client("test", redis.tcp(), timeout);
  client.command({"SET", "dbdyno:5", "precious"});
  const program_outcome refused = run({"--redis", redis.tcp().url(), "--keys", "10"});
  EXPECT_EQ(refused.code, 4);
  EXPECT_THAT(refused.text, AllOf(HasSubstr("the key dbdyno:5"), HasSubstr("--replace")));
  EXPECT_EQ(client.command({"GET", "dbdyno:5"}).text, "precious");
  EXPECT_EQ(run({"--redis", redis.tcp().url(), "--keys", "10", "--replace"}).code, 0);
}

TEST(dbdyno_load, writes_nothing_before_all_targets_are_reached) {
  const redis_server redis;
  const std::string nobody = "mysql://u@127.0.0.1:" + std::to_string(find_free_ports(1).front()) + "/";
  EXPECT_EQ(run({"--redis", redis.tcp().url(), "--mysql", nobody}).code, 4);
  EXPECT_EQ(redis_client("test", redis.tcp(), timeout).command({"DBSIZE"}).integer, 0);
}

TEST(dbdyno_load, interrupted_ends_as_the_signal_says_and_is_completed_by_the_next) {
  const redis_server redis;
  redis_client client("test", redis.tcp(), timeout);
  for (const int signal : {SIGINT, SIGTERM}) {
    running_program program(DBDYNO_LOAD_PATH, {"--redis", redis.tcp().url(), "--keys", "5000000", "--quiet"});
    ASSERT_TRUE(eventually(timeout, [&] {
      return client.command({"GET", marker::key_text}).text == marker::loading;
    }));
    program.send(signal);
    EXPECT_EQ(program.wait(), 128 + signal);
    EXPECT_EQ(client.command({"GET", marker::key_text}).text, marker::loading);
    EXPECT_EQ(run({"--redis", redis.tcp().url(), "--verify"}).code, 4);
    EXPECT_EQ(run({"--redis", redis.tcp().url(), "--keys", "100"}).code, 0);
  }
}

}  // namespace
}  // namespace dbdyno
