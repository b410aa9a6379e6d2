#include "results/clean_text.hpp"

#include <cstddef>
#include <cstdint>

namespace dbdyno::results {
namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD";  // U+FFFD

/// Length of the well-formed UTF-8 sequence that `text` begins with, 0 if there is none.
/// Source: The Unicode Standard 15.0, table 3-7 (no overlong forms, no surrogates, nothing above U+10FFFF).
std::size_t sequence_length(std::string_view text) noexcept {
  const auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(text[i]); };
  const auto lead = byte(0);
  if (lead < 0x80) return 1;
  std::size_t length = 0;
  std::uint8_t second_min = 0x80;
  std::uint8_t second_max = 0xBF;
  if (lead >= 0xC2 && lead <= 0xDF) {
    length = 2;
  } else if (lead >= 0xE0 && lead <= 0xEF) {
    length = 3;
    if (lead == 0xE0) second_min = 0xA0;
    if (lead == 0xED) second_max = 0x9F;
  } else if (lead >= 0xF0 && lead <= 0xF4) {
    length = 4;
    if (lead == 0xF0) second_min = 0x90;
    if (lead == 0xF4) second_max = 0x8F;
  }
  if (length == 0 || text.size() < length) return 0;
  if (byte(1) < second_min || byte(1) > second_max) return 0;
  for (std::size_t i = 2; i < length; ++i) {
    if (byte(i) < 0x80 || byte(i) > 0xBF) return 0;
  }
  return length;
}

bool is_ascii_control(char c) noexcept {
  return static_cast<std::uint8_t>(c) < 0x20 || c == '\x7F';
}

bool is_c1_control(std::string_view sequence) noexcept {
  return sequence.size() == 2 && sequence[0] == '\xC2' && static_cast<std::uint8_t>(sequence[1]) < 0xA0;
}

}  // namespace

std::string clean_text(std::string_view text) {
  std::string clean;
  clean.reserve(text.size());
  while (!text.empty()) {
    const auto length = sequence_length(text);
    const auto sequence = text.substr(0, length);
    if (length == 0 || is_c1_control(sequence)) {
      clean += replacement;
    } else if (is_ascii_control(text[0])) {
      clean += ' ';
    } else {
      clean += sequence;
    }
    text.remove_prefix(length == 0 ? 1 : length);
  }
  return clean;
}

}  // namespace dbdyno::results
