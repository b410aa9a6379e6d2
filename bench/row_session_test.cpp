#include "bench/row_session.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace dbdyno {
namespace {

/// What each thread is to do of `total`, once it holds so many connections.
std::vector<std::uint64_t> deal(const std::vector<std::uint32_t>& connections, std::uint64_t total) {
  row_plan plan;
  plan.what.threads = static_cast<std::uint32_t>(connections.size());
  watchdog dog(std::chrono::seconds(1));
  row_session row(plan, dog);
  for (unsigned t = 0; t < connections.size(); ++t) {
    if (connections[t] != 0) row.hold(t, connections[t]);
  }
  std::vector<std::uint64_t> out;
  for (unsigned t = 0; t < connections.size(); ++t) out.push_back(row.part_of(t).share(total));
  return out;
}

using shares = std::vector<std::uint64_t>;

TEST(row_session, deals_the_work_by_connections_and_all_of_it) {
  EXPECT_EQ(deal({1, 1}, 100), (shares{50, 50}));
  EXPECT_EQ(deal({2, 1}, 99), (shares{66, 33}));
  EXPECT_EQ(deal({50, 1}, 51), (shares{50, 1}));
  EXPECT_EQ(deal({0, 3, 0, 1}, 400), (shares{0, 300, 0, 100})) << "threads without a connection have no part";
  for (const std::uint64_t total : {std::uint64_t{1}, std::uint64_t{7}, std::uint64_t{1'000'003}}) {
    std::uint64_t sum = 0;
    for (const std::uint64_t share : deal({13, 13, 12, 12}, total)) sum += share;
    EXPECT_EQ(sum, total);
  }
  // Near the end of 64 bits, where a product would not fit.
  const shares large = deal({3, 1}, std::uint64_t{1} << 63);
  EXPECT_EQ(large[0] + large[1], std::uint64_t{1} << 63);
  EXPECT_EQ(large[1], std::uint64_t{1} << 61);
}

}  // namespace
}  // namespace dbdyno
