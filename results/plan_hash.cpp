#include "results/plan_hash.hpp"

#include <fmt/format.h>

#include <cstdint>

namespace dbdyno::results {

std::string plan_hash(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char c : text) {
    hash ^= static_cast<std::uint8_t>(c);
    hash *= 0x100000001b3;
  }
  return fmt::format("{:016x}", hash);
}

}  // namespace dbdyno::results
