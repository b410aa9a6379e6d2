#include "drivers/target.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "drivers/errors.hpp"

namespace dbdyno {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

std::string message_of(std::string_view url) {
  try {
    parse_target(url);
  } catch (const usage_error& error) {
    return error.what();
  }
  return "no usage_error";
}

struct well_formed {
  std::string_view url;
  target expected;
  std::string_view masked;
};
void PrintTo(const well_formed& value, std::ostream* out) {
  *out << value.url;
}

const std::vector<well_formed>& well_formed_urls() {
  static const std::vector<well_formed> all = {
      {"redis://127.0.0.1:6379",
       {.storage = "redis", .via = transport::tcp, .host = "127.0.0.1", .port = 6379},
       "redis://127.0.0.1:6379"},
      {"redis://:secret@example.org:1/15",
       {.storage = "redis",
        .via = transport::tcp,
        .host = "example.org",
        .port = 1,
        .password = "secret",
        .database = "15"},
       "redis://:***@example.org:1/15"},
      {"redis://:secret@[::1]:65535/0",
       {.storage = "redis",
        .via = transport::tcp,
        .host = "::1",
        .port = 65535,
        .password = "secret",
        .database = "0"},
       "redis://:***@[::1]:65535/0"},
      {"redis://me:secret@h:6379",
       {.storage = "redis",
        .via = transport::tcp,
        .host = "h",
        .port = 6379,
        .user = "me",
        .password = "secret"},
       "redis://me:***@h:6379"},
      {"redis+unix:///run/redis.sock",
       {.storage = "redis", .via = transport::unix_socket, .path = "/run/redis.sock"},
       "redis+unix:///run/redis.sock"},
      {"redis+unix:///run/re%20dis.sock?db=3&password=sec%26ret",
       {.storage = "redis",
        .via = transport::unix_socket,
        .path = "/run/re dis.sock",
        .password = "sec&ret",
        .database = "3"},
       "redis+unix://:***@/run/re%20dis.sock?db=3"},
      {"mysql://root:secret@127.0.0.1:3306/hs_test",
       {.storage = "mysql",
        .via = transport::tcp,
        .host = "127.0.0.1",
        .port = 3306,
        .user = "root",
        .password = "secret",
        .database = "hs_test"},
       "mysql://root:***@127.0.0.1:3306/hs_test"},
      {"mysql://root@[fe80::1]:3306/",
       {.storage = "mysql", .via = transport::tcp, .host = "fe80::1", .port = 3306, .user = "root"},
       "mysql://root@[fe80::1]:3306/"},
      {"mysql://root:secret@/hs_test?socket=/run/mysqld/mysqld.sock",
       {.storage = "mysql",
        .via = transport::unix_socket,
        .path = "/run/mysqld/mysqld.sock",
        .user = "root",
        .password = "secret",
        .database = "hs_test"},
       "mysql://root:***@/hs_test?socket=/run/mysqld/mysqld.sock"},
      {"mysql://root@/hs_test?socket=/run/a%26b",
       {.storage = "mysql",
        .via = transport::unix_socket,
        .path = "/run/a&b",
        .user = "root",
        .database = "hs_test"},
       "mysql://root@/hs_test?socket=/run/a%26b"},
      {"handlersocket://:secret@127.0.0.1:9998/hs_test?wr=9999",
       {.storage = "handlersocket",
        .via = transport::tcp,
        .host = "127.0.0.1",
        .port = 9998,
        .write_port = 9999,
        .password = "secret",
        .database = "hs_test"},
       "handlersocket://:***@127.0.0.1:9998/hs_test?wr=9999"},
      {"handlersocket://h:9998/d?wr=1",
       {.storage = "handlersocket",
        .via = transport::tcp,
        .host = "h",
        .port = 9998,
        .write_port = 1,
        .database = "d"},
       "handlersocket://h:9998/d?wr=1"},
      {"lmdb:///var/lib/bench%231",
       {.storage = "lmdb", .via = transport::in_process, .path = "/var/lib/bench#1"},
       "lmdb:///var/lib/bench%231"},
      {"echo://127.0.0.1:40123",
       {.storage = "echo", .via = transport::tcp, .host = "127.0.0.1", .port = 40123},
       "echo://127.0.0.1:40123"},
      {"echo://[::1]:1/",
       {.storage = "echo", .via = transport::tcp, .host = "::1", .port = 1},
       "echo://[::1]:1"},
      {"echo+unix:///run/e%20cho.sock",
       {.storage = "echo", .via = transport::unix_socket, .path = "/run/e cho.sock"},
       "echo+unix:///run/e%20cho.sock"},
  };
  return all;
}

class every_form : public testing::TestWithParam<well_formed> {
 protected:
  static void expect_same(const target& left, const target& right) {
    EXPECT_EQ(left.storage, right.storage);
    EXPECT_EQ(left.via, right.via);
    EXPECT_EQ(left.host, right.host);
    EXPECT_EQ(left.port, right.port);
    EXPECT_EQ(left.write_port, right.write_port);
    EXPECT_EQ(left.path, right.path);
    EXPECT_EQ(left.user, right.user);
    EXPECT_EQ(left.password, right.password);
    EXPECT_EQ(left.database, right.database);
  }
};

TEST_P(every_form, parses) {
  expect_same(parse_target(GetParam().url), GetParam().expected);
}

TEST_P(every_form, survives_a_round_trip) {
  expect_same(parse_target(GetParam().expected.url()), GetParam().expected);
}

TEST_P(every_form, is_masked) {
  EXPECT_EQ(GetParam().expected.masked(), GetParam().masked);
  EXPECT_THAT(mask_url(GetParam().url), AllOf(Not(HasSubstr("secret")), Not(HasSubstr("sec%26ret"))));
}

INSTANTIATE_TEST_SUITE_P(target, every_form, testing::ValuesIn(well_formed_urls()));

/// Every character that means something in a URL, between the halves of a recognizable word.
constexpr std::string_view troublesome_passwords[] = {
    "left@right", "left/right", "left:right", "left?right",  "left%right",  "left#right", "left&right",
    "left=right", "left[right", "left]right", "left://rght", "lef?t=right", "left right", "left\nright",
};

bool takes_a_password(const well_formed& form) {
  return form.expected.storage != "lmdb" && form.expected.storage != "echo";
}

TEST(target, survives_a_round_trip_with_any_password) {
  for (const std::string_view password : troublesome_passwords) {
    for (well_formed form : well_formed_urls()) {
      if (!takes_a_password(form)) continue;
      form.expected.password = password;
      EXPECT_EQ(parse_target(form.expected.url()).password, password) << form.url;
    }
  }
}

TEST(target, shows_no_part_of_any_password) {
  const auto shows_nothing = AllOf(Not(HasSubstr("lef")), Not(HasSubstr("ght")), HasSubstr("***"));
  for (const std::string_view password : troublesome_passwords) {
    for (well_formed form : well_formed_urls()) {
      if (!takes_a_password(form)) continue;
      form.expected.password = password;
      EXPECT_THAT(form.expected.masked(), shows_nothing);
      EXPECT_THAT(mask_url(form.expected.url()), shows_nothing);
    }
  }
}

TEST(mask_url, hides_passwords_that_are_not_encoded) {
  for (const std::string_view password : troublesome_passwords) {
    for (const auto& [front, back] : {
             std::pair<std::string, std::string>{"redis://:", "@host:6379/0"},
             {"redis://user:", "@[::1]:6379"},
             {"mysql://user:", "@/db?socket=/run/my.sock"},
             {"handlersocket://:", "@host:9998/db?wr=9999"},
             {"user:", "@host:6379"},
             {"redis+unix:///path?password=", ""},
             {"redis+unix:///path?db=1&password=", "&x=y"},
             {"redis+unix:///path?PASS=", ""},
         }) {
      const std::string url = front + std::string(password) + back;
      EXPECT_THAT(mask_url(url), AllOf(Not(HasSubstr("lef")), Not(HasSubstr("ght")), HasSubstr("***")))
          << url;
    }
  }
}

TEST(mask_url, hides_a_password_whose_host_was_forgotten) {
  EXPECT_EQ(mask_url("redis://:secret"), "redis://:***");
  EXPECT_EQ(mask_url("mysql://user:sec/ret"), "mysql://user:***");
}

TEST(mask_url, hides_a_password_that_stands_where_a_user_should) {
  EXPECT_EQ(mask_url("redis://secret@127.0.0.1:6379/0"), "redis://***@127.0.0.1:6379/0");
}

TEST(mask_url, shows_everything_else) {
  for (const std::string_view url :
       {"redis://127.0.0.1:6379/0", "redis://[::1]:6379", "127.0.0.1:6379", "redis+unix:///path?db=1",
        "handlersocket://h:9998/db?wr=9999", "lmdb:///dir", "lmdb", "", "://", "?", "@", "redis://@", "[",
        "redis://["}) {
    EXPECT_EQ(mask_url(url), url);
  }
  EXPECT_EQ(mask_url("redis://:secret@127.0.0.1:6379/0"), "redis://:***@127.0.0.1:6379/0");
  EXPECT_EQ(mask_url("redis://:p@ss@127.0.0.1:6379/0"), "redis://:***@127.0.0.1:6379/0");
  EXPECT_EQ(mask_url("mysql://u:secret@[::1]:3306/db"), "mysql://u:***@[::1]:3306/db");
}

struct malformed {
  std::string_view url;
  std::string_view problem;
  std::string_view form;
};
void PrintTo(const malformed& value, std::ostream* out) {
  *out << value.url;
}

class every_malformed_form : public testing::TestWithParam<malformed> {};

TEST_P(every_malformed_form, is_a_usage_error_with_url_problem_and_cure) {
  EXPECT_THAT(message_of(GetParam().url), AllOf(HasSubstr("malformed URL '" + mask_url(GetParam().url) + "'"),
                                                HasSubstr(GetParam().problem), HasSubstr(GetParam().form)));
}

constexpr std::string_view redis_form = "expected redis://[:password@]host:port[/db]";
constexpr std::string_view redis_unix_form = "expected redis+unix:///path[?db=N&password=P]";
constexpr std::string_view mysql_form =
    "expected mysql://user:password@host:port/db or mysql://user@/db?socket=/path";
constexpr std::string_view handlersocket_form = "expected handlersocket://:secret@host:9998/db?wr=9999";
constexpr std::string_view lmdb_form = "expected lmdb:///dir";
constexpr std::string_view echo_form = "expected echo://host:port";
constexpr std::string_view echo_unix_form = "expected echo+unix:///path";
constexpr std::string_view schemes =
    "expected redis://, redis+unix://, mysql://, handlersocket://, lmdb://, echo:// or echo+unix://";

INSTANTIATE_TEST_SUITE_P(
    target, every_malformed_form,
    testing::ValuesIn(std::vector<malformed>{
        {"", "no scheme", schemes},
        {"127.0.0.1:6379", "no scheme", schemes},
        {"redis:/h:1", "no scheme", schemes},
        {"://h:1", "unknown scheme", schemes},
        {"postgres://h:1", "unknown scheme", schemes},
        {"redis://", "no host", redis_form},
        {"redis:///0", "no host", redis_form},
        {"redis://:6379", "no host", redis_form},
        {"redis://[]:6379", "no host", redis_form},
        {"redis://h", "no port", redis_form},
        {"redis://[::1]", "no port", redis_form},
        {"redis://h:", "a port is a number from 1 to 65535", redis_form},
        {"redis://h:0", "a port is a number from 1 to 65535", redis_form},
        {"redis://h:65536", "a port is a number from 1 to 65535", redis_form},
        {"redis://h:99999999999999999999", "a port is a number from 1 to 65535", redis_form},
        {"redis://h:-1", "a port is a number from 1 to 65535", redis_form},
        {"redis://h:6379x", "a port is a number from 1 to 65535", redis_form},
        {"redis://::1:6379", "a port is a number from 1 to 65535", redis_form},
        {"redis://[::1:6379", "a [ without ]", redis_form},
        {"redis://[::1]6379", "only :port may follow the ]", redis_form},
        {"redis://h:6379/x", "the database is not a number", redis_form},
        {"redis://h:6379/-1", "the database is not a number", redis_form},
        {"redis://h:6379/4294967296", "the database is not a number", redis_form},
        {"redis://h:6379/0/1", "holds a /", redis_form},
        {"redis://h:6379?timeout=1", "unknown parameter", redis_form},
        {"redis://h:6379?timeout", "parameters are written name=value", redis_form},
        {"redis://:secret%4@h:6379", "two hexadecimal digits", redis_form},
        {"redis://:secret%@h:6379", "two hexadecimal digits", redis_form},
        {"redis://:%zzsecret@h:6379", "two hexadecimal digits", redis_form},
        {"redis://:secret%00@h:6379", "zero byte", redis_form},
        {"redis+unix://", "no socket path", redis_unix_form},
        {"redis+unix:///", "no socket path", redis_unix_form},
        {"redis+unix://h/path", "no socket path", redis_unix_form},
        {"redis+unix://:6379/path", "no socket path", redis_unix_form},
        {"redis+unix:///path?db=x", "the database is not a number", redis_unix_form},
        {"redis+unix:///path?wr=1", "unknown parameter", redis_unix_form},
        {"redis+unix:///path?db=1&db=2", "unknown parameter", redis_unix_form},
        {"mysql://h:3306/db", "no user", mysql_form},
        {"mysql://:secret@h:3306/db", "no user", mysql_form},
        {"mysql://u@/db", "no host", mysql_form},
        {"mysql://u@h/db", "no port", mysql_form},
        {"mysql://u@h:3306/db?socket=/path", "both a host and a socket", mysql_form},
        {"mysql://u@:3306/db?socket=/path", "both a host and a socket", mysql_form},
        {"mysql://u@/db?socket=path", "must be absolute", mysql_form},
        {"mysql://u@/db?socket=", "must be absolute", mysql_form},
        {"mysql://u@h:3306/a/b", "holds a /", mysql_form},
        {"mysql://u@h:3306/db?ssl=1", "unknown parameter", mysql_form},
        {"handlersocket://h:9998/db", "no port for writes (?wr=)", handlersocket_form},
        {"handlersocket://h:9998/db?wr=0", "a port is a number from 1 to 65535", handlersocket_form},
        {"handlersocket://h:9998/db?wr=x", "a port is a number from 1 to 65535", handlersocket_form},
        {"handlersocket://h/db?wr=9999", "no port", handlersocket_form},
        {"handlersocket://:9998/db?wr=9999", "no host", handlersocket_form},
        {"handlersocket://u:secret@h:9998/db?wr=9999", "knows no users", handlersocket_form},
        {"handlersocket://h:9998/db?wr=9999&x=1", "unknown parameter", handlersocket_form},
        {"lmdb://", "no directory", lmdb_form},
        {"lmdb:///", "no directory", lmdb_form},
        {"lmdb://dir", "no directory", lmdb_form},
        {"lmdb://u:secret@/dir", "knows no users", lmdb_form},
        {"lmdb:///dir?db=1", "unknown parameter", lmdb_form},
        {"echo://", "no host", echo_form},
        {"echo://h", "no port", echo_form},
        {"echo://h:0", "a port is a number from 1 to 65535", echo_form},
        {"echo://:secret@h:1", "knows no users", echo_form},
        {"echo://h:1/0", "no databases", echo_form},
        {"echo://h:1?db=1", "unknown parameter", echo_form},
        {"echo+unix://", "no socket path", echo_unix_form},
        {"echo+unix://h/path", "no socket path", echo_unix_form},
        {"echo+unix://:secret@/path", "knows no users", echo_unix_form},
        {"echo+unix:///path?db=1", "unknown parameter", echo_unix_form},
    }));

TEST(target, says_no_part_of_a_password_in_any_error) {
  for (const std::string_view password : troublesome_passwords) {
    for (const auto& [front, back] : {
             std::pair<std::string, std::string>{"redis://:", "@h:0"},
             {"redis://:", "@h"},
             {"redis://user:1/", "@h:1"},
             {"redis://user:1?", "=1@h:1"},
             {"redis://h:1/0?pass=", ""},
             {"redis+unix://:", "@/path?x=1"},
             {"redis+unix:///path?x=1&password=", ""},
             {"mysql://:", "@h:1/db"},
             {"mysql://user:", "@h:1/a/b"},
             {"mysql://user:1/", "@h:1"},
             {"handlersocket://:", "@h:1/db"},
             {"handlersocket://user:", "@h:1/db?wr=1"},
             {"postgres://user:", "@h:1/db"},
             {"user:", "@h:1/db"},
         }) {
      const std::string url = front + std::string(password) + back;
      EXPECT_THAT(message_of(url),
                  AllOf(HasSubstr("malformed URL"), Not(HasSubstr("lef")), Not(HasSubstr("ght"))))
          << url;
    }
  }
}

TEST(transport, is_spelled_as_in_benchmark_names) {
  EXPECT_EQ(to_string(transport::in_process), "in_process");
  EXPECT_EQ(to_string(transport::tcp), "tcp");
  EXPECT_EQ(to_string(transport::unix_socket), "unix");
}

}  // namespace
}  // namespace dbdyno
