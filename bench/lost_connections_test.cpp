#include "bench/lost_connections.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

namespace dbdyno {
namespace {

using ::testing::ElementsAre;

TEST(lost_connections, are_tried_after_pauses_that_double_up_to_the_longest) {
  lost_connections lost(1, 1, 10, 50);
  lost.lose(0, 100);
  EXPECT_TRUE(lost.all());
  std::vector<std::uint64_t> tried;
  std::uint64_t now = 100;
  while (tried.size() < 6) {
    now = lost.next_due(1'000'000);
    EXPECT_FALSE(lost.due(now - 1));
    ASSERT_TRUE(lost.due(now));
    tried.push_back(now);
    lost.try_due([](std::uint32_t) { return false; }, [&] { return now; });
  }
  EXPECT_THAT(tried, ElementsAre(110, 130, 170, 220, 270, 320));
  lost.try_due([](std::uint32_t) { return true; }, [&] { return std::uint64_t{370}; });
  EXPECT_FALSE(lost.any());
  EXPECT_EQ(lost.restored(), 1U);
  EXPECT_EQ(lost.downtime(9999), 270U);
  // Once it has held for longer than the pause before it, a connection starts with the shortest one again.
  lost.lose(0, 1000);
  EXPECT_EQ(lost.next_due(1'000'000), 1010U);
}

TEST(lost_connections, are_tried_after_growing_pauses_when_they_come_up_only_to_be_lost_again) {
  lost_connections lost(1, 1, 10, 50);
  std::uint64_t now = 1000;
  std::vector<std::uint64_t> pauses;
  for (int i = 0; i < 5; ++i) {
    lost.lose(0, now);
    const std::uint64_t next = lost.next_due(1'000'000);
    pauses.push_back(next - now);
    now = next;
    lost.try_due([](std::uint32_t) { return true; }, [&] { return now; });
    now += 2;
  }
  EXPECT_THAT(pauses, ElementsAre(10, 20, 40, 50, 50));
}

TEST(lost_connections, tell_since_when_none_has_been_up) {
  lost_connections lost(2, 1, 10, 50);
  lost.lose(1, 300);
  EXPECT_FALSE(lost.all());
  lost.lose(0, 700);
  ASSERT_TRUE(lost.all());
  EXPECT_EQ(lost.all_since(), 700U);
}

TEST(lost_connections, are_tried_at_once_where_no_pause_is_asked_for) {
  lost_connections lost(1, 1, 0, 50);
  lost.lose(0, 100);
  for (int i = 0; i < 5; ++i) {
    ASSERT_TRUE(lost.due(100));
    lost.try_due([](std::uint32_t) { return false; }, [] { return std::uint64_t{100}; });
  }
}

TEST(lost_connections, keep_their_slots_until_they_are_back) {
  lost_connections lost(3, 2, 0, 0);
  std::vector<slot> free(6);
  std::iota(free.begin(), free.end(), slot{0});
  lost.lose(1, 5);
  lost.lose(1, 6);
  slot* end = lost.hold(free.data(), free.data() + 6);
  EXPECT_THAT(std::vector<slot>(free.data(), end), ElementsAre(0, 1, 4, 5));
  EXPECT_EQ(lost.slots_held(), 2U);
  EXPECT_FALSE(lost.all());
  end = lost.take_back(end);
  EXPECT_EQ(end, free.data() + 4) << "not yet";
  lost.try_due([](std::uint32_t connection) { return connection == 1; }, [] { return std::uint64_t{15}; });
  EXPECT_EQ(lost.slots_held(), 2U);
  end = lost.take_back(end);
  EXPECT_THAT(std::vector<slot>(free.data(), end), ElementsAre(0, 1, 4, 5, 2, 3));
  EXPECT_EQ(lost.slots_held(), 0U);
  EXPECT_EQ(lost.downtime(99), 10U);
}

TEST(lost_connections, count_what_is_still_down_and_forget_when_told) {
  lost_connections lost(2, 1, 100, 100);
  lost.lose(0, 10);
  lost.lose(1, 20);
  EXPECT_EQ(lost.downtime(50), 70U);
  lost.reset_counts(50);
  EXPECT_EQ(lost.downtime(60), 20U);
}

}  // namespace
}  // namespace dbdyno
