#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

namespace dbdyno::results {

/// Counts of durations in log-linear buckets, laid out as HdrHistogram does with 3 significant digits from 1
/// ns to 60 s: 1,024 linear steps for each doubling, so a bucket is at most 0.1 % wide.
///
/// Units: nanoseconds. Shapes: 27,648 counts of 64 bits, 221 KB, of which only the pages used are touched.
/// Threads: one histogram a thread, merged at the end.
/// Source: HdrHistogram 2.1.12, AbstractHistogram.java, with lowestDiscernibleValue 1.
class histogram {
 public:
  static constexpr std::uint64_t lowest = 1;
  static constexpr std::uint64_t highest = 60'000'000'000;
  static constexpr int significant_digits = 3;

  histogram();

  /// Durations above `highest` count as `highest` and as clamped; max() stays exact.
  void record(std::uint64_t duration, std::uint64_t times = 1) noexcept {
    sum_ += duration * times;
    if (duration > known_) [[unlikely]]
      duration = record_longest(duration, times);
    counts_[index_of(duration)] += times;
  }

  void merge(const histogram& other) noexcept;
  void clear() noexcept;
  /// Puts back what the buckets do not hold: for readers of histograms that were stored with it.
  void restore_exact(std::uint64_t max, std::uint64_t sum, std::uint64_t clamped) noexcept;

  std::uint64_t count() const noexcept;
  bool empty() const noexcept { return count() == 0; }
  std::uint64_t clamped() const noexcept { return clamped_; }
  /// The longest duration, exactly; 0 when empty.
  std::uint64_t max() const noexcept { return max_; }
  /// The sum of all durations, exactly.
  std::uint64_t sum() const noexcept { return sum_; }
  std::optional<double> mean() const noexcept;

  /// The highest duration that is equivalent, within its bucket, to the one below or at which `percent` of
  /// all lie, at 0 the lowest one of the first bucket; as HdrHistogram's getValueAtPercentile. None when
  /// empty.
  std::optional<std::uint64_t> percentile(double percent) const noexcept;
  /// The same, but none where fewer than `beyond` durations come after it in order: it would be a guess.
  std::optional<std::uint64_t> supported_percentile(double percent, std::uint64_t beyond = 10) const noexcept;
  /// How many durations of `n` lie below or at the percentile, 1 at least. In HdrHistogram's own steps, since
  /// another order of them would round elsewhere.
  static std::uint64_t rank_of(double percent, std::uint64_t n) noexcept;

  // The layout, for encodings.
  static constexpr std::size_t size = 27648;
  std::uint64_t count_at(std::size_t index) const noexcept { return counts_[index]; }
  static constexpr std::size_t index_of(std::uint64_t duration) noexcept {
    // Spelt so that it is one instruction, the position of the highest bit.
    const unsigned bucket =
        (static_cast<unsigned>(std::countl_zero(duration | (half * 2 - 1))) ^ 63U) - half_bits;
    return (std::size_t{bucket} << half_bits) + (duration >> bucket);
  }
  /// The shortest and the longest duration that index_of takes to `index`.
  static constexpr std::uint64_t lowest_at(std::size_t index) noexcept {
    const std::size_t bucket = index < half * 2 ? 0 : (index >> half_bits) - 1;
    return (index - (bucket << half_bits)) << bucket;
  }
  static constexpr std::uint64_t highest_at(std::size_t index) noexcept { return lowest_at(index + 1) - 1; }
  /// HdrHistogram's medianEquivalentValue.
  static constexpr std::uint64_t middle_at(std::size_t index) noexcept {
    return lowest_at(index) + (lowest_at(index + 1) - lowest_at(index)) / 2;
  }

  bool operator==(const histogram& other) const noexcept;

 private:
  static constexpr int half_bits = 10;
  static constexpr std::size_t half = std::size_t{1} << half_bits;

  struct free_counts {
    void operator()(std::uint64_t* counts) const noexcept;
  };
  std::unique_ptr<std::uint64_t[], free_counts> counts_;
  /// Takes note of a new maximum or of one that is clamped; returns the duration to count.
  std::uint64_t record_longest(std::uint64_t duration, std::uint64_t times) noexcept;

  std::uint64_t known_ = 0;  ///< the lesser of max_ and `highest`: nothing new up to here
  std::uint64_t max_ = 0;
  std::uint64_t sum_ = 0;
  std::uint64_t clamped_ = 0;
};

}  // namespace dbdyno::results
