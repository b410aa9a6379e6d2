#include "results/statistics/student_t.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "results/statistics/normal.hpp"

namespace dbdyno::results {
namespace {

TEST(student_t, quantiles_are_those_of_the_tables) {
  // scipy 1.10.1: scipy.stats.t.ppf(p, freedom).
  struct known {
    double p, freedom, quantile;
  };
  for (const auto& [p, freedom, quantile] : {
           known{0.975, 1, 12.7062047364},
           known{0.975, 2, 4.30265272991},
           known{0.975, 4, 2.7764451052},
           known{0.975, 7, 2.36462425101},
           known{0.975, 8, 2.30600413503},
           known{0.975, 18, 2.10092204024},
           known{0.975, 30, 2.0422724563},
           known{0.975, 31, 2.0395134464},
           known{0.975, 200, 1.97189622363},
           known{0.975, 12345, 1.9601561676},
           known{0.95, 3, 2.3533634348},
           known{0.995, 5, 4.03214298356},
           known{0.9995, 10, 4.5868938587},
           known{0.6, 3.3, 0.27450197421},
           known{0.975, 1.25, 8.02795138851},
           known{0.975, 6.66, 2.38931716431},
           known{0.999999, 2.5, 220.173429176},
       }) {
    EXPECT_NEAR(t_quantile(p, freedom), quantile, 1e-8 * quantile) << p << ' ' << freedom;
    EXPECT_NEAR(t_quantile(1 - p, freedom), -quantile, 1e-8 * quantile) << p << ' ' << freedom;
  }
}

TEST(student_t, with_one_degree_of_freedom_is_cauchys) {
  for (const double p : {0.5, 0.6, 0.9, 0.999, 0.999999})
    EXPECT_NEAR(t_quantile(p, 1), std::tan(std::numbers::pi * (p - 0.5)), 1e-9 * t_quantile(p, 1) + 1e-12);
}

TEST(student_t, becomes_normal) {
  EXPECT_NEAR(t_quantile(0.975, 1e12), normal_quantile(0.975), 1e-9);
  // Both sides of the place where the expansion takes over.
  EXPECT_NEAR(t_quantile(0.999, 99'999.9), t_quantile(0.999, 100'000), 1e-9);
}

TEST(student_t, tail_and_quantile_undo_each_other) {
  for (const double freedom : {1.0, 1.5, 2.0, 4.7, 30.0, 999.0})
    for (const double t : {-3.0, -0.1, 0.0, 0.5, 1.0, 2.0, 5.0})
      EXPECT_NEAR(t_quantile(1 - t_upper_tail(t, freedom), freedom), t, 1e-8) << freedom;
}

TEST(normal, quantiles_are_those_of_the_tables) {
  // scipy 1.10.1: scipy.stats.norm.ppf.
  EXPECT_NEAR(normal_quantile(0.5), 0, 1e-15);
  EXPECT_NEAR(normal_quantile(0.975), 1.95996398454005, 1e-11);
  EXPECT_NEAR(normal_quantile(0.95), 1.64485362695147, 1e-11);
  EXPECT_NEAR(normal_quantile(0.8), 0.841621233572914, 1e-11);
  EXPECT_NEAR(normal_quantile(0.6), 0.2533471031358, 1e-11);
  EXPECT_NEAR(normal_quantile(0.9999), 3.71901648545571, 1e-11);
  EXPECT_NEAR(normal_quantile(1e-10), -6.36134090240406, 1e-11);
  EXPECT_NEAR(normal_quantile(1e-100), -21.2734535609653, 1e-11);
  EXPECT_EQ(normal_quantile(0), -HUGE_VAL);
  EXPECT_EQ(normal_quantile(1), HUGE_VAL);
  EXPECT_TRUE(std::isnan(normal_quantile(1.1)));
}

TEST(normal, distribution_keeps_its_digits_far_out) {
  EXPECT_NEAR(normal_cdf(1.959963984540054), 0.975, 1e-15);
  // scipy 1.10.1: scipy.stats.norm.cdf(-10).
  EXPECT_NEAR(normal_cdf(-10) / 7.61985302416047e-24, 1, 1e-12);
}

}  // namespace
}  // namespace dbdyno::results
