#include "bench/options.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <vector>

#include "drivers/errors.hpp"

namespace dbdyno {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

class options_test : public ::testing::Test {
 protected:
  options_test() { forget_variables(); }
  ~options_test() override { forget_variables(); }

  static bench_options parse(std::vector<const char*> arguments) {
    arguments.insert(arguments.begin(), "dbdyno-bench");
    return parse_command_line(static_cast<int>(arguments.size()), arguments.data()).options;
  }

  static std::string complaint(const std::vector<const char*>& arguments) {
    try {
      parse(arguments);
    } catch (const usage_error& error) {
      return error.what();
    }
    return "none";
  }

 private:
  static void forget_variables() {
    for (const char* name :
         {"DBDYNO_REDIS_URL", "DBDYNO_MYSQL_URL", "DBDYNO_HANDLERSOCKET_URL", "DBDYNO_LMDB_URL"}) {
      ::unsetenv(name);
    }
  }
};

TEST_F(options_test, has_the_defaults_of_the_readme) {
  const bench_options options = parse({});
  EXPECT_EQ(options.data.keys(), 100'000U);
  EXPECT_EQ(options.data.largest_value(), 100U);
  EXPECT_THAT(options.given.connections, IsEmpty());
  EXPECT_THAT(usual_sweep().connections, ElementsAre(50));
  EXPECT_THAT(options.given.depths, IsEmpty());
  EXPECT_FALSE(options.given.repetitions.has_value());
  EXPECT_EQ(usual_sweep().repetitions, 5U);
  EXPECT_TRUE(options.targets.empty());
  EXPECT_FALSE(options.out.has_value());
}

TEST_F(options_test, reads_lists_and_numbers) {
  const bench_options options =
      parse({"--connections", "4,20,300", "--depth=1,500000", "--requests", "10000000000"});
  EXPECT_THAT(options.given.connections, ElementsAre(4, 20, 300));
  EXPECT_THAT(options.given.depths, ElementsAre(1, 500'000));
  EXPECT_EQ(options.given.requests, 10'000'000'000U);
}

TEST_F(options_test, names_the_flag_of_a_malformed_number) {
  for (const char* flag : {"--keys", "--value-size", "--connections", "--depth", "--threads", "--requests",
                           "--duration", "--repetitions", "--timeout", "--connect-timeout"}) {
    for (const char* value : {"0", "-1", "many", "1x", "99999999999999999999999"}) {
      EXPECT_THAT(complaint({flag, value}), HasSubstr(flag)) << value;
    }
  }
  EXPECT_THAT(complaint({"--keys", "18446744073709551616"}), HasSubstr("--keys"));
  EXPECT_THAT(complaint({"--seed", "18446744073709551616"}), HasSubstr("--seed"));
  EXPECT_THAT(complaint({"--connections", "4,,5"}), HasSubstr("--connections"));
  EXPECT_THAT(complaint({"--transport", "udp"}), AllOf(HasSubstr("--transport"), HasSubstr("udp")));
}

TEST_F(options_test, reads_rates_and_arrivals) {
  const bench_options options = parse({"--rate", "0.5,2000,10000000", "--arrivals", "poisson"});
  EXPECT_THAT(options.given.rates,
              ElementsAre(offered_rate{0.5}, offered_rate{2000}, offered_rate{10'000'000}));
  EXPECT_EQ(options.arrivals, arrivals::poisson);
  EXPECT_THAT(parse({"--rate", "40%,110%"}).given.rates,
              ElementsAre(offered_rate{40, true}, offered_rate{110, true}));
  EXPECT_THAT(complaint({"--rate", "%"}), HasSubstr("--rate"));
  EXPECT_THAT(complaint({"--rate", "0%"}), HasSubstr("--rate"));
  for (const char* value : {"0", "-5", "fast", "10000001", "1e9", "nan", "1,,2", ""})
    EXPECT_THAT(complaint({"--rate", value}), HasSubstr("--rate")) << value;
  EXPECT_THAT(complaint({"--rate", "5", "--arrivals", "often"}), HasSubstr("often"));
  EXPECT_THAT(complaint({"--arrivals", "poisson"}), HasSubstr("--rate"));
}

TEST_F(options_test, reads_an_error_budget_as_a_number_or_a_share) {
  EXPECT_EQ(parse({}).max_errors.requests, 0U);
  EXPECT_EQ(parse({"--max-errors", "17"}).max_errors.requests, 17U);
  EXPECT_EQ(parse({"--max-errors", "0.5%"}).max_errors.percent, 0.5);
  for (const char* value : {"-1", "many", "101%", "%", "1.5"})
    EXPECT_THAT(complaint({"--max-errors", value}), HasSubstr("--max-errors")) << value;
}

TEST_F(options_test, takes_a_search_for_what_it_is) {
  EXPECT_EQ(parse({"--max-rate-under", "p99=5ms"}).max_rate_under->counter(), "p99_ns");
  EXPECT_THAT(complaint({"--max-rate-under", "5ms"}), HasSubstr("p99=5ms"));
  EXPECT_THAT(complaint({"--max-rate-under", "p99=5ms", "--rate", "5"}), HasSubstr("--rate"));
  EXPECT_THAT(complaint({"--max-rate-under", "p99=5ms", "--requests", "5"}), HasSubstr("--requests"));
  EXPECT_THAT(complaint({"--layers", "--rate", "5"}), HasSubstr("--layers"));
}

TEST_F(options_test, leaves_pinning_to_the_plan_unless_it_is_told) {
  EXPECT_FALSE(parse({}).pin);
  EXPECT_EQ(parse({"--pin", "none"}).pin, "none");
  EXPECT_TRUE(parse({"--spin"}).spin);
  EXPECT_THAT(complaint({"--pin", "both"}), AllOf(HasSubstr("--pin"), HasSubstr("'both'")));
}

TEST_F(options_test, names_a_flag_it_does_not_know) {
  EXPECT_THAT(complaint({"--conections", "4"}), HasSubstr("--conections"));
  EXPECT_THAT(complaint({"stray"}), HasSubstr("stray"));
}

TEST_F(options_test, prefers_a_flag_to_a_variable) {
  ::setenv("DBDYNO_REDIS_URL", "redis://127.0.0.1:1", 1);
  EXPECT_EQ(parse({}).targets.at("redis").port, 1);
  EXPECT_EQ(parse({"--redis", "redis://127.0.0.1:2"}).targets.at("redis").port, 2);
}

TEST_F(options_test, does_not_read_other_programs_variables) {
  ::setenv("REDIS_URL", "redis://127.0.0.1:1", 1);
  EXPECT_TRUE(parse({}).targets.empty());
  ::unsetenv("REDIS_URL");
}

TEST_F(options_test, names_flag_or_variable_of_a_bad_url_and_hides_its_password) {
  EXPECT_THAT(complaint({"--redis", "redis://:secret@host"}),
              AllOf(HasSubstr("--redis"), HasSubstr("port"), Not(HasSubstr("secret"))));
  EXPECT_THAT(complaint({"--redis", "mysql://u:secret@127.0.0.1:1/db"}),
              AllOf(HasSubstr("--redis"), Not(HasSubstr("secret"))));
  ::setenv("DBDYNO_MYSQL_URL", "nonsense", 1);
  EXPECT_THAT(complaint({}), HasSubstr("DBDYNO_MYSQL_URL"));
}

TEST_F(options_test, takes_a_plain_directory_for_lmdb) {
  EXPECT_EQ(parse({"--lmdb", "/some/where"}).targets.at("lmdb").path, "/some/where");
  EXPECT_EQ(parse({"--lmdb", "lmdb:///some/where"}).targets.at("lmdb").path, "/some/where");
}

TEST_F(options_test, reads_google_benchmarks_flags_as_its_own) {
  const bench_options options = parse({"--benchmark_min_time=2.5", "--benchmark_repetitions=7",
                                       "--benchmark_filter=^get", "--benchmark_list_tests"});
  EXPECT_EQ(options.given.duration, 2.5);
  EXPECT_EQ(options.given.repetitions, 7U);
  EXPECT_TRUE(options.list);
  EXPECT_THAT(complaint({"--benchmark_min_time=1", "--duration=1"}), HasSubstr("give one of them"));
  EXPECT_THAT(complaint({"--benchmark_filter=("}), HasSubstr("--benchmark_filter"));
}

TEST_F(options_test, keeps_no_secret_in_what_it_stores) {
  const bench_options options = parse({"--redis", "redis://:secret@127.0.0.1:1", "--connections", "4"});
  for (const auto& [flag, value] : options.shape) EXPECT_THAT(value, Not(HasSubstr("secret"))) << flag;
}

}  // namespace
}  // namespace dbdyno
