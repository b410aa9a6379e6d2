// How often the words are wrong, on samples whose truth is known: 2,000 seeded pairs each. The limits are
// those promised, without any allowance for chance.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "results/statistics/comparison.hpp"
#include "results/statistics/holm.hpp"
#include "results/statistics/synthetic.hpp"

namespace dbdyno::results {
namespace {

constexpr int pairs = 2'000;
constexpr double limit = 0.05;

bool is_change(outcome word) {
  return word == outcome::higher || word == outcome::lower;
}

/// How many of the pairs of runs recorded apart, of which nothing tells one from the other, are called
/// different.
int false_alarms(std::uint64_t seed, std::size_t repetitions, double noise, double drift,
                 std::size_t earlier_runs) {
  synthetic random(seed);
  int alarms = 0;
  for (int i = 0; i < pairs; ++i) {
    std::vector<std::vector<double>> earlier(earlier_runs);
    for (auto& run : earlier) run = random.logarithms(repetitions, drift * random.normal(), noise);
    const std::vector<double> first = random.sample(repetitions, drift * random.normal(), noise);
    const std::vector<double> second = random.sample(repetitions, drift * random.normal(), noise);
    const auto comparison = *compare_samples(first, second, {.between = learn_between_runs(earlier)});
    alarms += is_change(decide(comparison, comparison.test.p, limit));
  }
  return alarms;
}

TEST(rates, at_most_one_in_twenty_pairs_of_runs_is_a_false_alarm) {
  const int alarms = false_alarms(1, 10, 0.03, 0.01, 8);
  RecordProperty("false_alarms", alarms);
  EXPECT_LE(alarms, 0.05 * pairs);
}

TEST(rates, nor_is_it_with_few_repetitions_few_runs_or_much_drift) {
  EXPECT_LE(false_alarms(2, 5, 0.03, 0.01, 3), 0.05 * pairs);
  EXPECT_LE(false_alarms(3, 10, 0.01, 0.03, 4), 0.05 * pairs);
  EXPECT_LE(false_alarms(4, 20, 0.03, 0, 8), 0.05 * pairs);
}

TEST(rates, without_what_earlier_runs_taught_there_would_be_more) {
  synthetic random(5);
  int alarms = 0;
  for (int i = 0; i < pairs; ++i) {
    const std::vector<double> first = random.sample(10, 0.01 * random.normal(), 0.03);
    const std::vector<double> second = random.sample(10, 0.01 * random.normal(), 0.03);
    const auto comparison = *compare_samples(first, second);
    alarms += is_change(decide(comparison, comparison.test.p, limit));
  }
  EXPECT_GT(alarms, 0.1 * pairs);
}

TEST(rates, a_family_of_cells_raises_one_alarm_as_rarely_as_one_cell) {
  synthetic random(6);
  int families_with_alarms = 0;
  constexpr int families = 500;
  for (int i = 0; i < families; ++i) {
    std::vector<two_sample_comparison> comparisons;
    std::vector<double> p_values;
    for (int cell = 0; cell < 12; ++cell) {
      comparisons.push_back(*compare_samples(random.sample(8, 0, 0.03), random.sample(8, 0, 0.03)));
      p_values.push_back(comparisons.back().test.p);
    }
    const std::vector<double> adjusted = holm(p_values);
    bool alarm = false;
    for (std::size_t cell = 0; cell < comparisons.size(); ++cell)
      alarm = alarm || is_change(decide(comparisons[cell], adjusted[cell], limit));
    families_with_alarms += alarm;
  }
  EXPECT_LE(families_with_alarms, 0.05 * families);
}

/// How many slow-downs of 5 % are found, interleaved with what they are compared with, at the repetitions
/// that a pilot pair recommends; `family` cells are compared at once.
int found(std::uint64_t seed, std::size_t pilot, double noise, double family) {
  synthetic random(seed);
  int found = 0;
  for (int i = 0; i < pairs; ++i) {
    const auto first_try = *compare_samples(random.sample(pilot, 0, noise), random.sample(pilot, 0.0, noise));
    const std::size_t repetitions =
        repetitions_needed(*first_try.noise, {.change = 0.05, .level = 0.05 / family}).value();
    const std::vector<double> first = random.sample(repetitions, 0, noise);
    const std::vector<double> second = random.sample(repetitions, std::log(1.05), noise);
    const auto comparison = *compare_samples(first, second);
    found += decide(comparison, std::min(1.0, family * comparison.test.p), limit) == outcome::higher;
  }
  return found;
}

TEST(rates, a_slow_down_of_five_percent_is_found_at_the_repetitions_recommended) {
  const int hits = found(7, 5, 0.03, 1);
  RecordProperty("found", hits);
  EXPECT_GE(hits, 0.95 * pairs);
}

TEST(rates, and_so_it_is_with_more_or_less_noise_or_many_cells) {
  EXPECT_GE(found(8, 5, 0.01, 1), 0.95 * pairs);
  EXPECT_GE(found(9, 5, 0.02, 10), 0.95 * pairs);
  EXPECT_GE(found(10, 10, 0.05, 1), 0.95 * pairs);
}

}  // namespace
}  // namespace dbdyno::results
