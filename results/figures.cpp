#include "results/figures.hpp"

#include <fmt/format.h>

#include <cmath>

namespace dbdyno::results {

std::string with_thousands(std::uint64_t value) {
  std::string out = std::to_string(value);
  for (std::size_t at = out.size(); at > 3; at -= 3) out.insert(at - 3, 1, ',');
  return out;
}

std::string whole(double value) {
  return with_thousands(static_cast<std::uint64_t>(std::llround(value)));
}

std::string as_time(double nanoseconds) {
  if (nanoseconds < 999.5) return fmt::format("{:.3g} ns", nanoseconds);
  if (nanoseconds < 999.5e3) return fmt::format("{:.3g} us", nanoseconds / 1e3);
  if (nanoseconds < 999.5e6) return fmt::format("{:.3g} ms", nanoseconds / 1e6);
  return fmt::format("{:.3g} s", nanoseconds / 1e9);
}

std::string as_time(const std::optional<double>& nanoseconds) {
  return nanoseconds ? as_time(*nanoseconds) : "-";
}

}  // namespace dbdyno::results
