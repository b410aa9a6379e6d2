#include "results/histogram.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <new>
#include <numeric>

namespace dbdyno::results {

static_assert(histogram::index_of(histogram::highest) < histogram::size);

void histogram::free_counts::operator()(std::uint64_t* counts) const noexcept {
  std::free(counts);
}

// calloc's pages come untouched: a histogram of failures that never happen costs no memory.
histogram::histogram() : counts_(static_cast<std::uint64_t*>(std::calloc(size, sizeof(std::uint64_t)))) {
  if (!counts_) throw std::bad_alloc();
}

std::uint64_t histogram::record_longest(std::uint64_t duration, std::uint64_t times) noexcept {
  max_ = std::max(max_, duration);
  known_ = std::min(max_, highest);
  if (duration <= highest) return duration;
  clamped_ += times;
  return highest;
}

void histogram::merge(const histogram& other) noexcept {
  if (other.max_ == 0 && other.count() == 0) return;
  for (std::size_t i = 0; i <= index_of(other.known_); ++i) {
    // Reading leaves a page that was never used as it is; adding 0 to it would not.
    if (other.counts_[i] != 0) counts_[i] += other.counts_[i];
  }
  max_ = std::max(max_, other.max_);
  known_ = std::min(max_, highest);
  sum_ += other.sum_;
  clamped_ += other.clamped_;
}

void histogram::clear() noexcept {
  for (std::size_t i = 0; i < size; ++i) {
    // A page that was never used stays so.
    if (counts_[i] != 0) counts_[i] = 0;
  }
  known_ = max_ = sum_ = clamped_ = 0;
}

void histogram::restore_exact(std::uint64_t max, std::uint64_t sum, std::uint64_t clamped) noexcept {
  max_ = max;
  known_ = std::min(max_, highest);
  sum_ = sum;
  clamped_ = clamped;
}

std::uint64_t histogram::count() const noexcept {
  // Nothing lies beyond, and most histograms end far below the longest that could be.
  return std::accumulate(counts_.get(), counts_.get() + index_of(known_) + 1, std::uint64_t{0});
}

std::optional<double> histogram::mean() const noexcept {
  const std::uint64_t n = count();
  if (n == 0) return std::nullopt;
  return static_cast<double>(sum_) / static_cast<double>(n);
}

std::uint64_t histogram::rank_of(double percent, std::uint64_t n) noexcept {
  // One unit in the last place less, so that rounding errors do not reach into the next bucket.
  const double part =
      std::clamp(std::nextafter(percent, -std::numeric_limits<double>::infinity()), 0.0, 100.0);
  return std::max<std::uint64_t>(
      1, static_cast<std::uint64_t>(std::ceil(part * static_cast<double>(n) / 100.0)));
}

std::optional<std::uint64_t> histogram::percentile(double percent) const noexcept {
  const std::uint64_t n = count();
  if (n == 0) return std::nullopt;
  const std::uint64_t rank = std::min(rank_of(percent, n), n);
  std::uint64_t seen = 0;
  std::size_t index = 0;
  while ((seen += counts_[index]) < rank) ++index;
  return percent == 0 ? lowest_at(index) : highest_at(index);
}

std::optional<std::uint64_t> histogram::supported_percentile(double percent,
                                                             std::uint64_t beyond) const noexcept {
  const std::uint64_t n = count();
  const std::uint64_t rank = rank_of(percent, n);
  if (n < rank || n - rank < beyond) return std::nullopt;
  return percentile(percent);
}

bool histogram::operator==(const histogram& other) const noexcept {
  return max_ == other.max_ && sum_ == other.sum_ && clamped_ == other.clamped_ &&
         std::equal(counts_.get(), counts_.get() + size, other.counts_.get());
}

}  // namespace dbdyno::results
