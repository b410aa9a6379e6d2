#include "bench/preflight.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace dbdyno {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr process_limits roomy{.open_files = 100'000, .ephemeral_ports = 28'000, .memory = 1ULL << 40};

std::optional<std::uint64_t> takes_1000(const std::string&) {
  return 1000;
}

run_plan plan_of(const std::string& storage, std::uint32_t connections, std::uint32_t depth = 1) {
  cell what{
      .workload = "get", .storage = storage, .driver = "any", .mode = mode::async, .via = transport::tcp};
  what.connections = connections;
  what.depth = depth;
  run_plan out;
  out.cells.push_back({what});
  return out;
}

TEST(preflight, says_nothing_where_all_fits) {
  EXPECT_THAT(check_limits(plan_of("redis", 1000), roomy, data_set(100'000, 100, 1)), IsEmpty());
  EXPECT_THAT(foresee_refusals(plan_of("redis", 1000), takes_1000), IsEmpty());
}

TEST(preflight, names_both_numbers_and_the_cure) {
  process_limits limits = roomy;
  limits.open_files = 256;
  EXPECT_THAT(check_limits(plan_of("redis", 300), limits, data_set(100'000, 100, 1)),
              ElementsAre(AllOf(HasSubstr("get/redis/any/async/transport:tcp/conns:300 needs 367 open files"),
                                HasSubstr("may have 256"), HasSubstr("ulimit -n 367"))));
  limits = roomy;
  limits.ephemeral_ports = 100;
  EXPECT_THAT(
      check_limits(plan_of("redis", 300), limits, data_set(100'000, 100, 1)),
      ElementsAre(AllOf(HasSubstr("needs 300 local ports, and there are 100"), HasSubstr("--connections"))));
  limits = roomy;
  limits.memory = 64 << 20;
  EXPECT_THAT(check_limits(plan_of("redis", 1000, 8192), limits, data_set(100'000, 100, 1)),
              ElementsAre(AllOf(HasSubstr("of memory, and 64 MB are available"), HasSubstr("--depth"))));
}

TEST(preflight, wants_nothing_but_memory_for_what_crosses_no_wire) {
  run_plan embedded = plan_of("null", 60'000, 8192);
  embedded.cells[0].what.via = transport::in_process;
  EXPECT_THAT(check_limits(embedded, {.open_files = 0, .ephemeral_ports = 0, .memory = roomy.memory},
                           data_set(100'000, 100, 1)),
              IsEmpty());
  EXPECT_THAT(check_limits(embedded, {.open_files = 0, .ephemeral_ports = 0, .memory = 64 << 20},
                           data_set(100'000, 100, 1)),
              ElementsAre(HasSubstr("of memory")));
  EXPECT_THAT(foresee_refusals(embedded, takes_1000), IsEmpty());
}

TEST(preflight, leaves_in_what_only_the_server_will_refuse) {
  EXPECT_THAT(check_limits(plan_of("mysql", 1500), roomy, data_set(100'000, 100, 1)), IsEmpty());
  EXPECT_THAT(foresee_refusals(plan_of("mysql", 1500), takes_1000),
              ElementsAre(AllOf(HasSubstr("asks for 1500 connections, and the server takes 1000"),
                                HasSubstr("max_connections"))));
  EXPECT_THAT(foresee_refusals(plan_of("redis", 1500), [](const std::string&) { return std::nullopt; }),
              IsEmpty());
}

TEST(preflight, reads_the_limits_of_this_process) {
  const process_limits limits = read_process_limits();
  EXPECT_GT(limits.open_files, 3U);
  EXPECT_GT(limits.ephemeral_ports, 0U);
  EXPECT_GT(limits.memory, 1U << 20);
}

}  // namespace
}  // namespace dbdyno
