#include "bench/cell.hpp"

#include <gtest/gtest.h>

namespace dbdyno {
namespace {

TEST(cell, spells_its_name_as_the_grammar_says) {
  EXPECT_EQ((cell{.workload = "get", .storage = "null", .driver = "null"}.name()), "get/null/null/sync");
  EXPECT_EQ((cell{.workload = "get",
                  .storage = "redis",
                  .driver = "hiredis",
                  .mode = mode::async,
                  .via = transport::tcp,
                  .connections = 50,
                  .depth = 16,
                  .shows_depth = true}
                 .name()),
            "get/redis/hiredis/async/transport:tcp/conns:50/depth:16");
  EXPECT_EQ((cell{.workload = "set",
                  .storage = "mysql",
                  .driver = "text",
                  .mode = mode::pipeline,
                  .via = transport::unix_socket,
                  .depth = 8,
                  .shows_depth = true}
                 .name()),
            "set/mysql/text/pipeline/transport:unix/depth:8");
  EXPECT_EQ((cell{.workload = "get",
                  .storage = "mysql",
                  .driver = "binary",
                  .mode = mode::async,
                  .via = transport::tcp,
                  .connections = 4}
                 .name()),
            "get/mysql/binary/async/transport:tcp/conns:4");
}

TEST(cell, adds_the_suffixes_that_google_benchmark_adds) {
  cell what{.workload = "get", .storage = "null", .driver = "null"};
  EXPECT_EQ(what.id(), "get/null/null/sync");
  EXPECT_EQ(what.google_benchmark_name(), "get/null/null/sync/manual_time");
  what.threads = 4;
  EXPECT_EQ(what.id(), "get/null/null/sync/threads:4");
  EXPECT_EQ(what.google_benchmark_name(), "get/null/null/sync/manual_time/threads:4");
}

}  // namespace
}  // namespace dbdyno
