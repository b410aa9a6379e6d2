#pragma once

#include <charconv>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <system_error>

#include "drivers/key.hpp"

namespace dbdyno {

/// The id of a key "dbdyno:<id>"; nullopt for any other text. An id that no data set can have is the largest
/// number.
inline std::optional<std::uint64_t> parse_data_key(std::string_view text) noexcept {
  constexpr std::uint64_t beyond_any = std::numeric_limits<std::uint64_t>::max();
  if (!text.starts_with(key::prefix)) return std::nullopt;
  text.remove_prefix(key::prefix.size());
  if (text.empty() || text.find_first_not_of("0123456789") != std::string_view::npos) return std::nullopt;
  if (text.front() == '0') return beyond_any;
  std::uint64_t id = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), id);
  return error == std::errc{} ? id : beyond_any;
}

}  // namespace dbdyno
