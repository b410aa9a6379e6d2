#include "drivers/handlersocket/utf8mb3.hpp"

namespace dbdyno::handlersocket {
namespace {

/// Bytes of the character at the front of [at, end), or 0 where there is none.
std::size_t character_size(const unsigned char* at, const unsigned char* end) noexcept {
  const auto continues = [&](std::ptrdiff_t index) { return end - at > index && (at[index] & 0xc0) == 0x80; };
  if (at[0] < 0x80) return 1;
  if (at[0] < 0xc2) return 0;  // a continuation byte, or an overlong form of ASCII
  if (at[0] < 0xe0) return continues(1) ? 2 : 0;
  if (at[0] > 0xef || !continues(1) || !continues(2)) return 0;
  const bool overlong = at[0] == 0xe0 && at[1] < 0xa0;
  return overlong ? 0 : 3;
}

}  // namespace

std::optional<std::size_t> count_utf8mb3(std::string_view text) noexcept {
  const auto* at = reinterpret_cast<const unsigned char*>(text.data());
  const auto* const end = at + text.size();
  std::size_t characters = 0;
  for (; at != end; ++characters) {
    const std::size_t size = character_size(at, end);
    if (size == 0) return std::nullopt;
    at += size;
  }
  return characters;
}

}  // namespace dbdyno::handlersocket
