#include "data-loaders/load_options.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <initializer_list>
#include <string>
#include <vector>

#include "drivers/errors.hpp"

namespace dbdyno {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

constexpr const char* redis_url = "redis://127.0.0.1:6379";
constexpr const char* mysql_url = "mysql://dbdyno:s3cret@127.0.0.1:3306/hs_test";
constexpr const char* handlersocket_url = "handlersocket://:s3cret@127.0.0.1:9998/hs_test?wr=9999";

class load_command : public testing::Test {
 protected:
  load_command() { clear(); }
  ~load_command() override { clear(); }

  static parsed_load_command parse(std::initializer_list<const char*> arguments) {
    std::vector<const char*> argv{"dbdyno-load"};
    argv.insert(argv.end(), arguments);
    return parse_load_command(static_cast<int>(argv.size()), argv.data());
  }
  static std::string refusal_of(std::initializer_list<const char*> arguments) {
    try {
      parse(arguments);
    } catch (const usage_error& error) {
      return error.what();
    }
    return "accepted";
  }

 private:
  static void clear() {
    for (const char* name :
         {"DBDYNO_REDIS_URL", "DBDYNO_MYSQL_URL", "DBDYNO_HANDLERSOCKET_URL", "DBDYNO_LMDB_URL"}) {
      ::unsetenv(name);
    }
  }
};

TEST_F(load_command, loads_the_default_data_set_into_the_target_named) {
  const load_options options = parse({"--redis", redis_url}).options;
  ASSERT_EQ(options.targets.size(), 1U);
  EXPECT_EQ(options.targets[0].url(), redis_url);
  EXPECT_EQ(options.data, data_set(100'000, 100, 1));
  EXPECT_FALSE(options.verify_only);
  EXPECT_FALSE(options.replace);
  EXPECT_FALSE(options.quiet);
  EXPECT_EQ(options.connect_timeout, std::chrono::seconds(3));
}

TEST_F(load_command, takes_every_flag) {
  const load_options options = parse({"--redis=redis://127.0.0.1:6379", "--keys", "7", "--value-size=16",
                                      "--seed", "0", "--connect-timeout", "0.25", "--replace", "--quiet"})
                                   .options;
  EXPECT_EQ(options.data, data_set(7, 16, 0));
  EXPECT_TRUE(options.replace);
  EXPECT_TRUE(options.quiet);
  EXPECT_EQ(options.connect_timeout, std::chrono::milliseconds(250));
}

TEST_F(load_command, fills_mysql_before_handlersocket_reads_it) {
  const load_options options = parse({"--handlersocket", handlersocket_url, "--mysql", mysql_url}).options;
  ASSERT_EQ(options.targets.size(), 2U);
  EXPECT_EQ(options.targets[0].storage, "mysql");
  EXPECT_EQ(options.targets[1].storage, "handlersocket");
}

TEST_F(load_command, takes_a_target_from_the_environment_unless_a_flag_names_one) {
  ::setenv("DBDYNO_REDIS_URL", "redis://127.0.0.1:1111", 1);
  ::setenv("DBDYNO_LMDB_URL", "/var/tmp/lmdb", 1);
  ::setenv("DBDYNO_MYSQL_URL", "", 1);
  const load_options from_environment = parse({}).options;
  ASSERT_EQ(from_environment.targets.size(), 2U);
  EXPECT_EQ(from_environment.targets[0].port, 1111);
  EXPECT_EQ(from_environment.targets[1].url(), "lmdb:///var/tmp/lmdb");
  EXPECT_EQ(parse({"--redis", "redis://127.0.0.1:2222"}).options.targets[0].port, 2222);
}

TEST_F(load_command, takes_a_plain_directory_for_lmdb) {
  EXPECT_EQ(parse({"--lmdb", "/var/tmp/x"}).options.targets[0].path, "/var/tmp/x");
  EXPECT_EQ(parse({"--lmdb", "lmdb:///var/tmp/x"}).options.targets[0].path, "/var/tmp/x");
  EXPECT_EQ(parse({"--lmdb", "some/where"}).options.targets[0].path,
            std::filesystem::current_path() / "some/where");
  EXPECT_THAT(refusal_of({"--lmdb", ""}), HasSubstr("--lmdb needs a value"));
  EXPECT_THAT(refusal_of({"--lmdb", redis_url}), HasSubstr("is the URL of a redis target"));
}

TEST_F(load_command, without_a_target_names_the_flags) {
  EXPECT_THAT(refusal_of({}),
              AllOf(HasSubstr("--redis URL"), HasSubstr("--mysql URL"), HasSubstr("--lmdb DIR")));
}

TEST_F(load_command, loads_no_handlersocket_table_without_mysql) {
  EXPECT_THAT(refusal_of({"--handlersocket", handlersocket_url}), HasSubstr("filled through mysql"));
  EXPECT_EQ(refusal_of({"--handlersocket", handlersocket_url, "--verify"}), "accepted");
}

TEST_F(load_command, refuses_numbers_naming_flag_and_range) {
  for (const char* number : {"0", "-1", "2147483648", "18446744073709551616", "many"}) {
    EXPECT_EQ(refusal_of({"--redis", redis_url, "--keys", number}),
              "--keys: '" + std::string(number) + "' is not a whole number from 1 to 2147483647");
  }
  EXPECT_THAT(refusal_of({"--redis", redis_url, "--value-size", "15"}), HasSubstr("--value-size: '15'"));
  EXPECT_THAT(refusal_of({"--redis", redis_url, "--value-size", "1025"}), HasSubstr("from 16 to 1024"));
  EXPECT_THAT(refusal_of({"--redis", redis_url, "--seed", "-1"}), HasSubstr("--seed: '-1'"));
  EXPECT_THAT(refusal_of({"--redis", redis_url, "--connect-timeout", "0"}),
              HasSubstr("--connect-timeout: '0'"));
  EXPECT_THAT(refusal_of({"--redis", redis_url, "--connect-timeout", "soon"}), HasSubstr("'soon'"));
}

TEST_F(load_command, refuses_an_unknown_flag_and_guesses_the_one_meant) {
  EXPECT_EQ(refusal_of({"--redis", redis_url, "--kesy", "5"}), "unknown flag --kesy; did you mean --keys?");
  EXPECT_EQ(refusal_of({"--redis", redis_url, "--verfy"}), "unknown flag --verfy; did you mean --verify?");
  EXPECT_EQ(refusal_of({"--redis", redis_url, "--quantum"}),
            "unknown flag --quantum; --help lists the flags");
  EXPECT_THAT(refusal_of({"--redis", redis_url, "-k5"}), HasSubstr("unknown flag -k5"));
}

TEST_F(load_command, refuses_a_flag_without_its_value_and_one_given_twice) {
  EXPECT_THAT(refusal_of({"--redis", redis_url, "--keys"}), HasSubstr("--keys"));
  EXPECT_THAT(refusal_of({"--keys", "1", "--redis", redis_url, "--keys", "2"}), HasSubstr("--keys"));
}

TEST_F(load_command, refuses_malformed_urls_and_shows_no_secret) {
  const std::string no_port = refusal_of({"--redis", "redis://:s3cret@127.0.0.1"});
  EXPECT_THAT(no_port,
              AllOf(HasSubstr("--redis: malformed URL"), HasSubstr("no port"), Not(HasSubstr("s3cret"))));
  EXPECT_THAT(refusal_of({"--redis", mysql_url}), AllOf(HasSubstr("mysql target"), Not(HasSubstr("s3cret"))));
  EXPECT_THAT(refusal_of({mysql_url}), AllOf(HasSubstr("follows no flag"), Not(HasSubstr("s3cret"))));
  EXPECT_THAT(refusal_of({"--msql=mysql://dbdyno:s3cret@127.0.0.1:3306/"}),
              AllOf(HasSubstr("did you mean --mysql?"), Not(HasSubstr("s3cret"))));
  EXPECT_THAT(refusal_of({"--mysql", mysql_url, "--mysql", mysql_url}), Not(HasSubstr("s3cret")));
  ::setenv("DBDYNO_REDIS_URL", "redis://:s3cret@127.0.0.1", 1);
  EXPECT_THAT(refusal_of({}), AllOf(HasSubstr("DBDYNO_REDIS_URL"), Not(HasSubstr("s3cret"))));
}

TEST_F(load_command, verifies_what_the_marker_says_within_the_flags_given) {
  const load_options any = parse({"--redis", redis_url, "--verify"}).options;
  EXPECT_TRUE(any.verify_only);
  EXPECT_TRUE(any.accepts(data_set(5, 16, 9)));
  const load_options some = parse({"--redis", redis_url, "--verify", "--keys", "5", "--seed", "9"}).options;
  EXPECT_TRUE(some.accepts(data_set(5, 16, 9)));
  EXPECT_FALSE(some.accepts(data_set(6, 16, 9)));
  EXPECT_FALSE(some.accepts(data_set(5, 16, 8)));
  EXPECT_FALSE(
      parse({"--redis", redis_url, "--verify", "--value-size", "17"}).options.accepts(data_set(5, 16, 9)));
  EXPECT_THAT(refusal_of({"--redis", redis_url, "--verify", "--replace"}), HasSubstr("--replace"));
}

TEST_F(load_command, prints_help_and_version) {
  EXPECT_THAT(parse({"--help"}).text.value_or(""), AllOf(HasSubstr("--keys"), HasSubstr("Exit codes")));
  EXPECT_THAT(parse({"--version"}).text.value_or(""), testing::StartsWith("dbdyno-load "));
}

}  // namespace
}  // namespace dbdyno
