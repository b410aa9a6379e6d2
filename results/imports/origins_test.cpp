#include "results/imports/origins.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "results/imports/import_examples.hpp"

using namespace dbdyno::results;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;
using testing::UnorderedElementsAre;

namespace {

std::string origin(const std::string& file) {
  return read_file(std::string(DBDYNO_ORIGINS) + "/" + file);
}

TEST(origins, reads_the_loops_of_point_gets) {
  const auto imported = import_origins(origin("point-get-loops.csv"), "o.csv");
  ASSERT_EQ(imported.run.rows.size(), 12U);
  EXPECT_THAT(imported.remarks, IsEmpty());
  const auto r = row_of(imported, "get/redis/node-redis-with-hiredis/async/depth:50000");
  EXPECT_EQ(r.iterations, 50000U);
  EXPECT_THAT(r.counters, ElementsAre(Pair("items_per_second", 40428.51)));
  EXPECT_EQ(row_of(imported, "get/handlersocket/hand-written-client/sync").counters.at("items_per_second"),
            5301.76);
  expect_round_trip(imported);
}

TEST(origins, counts_no_failed_reply_of_the_http_sweep) {
  const auto imported = import_origins(origin("http-connection-sweep.csv"), "o.csv");
  ASSERT_EQ(imported.run.rows.size(), 63U);
  const auto r = row_of(imported, "http/mysql/conns:300");
  EXPECT_EQ(r.iterations, 455964U - 255911U);
  EXPECT_DOUBLE_EQ(r.counters.at("items_per_second"), 3799.68 * (455964. - 255911.) / 455964.);
  EXPECT_EQ(r.counters.at("errors"), 255911);
  EXPECT_EQ(r.counters.at("p99_ns"), 185.98e6);
  EXPECT_THAT(
      row_of(imported, "http/memory/conns:4").counters,
      UnorderedElementsAre(Pair("items_per_second", 4835.56), Pair("errors", 0), Pair("mean_ns", 163.36e6),
                           Pair("stddev_ns", 190.55e6), Pair("p50_ns", 0.529e6), Pair("p75_ns", 401.99e6),
                           Pair("p90_ns", 402.69e6), Pair("p99_ns", 402.69e6), Pair("max_ns", 402.69e6)));
  EXPECT_EQ(imported.remarks.size(), 11U);
  EXPECT_THAT(imported.remarks.front(), HasSubstr("http/mysql/conns:120: 23148 of 770717 requests failed"));
  expect_round_trip(imported);
}

TEST(origins, reads_the_blog_and_the_shortener) {
  const auto imported = import_origins(origin("blog-and-shortener.csv"), "o.csv");
  ASSERT_EQ(imported.run.rows.size(), 11U);
  EXPECT_THAT(row_of(imported, "shortener/redis-over-host-network/conns:10").counters,
              UnorderedElementsAre(Pair("items_per_second", 34462.63), Pair("mean_ns", 468490),
                                   Pair("max_ns", 15.56e6)));
  expect_round_trip(imported);
}

TEST(origins, says_which_line_is_wrong) {
  const std::string header = "mode,client,storage,requests,milliseconds,ops_per_second\n";
  EXPECT_EQ(error_of([&] { import_origins(header + "sync,a,b,1,2\n", "o.csv"); }),
            "o.csv: line 2: 5 fields where there should be 6; is the text cut off?");
  EXPECT_EQ(error_of([&] { import_origins(header + "sync,a,b,1,2,fast\n", "o.csv"); }),
            "o.csv: line 2: ops_per_second: 'fast' is no such number");
  EXPECT_EQ(error_of([&] { import_origins(header, "o.csv"); }), "o.csv: no line behind the first");
  EXPECT_EQ(error_of([&] { import_origins("a,b\n", "o.csv"); }),
            "o.csv: line 1: not the first line of a file of results/origins");
}

}  // namespace
