#pragma once

#include <chrono>
#include <optional>

namespace dbdyno {

/// CPU time by where it was spent, as the kernel samples it with its timer ticks.
///
/// Between two such samples a few milliseconds are booked to whichever side is seen then, so that a split of
/// less than min_split_window is a guess.
struct sampled_split {
  std::chrono::nanoseconds user{};
  std::chrono::nanoseconds system{};
};

inline constexpr std::chrono::seconds min_split_window{2};

/// The split of what was used between two readings `window` apart; absent where that is too short, a reading
/// is missing, or a figure went backwards, which the kernel's scaling of samples can make it do.
inline std::optional<sampled_split> split_between(const std::optional<sampled_split>& before,
                                                  const std::optional<sampled_split>& after,
                                                  std::chrono::nanoseconds window) noexcept {
  if (window < min_split_window || !before || !after) return std::nullopt;
  if (after->user < before->user || after->system < before->system) return std::nullopt;
  return sampled_split{after->user - before->user, after->system - before->system};
}

}  // namespace dbdyno
