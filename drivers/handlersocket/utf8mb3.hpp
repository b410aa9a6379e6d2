#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>

/// What MariaDB keeps of a text written into a column of character set utf8mb3: only well-formed sequences of
/// up to three bytes. Everything else it replaces by question marks and answers success.
namespace dbdyno::handlersocket {

inline bool is_ascii(std::string_view text) noexcept {
  std::uint64_t seen = 0;
  const char* at = text.data();
  const char* const end = at + text.size();
  for (; end - at >= 8; at += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, at, sizeof word);
    seen |= word;
  }
  std::uint8_t rest = 0;
  for (; at != end; ++at) rest |= static_cast<std::uint8_t>(*at);
  return ((seen & 0x8080808080808080) | (rest & 0x80U)) == 0;
}

/// Characters of `text`, or nothing where the column would damage it. Encoded surrogates (ED A0..BF xx) pass:
/// they are not valid UTF-8, but MariaDB 10.11 keeps them as they are.
std::optional<std::size_t> count_utf8mb3(std::string_view text) noexcept;

}  // namespace dbdyno::handlersocket
