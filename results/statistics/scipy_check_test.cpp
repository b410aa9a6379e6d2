// Asks results/statistics thousands of questions made up at random and has scipy answer them, too.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <string>
#include <vector>

#include "results/command_output.hpp"
#include "results/histogram.hpp"
#include "results/statistics/bootstrap.hpp"
#include "results/statistics/hodges_lehmann.hpp"
#include "results/statistics/holm.hpp"
#include "results/statistics/interval.hpp"
#include "results/statistics/mann_whitney.hpp"
#include "results/statistics/moments.hpp"
#include "results/statistics/normal.hpp"
#include "results/statistics/resampling.hpp"
#include "results/statistics/student_t.hpp"
#include "results/statistics/synthetic.hpp"
#include "results/temporary_directory.hpp"

namespace dbdyno::results {
namespace {

using nlohmann::json;
using sample = std::vector<double>;

class scipy_check : public testing::Test {
 protected:
  std::size_t between(std::size_t least, std::size_t most) {
    return least + draws_.below(static_cast<std::uint32_t>(most - least + 1));
  }
  /// With ties: of few different values.
  sample draw(std::size_t size, bool ties) {
    sample out(size);
    for (double& value : out) value = ties ? draws_.below(6) : 100 * std::exp(0.1 * random_.normal());
    return out;
  }
  void ask(const json& question) { questions_ << question << '\n'; }
  command_output answers() {
    questions_.close();
    return run_command("'" DBDYNO_SCIPY_PYTHON "' '" DBDYNO_SCIPY_CHECK "' '" + path_ + "'");
  }

  resampling draws_{20'261'202};
  synthetic random_{20'261'202};

 private:
  temporary_directory directory_;
  std::string path_ = (directory_.path() / "questions").string();
  std::ofstream questions_{path_};
};

TEST_F(scipy_check, of_two_samples) {
  const auto ask_both = [&](const sample& first, const sample& second) {
    const rank_test test = mann_whitney(first, second);
    ask({{"what", "mann_whitney"}, {"first", first}, {"second", second}, {"p", test.p}, {"u", test.u}});
    ask({{"what", "hodges_lehmann"},
         {"first", first},
         {"second", second},
         {"shift", *hodges_lehmann(first, second)}});
  };
  for (int i = 0; i < 300; ++i) ask_both(draw(between(1, 25), false), draw(between(1, 25), false));
  // As many as every way to deal the ranks out can be tried for.
  for (int i = 0; i < 60; ++i) ask_both(draw(between(1, 6), true), draw(between(1, 6), true));
  for (int i = 0; i < 150; ++i)
    ask_both(draw(between(26, 60), i % 2 == 0), draw(between(25, 60), i % 3 == 0));
  const command_output out = answers();
  EXPECT_EQ(out.code, 0) << out.text;
  EXPECT_EQ(out.text, "510 hodges_lehmann, 510 mann_whitney\n");
}

TEST_F(scipy_check, of_means_and_percentiles) {
  for (int i = 0; i < 200; ++i) {
    const sample values = draw(between(2, 40), i % 4 == 0);
    const interval_estimate range = *mean_interval(values);
    ask({{"what", "moments"},
         {"values", values},
         {"mean", *mean(values)},
         {"median", *median(values)},
         {"deviation", *standard_deviation(values)},
         {"low", range.low},
         {"high", range.high}});
    const sample other = draw(between(2, 40), false);
    const difference_estimate welch = *welch_difference(values, other);
    const auto square = [](double x) { return x * x; };
    const double first = square(*standard_deviation(values)) / static_cast<double>(values.size());
    const double second = square(*standard_deviation(other)) / static_cast<double>(other.size());
    const double freedom =
        welch_freedom(first, static_cast<double>(values.size()), second, static_cast<double>(other.size()));
    ask({{"what", "welch"},
         {"first", values},
         {"second", other},
         {"difference", welch.difference},
         {"low", welch.low},
         {"high", welch.high},
         {"p", 2 * t_upper_tail(std::abs(welch.difference) / std::sqrt(first + second), freedom)}});
  }
  constexpr double percents[] = {0.1, 25, 50, 90, 99, 99.9, 100};
  for (int i = 0; i < 200; ++i) {
    // Up to 2,047 each duration has a bucket of its own.
    histogram durations;
    std::vector<std::uint64_t> values(between(1, 500));
    for (std::uint64_t& value : values) durations.record(value = 1 + draws_.below(2046));
    const double percent = percents[draws_.below(std::size(percents))];
    ask({{"what", "percentile"},
         {"values", values},
         {"percent", percent},
         {"value", *durations.percentile(percent)}});
  }
  const command_output out = answers();
  EXPECT_EQ(out.code, 0) << out.text;
  EXPECT_EQ(out.text, "200 moments, 200 percentile, 200 welch\n");
}

TEST_F(scipy_check, of_distributions_and_families) {
  for (int i = 0; i < 500; ++i) {
    const double p = i % 5 == 0 ? std::pow(10, -9 * draws_.share()) : draws_.share();
    const double freedom = i % 2 == 0 ? static_cast<double>(between(1, 100)) : 1 + 1000 * draws_.share();
    const double t = 12 * (draws_.share() - 0.5);
    ask({{"what", "t"},
         {"p", p},
         {"freedom", freedom},
         {"t", t},
         {"quantile", t_quantile(p, freedom)},
         {"tail", t_upper_tail(t, freedom)}});
    const double z = 16 * (draws_.share() - 0.5);
    ask({{"what", "normal"}, {"p", p}, {"z", z}, {"quantile", normal_quantile(p)}, {"share", normal_cdf(z)}});
  }
  for (int i = 0; i < 100; ++i) {
    sample values(between(1, 60));
    for (double& value : values) value = i % 3 == 0 ? draws_.below(20) / 20.0 : std::pow(draws_.share(), 4);
    ask({{"what", "holm"}, {"values", values}, {"adjusted", holm(values)}});
  }
  const command_output out = answers();
  EXPECT_EQ(out.code, 0) << out.text;
  EXPECT_EQ(out.text, "100 holm, 500 normal, 500 t\n");
}

}  // namespace
}  // namespace dbdyno::results
