#include "bench/key_order.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "bench/key_ring.hpp"
#include "drivers/errors.hpp"

namespace dbdyno {
namespace {

constexpr std::size_t draws = 400'000;

std::vector<double> frequencies(key_order order, std::uint32_t keys) {
  std::vector<double> out(keys);
  for (const std::uint32_t id : draw_ids(order, keys, draws, 42, 0)) {
    EXPECT_GE(id, 1U);
    EXPECT_LE(id, keys);
    ++out.at(id - 1);
  }
  return out;
}

/// Pearson's statistic against shares that add up to 1, in standard deviations from its mean.
double surprise(const std::vector<double>& found, const std::vector<double>& shares) {
  double sum = 0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    const double expected = shares[i] * draws;
    sum += (found[i] - expected) * (found[i] - expected) / expected;
  }
  const auto freedom = static_cast<double>(found.size() - 1);
  return (sum - freedom) / std::sqrt(2 * freedom);
}

std::vector<double> zipf_shares(std::uint32_t keys) {
  std::vector<double> out;
  for (std::uint32_t rank = 1; rank <= keys; ++rank) out.push_back(std::pow(rank, -0.99));
  const double sum = std::accumulate(out.begin(), out.end(), 0.0);
  for (double& share : out) share /= sum;
  return out;
}

TEST(key_order, uniform_asks_for_all_keys_alike) {
  EXPECT_LT(std::abs(surprise(frequencies(key_order::uniform, 1000), std::vector<double>(1000, 0.001))), 4);
}

TEST(key_order, latest_asks_for_the_highest_ids_by_zipfs_law) {
  std::vector<double> found = frequencies(key_order::latest, 1000);
  std::reverse(found.begin(), found.end());
  EXPECT_LT(std::abs(surprise(found, zipf_shares(1000))), 4);
}

TEST(key_order, zipfian_follows_the_same_law_over_scattered_ids) {
  std::vector<double> found = frequencies(key_order::zipfian, 1000);
  const std::size_t hottest =
      static_cast<std::size_t>(std::max_element(found.begin(), found.end()) - found.begin());
  const double beside = found[(hottest + 1) % found.size()];
  EXPECT_GT(found[hottest], 1.5 * beside) << "the second most frequent is not its neighbour";
  // By rank the counts fall as the law says; sorting them hides only what chance swaps.
  std::sort(found.begin(), found.end(), std::greater<>());
  const std::vector<double> shares = zipf_shares(1000);
  for (const std::size_t rank : {std::size_t{0}, std::size_t{1}, std::size_t{9}, std::size_t{99}})
    EXPECT_NEAR(found[rank], shares[rank] * draws, 0.06 * shares[rank] * draws) << "rank " << rank + 1;
}

TEST(key_order, gaussian_asks_for_the_middle) {
  const std::vector<double> found = frequencies(key_order::gaussian, 6000);
  const auto within = [&](std::size_t half) {
    return std::accumulate(found.begin() + 3000 - static_cast<std::ptrdiff_t>(half),
                           found.begin() + 3000 + static_cast<std::ptrdiff_t>(half), 0.0) /
           draws;
  };
  // One and two standard deviations of a normal distribution that is cut off at three.
  EXPECT_NEAR(within(1000), 0.6827 / 0.9973, 0.005);
  EXPECT_NEAR(within(2000), 0.9545 / 0.9973, 0.005);
}

TEST(key_order, sequential_asks_for_one_after_the_other) {
  EXPECT_THAT(draw_ids(key_order::sequential, 3, 7, 1, 0), testing::ElementsAre(1, 2, 3, 1, 2, 3, 1));
}

TEST(key_order, is_the_same_for_the_same_seed_and_thread_only) {
  for (const key_order order :
       {key_order::uniform, key_order::zipfian, key_order::latest, key_order::gaussian}) {
    const auto first = draw_ids(order, 1000, 100, 1, 0);
    EXPECT_EQ(first, draw_ids(order, 1000, 100, 1, 0));
    EXPECT_NE(first, draw_ids(order, 1000, 100, 2, 0));
    EXPECT_NE(first, draw_ids(order, 1000, 100, 1, 1));
  }
}

TEST(key_order, works_for_a_single_key) {
  for (const key_order order : {key_order::uniform, key_order::zipfian, key_order::latest,
                                key_order::gaussian, key_order::sequential})
    EXPECT_THAT(draw_ids(order, 1, 3, 1, 0), testing::ElementsAre(1, 1, 1));
}

TEST(key_order, is_named_as_it_is_typed) {
  EXPECT_EQ(parse_key_order("--key-order", "zipfian"), key_order::zipfian);
  try {
    parse_key_order("--key-order", "zipf");
    ADD_FAILURE();
  } catch (const usage_error& error) {
    EXPECT_STREQ(error.what(),
                 "--key-order: 'zipf' is none of uniform, zipfian, latest, gaussian, sequential");
  }
}

TEST(key_ring, holds_every_key_where_they_come_one_after_the_other) {
  const data_set data(100'000, 16, 1);
  const key_ring ring(data, key_order::sequential, 1, 0);
  EXPECT_EQ(ring.size(), 131'072U);
  auto keys = ring.begin();
  for (std::uint32_t id = 1; id <= data.keys(); ++id) ASSERT_EQ(keys.next().id(), id);
  EXPECT_EQ(keys.next().id(), 1U);
  EXPECT_EQ(key_ring(data, key_order::uniform, 1, 0).size(), 65'536U);
}

}  // namespace
}  // namespace dbdyno
