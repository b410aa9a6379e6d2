#include "results/statistics/mann_whitney.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <iterator>
#include <vector>

namespace dbdyno::results {
namespace {

using sample = std::vector<double>;

TEST(mann_whitney, hollander_and_wolfes_membranes) {
  // M. Hollander and D. A. Wolfe, Nonparametric Statistical Methods (1973) 69: permeability of the human
  // chorioamnion. One-sided p 0.1272, as R's wilcox.test has it, too.
  const sample term{0.80, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46};
  const sample earlier{1.15, 0.88, 0.90, 0.74, 1.21};
  const rank_test test = mann_whitney(term, earlier);
  EXPECT_EQ(test.u, 35);
  EXPECT_NEAR(test.p, 0.2544122544122544, 1e-12);  // scipy 1.10.1, mannwhitneyu(method='exact')
  EXPECT_EQ(mann_whitney(earlier, term).u, 15);
  EXPECT_NEAR(mann_whitney(earlier, term).p, test.p, 1e-15);
}

TEST(mann_whitney, mann_and_whitneys_own_table) {
  // H. B. Mann and D. R. Whitney, Annals of Mathematical Statistics 18 (1947) 52, table I, n = 4: the chance
  // of a U at most as large, for m = 4.
  const double table[] = {0.014, 0.029, 0.057, 0.100, 0.171, 0.243, 0.343, 0.443};
  // Ways for 4 of the ranks 1 to 8 to have a rank sum of 10 + U.
  const sample below[] = {{1, 2, 3, 4}, {1, 2, 3, 5}, {1, 2, 3, 6}, {1, 2, 3, 7},
                          {1, 2, 3, 8}, {1, 2, 4, 8}, {1, 2, 5, 8}, {1, 2, 6, 8}};
  for (std::size_t u = 0; u < std::size(table); ++u) {
    sample others;
    for (int rank = 1; rank <= 8; ++rank)
      if (std::find(below[u].begin(), below[u].end(), rank) == below[u].end()) others.push_back(rank);
    const rank_test test = mann_whitney(below[u], others);
    EXPECT_EQ(test.u, static_cast<double>(u));
    EXPECT_NEAR(test.p / 2, table[u], 0.0005) << u;
  }
}

TEST(mann_whitney, statxacts_blood_pressures_have_ties) {
  // The manual of StatXact, p. 221: the exact one-sided p is 0.0542.
  const sample treated{94, 108, 110, 90};
  const sample control{80, 94, 85, 90, 90, 90, 108, 94, 78, 105, 88};
  const rank_test test = mann_whitney(treated, control);
  EXPECT_EQ(test.u, 35);
  EXPECT_NEAR(test.p, 2 * 0.0542, 1e-4);
  EXPECT_NEAR(test.p, 0.10842490842490843, 1e-12);  // all 1,365 ways counted in Python
}

TEST(mann_whitney, exact_with_ties_is_what_scipys_permutations_say) {
  // scipy 1.10.1: permutation_test of the rank sum, over all 11,440 ways.
  const rank_test test = mann_whitney(sample{1, 2, 2, 3, 3, 3, 4}, sample{2, 3, 4, 4, 5, 5, 6, 6, 7});
  EXPECT_EQ(test.u, 8.5);
  EXPECT_NEAR(test.p, 0.015034965034965035, 1e-12);
}

TEST(mann_whitney, exact_up_to_fifty_values) {
  sample first(25);
  sample second(25);
  for (std::size_t i = 0; i < 25; ++i) {
    first[i] = static_cast<double>(i);
    second[i] = static_cast<double>(i) + 5.5;
  }
  const rank_test test = mann_whitney(first, second);
  EXPECT_EQ(test.u, 190);
  EXPECT_NEAR(test.p, 0.016982216353507554, 1e-12);  // scipy 1.10.1, mannwhitneyu(method='exact')
}

TEST(mann_whitney, beyond_that_normal_with_both_corrections) {
  sample first;
  sample second;
  for (int i = 0; i < 30; ++i) first.push_back((i * 37) % 101);
  for (int i = 0; i < 35; ++i) second.push_back((i * 53) % 97 + 9);
  const rank_test test = mann_whitney(first, second);
  EXPECT_EQ(test.u, 470.5);
  // scipy 1.10.1, mannwhitneyu(method='asymptotic', use_continuity=True).
  EXPECT_NEAR(test.p, 0.4773059937223991, 1e-12);
}

TEST(mann_whitney, approximation_meets_the_exact_where_it_takes_over) {
  const auto p = [](int size, int shift) {
    sample first;
    sample second;
    for (int i = 0; i < size; ++i) {
      first.push_back(i);
      second.push_back(i + shift + 0.5);
    }
    return mann_whitney(first, second).p;
  };
  EXPECT_NEAR(p(26, 6), p(25, 6), 0.002);
  EXPECT_NEAR(p(26, 1), p(25, 1), 0.02);
}

/// Whatever the ties: the share of all ways to split these values with a p at most as large.
TEST(mann_whitney, is_never_more_often_small_than_it_says) {
  const sample values{1, 1, 1, 2, 3, 3, 4, 4, 4, 4, 9};
  for (int size = 1; size < 11; ++size) {
    std::vector<double> all;
    for (std::uint32_t chosen = 0; chosen < 1U << values.size(); ++chosen) {
      if (std::popcount(chosen) != size) continue;
      sample first;
      sample second;
      for (std::size_t i = 0; i < values.size(); ++i)
        (chosen >> i & 1U ? first : second).push_back(values[i]);
      all.push_back(mann_whitney(first, second).p);
    }
    std::sort(all.begin(), all.end());
    EXPECT_GE(
        all.front(),
        least_p(static_cast<std::size_t>(size), values.size() - static_cast<std::size_t>(size)) - 1e-12);
    for (std::size_t i = 0; i < all.size(); ++i)
      if (i + 1 == all.size() || all[i + 1] > all[i]) {
        EXPECT_LE(static_cast<double>(i + 1) / static_cast<double>(all.size()), all[i] + 1e-12);
      }
  }
}

TEST(mann_whitney, equal_values_tell_nothing) {
  EXPECT_EQ(mann_whitney(sample{3, 3, 3}, sample{3, 3, 3}).p, 1);
  EXPECT_EQ(mann_whitney(sample(40, 3), sample(40, 3)).p, 1);
  EXPECT_EQ(mann_whitney({}, sample{1}).p, 1);
  EXPECT_EQ(mann_whitney(sample{1}, {}).p, 1);
}

TEST(least_p, is_that_of_samples_apart) {
  EXPECT_NEAR(least_p(4, 4), 2.0 / 70, 1e-15);
  EXPECT_NEAR(least_p(5, 5), 2.0 / 252, 1e-15);
  EXPECT_NEAR(least_p(2, 5), 2.0 / 21, 1e-15);
  EXPECT_EQ(least_p(1, 1), 1);
  EXPECT_EQ(least_p(0, 9), 1);
  EXPECT_GE(least_p(100'000, 100'000), 0);
  EXPECT_NEAR(mann_whitney(sample{1, 2, 3, 4, 5}, sample{6, 7, 8, 9, 10}).p, least_p(5, 5), 1e-15);
}

}  // namespace
}  // namespace dbdyno::results
