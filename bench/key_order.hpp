#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace dbdyno {

/// Which keys are asked for how often, and in which order.
///
/// - uniform: every key as often as any other.
/// - zipfian: the key of rank r as often as 1 / r^0.99, ranks scattered over the ids. As YCSB has it (B. F.
///   Cooper et al., "Benchmarking Cloud Serving Systems with YCSB", 2010).
/// - latest: the same, but the highest id has rank 1, the one below it rank 2, and so on.
/// - gaussian: around the middle id, with a standard deviation of a sixth of all keys.
/// - sequential: one id after the other, round after round.
enum class key_order : std::uint8_t { uniform, zipfian, latest, gaussian, sequential };

std::string_view to_string(key_order order) noexcept;

/// Errors: usage_error that names `flag` and what it takes.
key_order parse_key_order(std::string_view flag, std::string_view text);

/// `count` ids from 1 to `keys`, the same with every standard library.
std::vector<std::uint32_t> draw_ids(key_order order, std::uint32_t keys, std::size_t count,
                                    std::uint64_t seed, unsigned thread);

}  // namespace dbdyno
