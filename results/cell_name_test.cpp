#include "results/cell_name.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace dbdyno::results;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

namespace {

TEST(CellName, IsTakenApart) {
  const auto name = take_apart("get/redis/wire/async/transport:tcp/conns:50/depth:16/manual_time");
  EXPECT_EQ(name.text, "get/redis/wire/async/transport:tcp/conns:50/depth:16");
  EXPECT_EQ(name.workload, "get");
  EXPECT_EQ(name.storage, "redis");
  EXPECT_EQ(name.driver, "wire");
  EXPECT_EQ(name.mode, "async");
  EXPECT_THAT(name.parameters,
              ElementsAre(Pair("transport", "tcp"), Pair("conns", "50"), Pair("depth", "16")));
}

TEST(CellName, LosesTheTimersSuffixAlsoInFrontOfThreads) {
  const auto name = take_apart("connect/mysql/text/sync/requests:10/manual_time/threads:100");
  EXPECT_EQ(name.text, "connect/mysql/text/sync/requests:10/threads:100");
  EXPECT_THAT(name.parameters, ElementsAre(Pair("requests", "10"), Pair("threads", "100")));
}

TEST(CellName, OfAnotherFormIsAllWorkload) {
  for (const char* foreign : {"", "BM_sort/1024", "a/b/c", "a/b/c/sync/e", "a/b/c:1/sync", "a//c/sync",
                              "a/b/c/sync/", "a/b/c/sync/:1", "BM_SpMV/64/8/2"}) {
    const auto name = take_apart(foreign);
    EXPECT_EQ(name.text, foreign);
    EXPECT_EQ(name.workload, foreign);
    EXPECT_EQ(name.storage + name.driver + name.mode, "");
    EXPECT_THAT(name.parameters, IsEmpty());
  }
}

TEST(CellNames, AreOrderedByTheNumbersWithin) {
  EXPECT_TRUE(comes_before("conns:8", "conns:16"));
  EXPECT_FALSE(comes_before("conns:16", "conns:8"));
  EXPECT_TRUE(comes_before("conns:16/depth:2", "conns:16/depth:10"));
  EXPECT_TRUE(comes_before("get", "set"));
  EXPECT_TRUE(comes_before("get", "get/a"));
  EXPECT_FALSE(comes_before("get", "get"));
  EXPECT_FALSE(comes_before("conns:016", "conns:16"));
  EXPECT_TRUE(comes_before("rate:40%", "rate:100%"));
}

TEST(CellName, HasPartsThatItCanDoWithout) {
  const cell_name name = take_apart("get/redis/wire/async/transport:tcp/conns:50/depth:16/manual_time");
  EXPECT_EQ(part_of(name, "driver"), "redis/wire");
  EXPECT_EQ(part_of(name, "storage"), "redis");
  EXPECT_EQ(part_of(name, "conns"), "50");
  EXPECT_EQ(part_of(name, "rate"), std::nullopt);
  EXPECT_EQ(without_part(name, "driver"), "get/*/async/transport:tcp/conns:50/depth:16");
  EXPECT_EQ(without_part(name, "conns"), "get/redis/wire/async/transport:tcp/conns:*/depth:16");
  EXPECT_EQ(without_part(name, "mode"), "get/redis/wire/*/transport:tcp/conns:50/depth:16");
  EXPECT_EQ(part_of(take_apart("BM_Sort/1024"), "workload"), std::nullopt) << "somebody else's";
}

}  // namespace
