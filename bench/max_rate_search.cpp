#include "bench/max_rate_search.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "drivers/errors.hpp"

namespace dbdyno {
namespace {

constexpr std::string_view figures[] = {"p50", "p90", "p99", "p999", "mean", "max"};

struct unit {
  std::string_view name;
  double nanoseconds;
};
// The longer names first: "ms" ends in "s" as well.
constexpr unit units[] = {{"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}};

/// Two or three digits are all that a search can tell apart, and they read better.
double rounded(double rate) noexcept {
  const double unit = std::pow(10, std::max(0.0, std::floor(std::log10(rate)) - 3));
  return std::max(1.0, std::round(rate / unit) * unit);
}

}  // namespace

latency_limit parse_latency_limit(std::string_view flag, std::string_view text) {
  const auto complain = [&] {
    return usage_error(fmt::format(
        "{}: '{}' is no limit; it takes one of p50, p90, p99, p999, mean, max and a time, such as p99=5ms",
        flag, text));
  };
  const auto equals = text.find('=');
  if (equals == std::string_view::npos) throw complain();
  const std::string_view figure = text.substr(0, equals);
  if (std::find(std::begin(figures), std::end(figures), figure) == std::end(figures)) throw complain();
  std::string_view time = text.substr(equals + 1);
  for (const unit& u : units) {
    if (!time.ends_with(u.name)) continue;
    time.remove_suffix(u.name.size());
    if (time.empty() || time.find_first_not_of("0123456789.") != std::string_view::npos) throw complain();
    double value = 0;
    try {
      std::size_t used = 0;
      value = std::stod(std::string(time), &used);
      if (used != time.size()) throw complain();
    } catch (const std::logic_error&) {
      throw complain();
    }
    const double nanoseconds = value * u.nanoseconds;
    if (nanoseconds < 1 || nanoseconds > 60e9) throw complain();
    return {std::string(figure), static_cast<std::uint64_t>(nanoseconds)};
  }
  throw complain();
}

std::string to_string(const latency_limit& limit) {
  const auto ns = static_cast<double>(limit.nanoseconds);
  for (auto u = std::rbegin(units); u != std::rend(units); ++u) {
    if (ns >= u->nanoseconds) return fmt::format("{}={:g}{}", limit.figure, ns / u->nanoseconds, u->name);
  }
  return limit.figure;
}

max_rate_search::max_rate_search(double closed_loop) noexcept
    : broke_(closed_loop * 1.5), rate_(rounded(closed_loop / 2)), lowest_(closed_loop / 256) {
}

std::optional<double> max_rate_search::next() const noexcept {
  if (steps_ == max_steps || rate_ < lowest_) return std::nullopt;
  if (kept_ > 0 && broke_ <= kept_ * 1.02) return std::nullopt;
  return rate_;
}

void max_rate_search::tell(bool kept) noexcept {
  ++steps_;
  (kept ? kept_ : broke_) = rate_;
  const double middle = kept_ > 0 ? (kept_ + broke_) / 2 : broke_ / 2;
  rate_ = rounded(middle);
  // Rounding must not try a rate again.
  if (rate_ <= kept_ || rate_ >= broke_) rate_ = middle;
}

}  // namespace dbdyno
