#include "bench/key_order.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numbers>
#include <random>

#include "drivers/errors.hpp"

namespace dbdyno {
namespace {

constexpr std::string_view names[] = {"uniform", "zipfian", "latest", "gaussian", "sequential"};

/// From here on by hand: the standard's distributions may draw differently with another library.
class random_source {
 public:
  random_source(std::uint64_t seed, unsigned thread) {
    std::seed_seq both{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32), thread};
    engine_.seed(both);
  }

  /// From 0 to below `count`.
  std::uint32_t below(std::uint32_t count) {
    return static_cast<std::uint32_t>(((engine_() >> 32) * count) >> 32);
  }
  /// From 0 to below 1.
  double unit() { return static_cast<double>(engine_() >> 11) * 0x1p-53; }

 private:
  std::mt19937_64 engine_;
};

/// Draws ranks from 1 to n, rank r with a probability in proportion to 1 / r^exponent, without a table.
/// Source: W. Hoermann, G. Derflinger, "Rejection-inversion to generate variates from monotone discrete
/// distributions", ACM TOMACS 6 (1996).
class zipf {
 public:
  explicit zipf(std::uint32_t n) noexcept
      : n_(n), first_(area(1.5) - 1), last_(area(n + 0.5)), accept_(2 - area_to(area(2.5) - height(2))) {}

  std::uint32_t draw(random_source& random) const {
    while (true) {
      const double u = last_ + random.unit() * (first_ - last_);
      const double x = area_to(u);
      const double rank = std::min(std::max(std::floor(x + 0.5), 1.0), static_cast<double>(n_));
      if (rank - x <= accept_ || u >= area(rank + 0.5) - height(rank))
        return static_cast<std::uint32_t>(rank);
    }
  }

 private:
  static constexpr double exponent = 0.99;

  static double height(double x) noexcept { return std::pow(x, -exponent); }
  /// The integral of height, and its inverse.
  static double area(double x) noexcept { return std::pow(x, 1 - exponent) / (1 - exponent); }
  static double area_to(double y) noexcept { return std::pow(y * (1 - exponent), 1 / (1 - exponent)); }

  std::uint32_t n_;
  double first_;
  double last_;
  double accept_;
};

/// A bijection on 0 .. n - 1 without a pattern: one on the next power of two, repeated until it is inside.
std::uint32_t scatter(std::uint32_t index, std::uint32_t n) noexcept {
  std::uint64_t size = 1;
  unsigned bits = 0;
  for (; size < n; size *= 2) ++bits;
  const std::uint64_t mask = size - 1;
  const unsigned half = bits / 2 + 1;
  std::uint64_t x = index;
  do {
    x = (x * 0x9e3779b97f4a7c15 + 0x5851f42d4c957f2d) & mask;
    x ^= x >> half;
    x = (x * 0xbf58476d1ce4e5b9) & mask;
    x ^= x >> half;
  } while (x >= n);
  return static_cast<std::uint32_t>(x);
}

/// Box and Muller's method; what falls outside is drawn again.
std::uint32_t gaussian_id(random_source& random, std::uint32_t keys) {
  const double n = keys;
  while (true) {
    const double radius = std::sqrt(-2 * std::log(1 - random.unit()));
    const double normal = radius * std::cos(2 * std::numbers::pi * random.unit());
    const double at = std::floor(n / 2 + normal * n / 6);
    if (at >= 0 && at < n) return static_cast<std::uint32_t>(at) + 1;
  }
}

}  // namespace

std::string_view to_string(key_order order) noexcept {
  return names[static_cast<std::size_t>(order)];
}

key_order parse_key_order(std::string_view flag, std::string_view text) {
  for (std::size_t i = 0; i < std::size(names); ++i) {
    if (text == names[i]) return static_cast<key_order>(i);
  }
  throw usage_error(fmt::format("{}: '{}' is none of {}", flag, text, fmt::join(names, ", ")));
}

std::vector<std::uint32_t> draw_ids(key_order order, std::uint32_t keys, std::size_t count,
                                    std::uint64_t seed, unsigned thread) {
  random_source random(seed, thread);
  const zipf ranks(keys);
  std::vector<std::uint32_t> out;
  out.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    switch (order) {
      case key_order::uniform:
        out.push_back(random.below(keys) + 1);
        break;
      case key_order::zipfian:
        out.push_back(scatter(ranks.draw(random) - 1, keys) + 1);
        break;
      case key_order::latest:
        out.push_back(keys - ranks.draw(random) + 1);
        break;
      case key_order::gaussian:
        out.push_back(gaussian_id(random, keys));
        break;
      case key_order::sequential:
        out.push_back(static_cast<std::uint32_t>(i % keys) + 1);
        break;
    }
  }
  return out;
}

}  // namespace dbdyno
