#include "results/base64.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <stdexcept>

namespace dbdyno::results {
namespace {

constexpr std::string_view alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::uint8_t not_a_digit = 64;

constexpr std::array<std::uint8_t, 256> digits = [] {
  std::array<std::uint8_t, 256> table{};
  table.fill(not_a_digit);
  for (std::size_t i = 0; i < alphabet.size(); ++i) {
    table[static_cast<unsigned char>(alphabet[i])] = static_cast<std::uint8_t>(i);
  }
  return table;
}();

[[noreturn]] void refuse(const char* reason) {
  throw std::runtime_error(std::string("not base64: ") + reason);
}

}  // namespace

std::string encode_base64(std::string_view bytes) {
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t held = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t group = 0;
    for (std::size_t j = 0; j < 3; ++j) {
      group = group << 8U | (j < held ? static_cast<unsigned char>(bytes[i + j]) : 0U);
    }
    for (std::size_t j = 0; j < 4; ++j) {
      text += j <= held ? alphabet[group >> (18 - 6 * j) & 63U] : '=';
    }
  }
  return text;
}

std::string decode_base64(std::string_view text) {
  if (text.size() % 4 != 0) refuse("its length is no multiple of 4");
  std::string bytes;
  bytes.reserve(text.size() / 4 * 3);
  for (std::size_t i = 0; i < text.size(); i += 4) {
    std::string_view quad = text.substr(i, 4);
    if (i + 4 == text.size()) {
      if (quad.ends_with('=')) quad.remove_suffix(1);
      if (quad.ends_with('=')) quad.remove_suffix(1);
    }
    std::uint32_t group = 0;
    for (const char c : quad) {
      const std::uint8_t digit = digits[static_cast<unsigned char>(c)];
      if (digit == not_a_digit) refuse("a character that is none of its digits");
      group = group << 6U | digit;
    }
    group <<= 6 * (4 - quad.size());
    const std::size_t held = quad.size() - 1;
    if ((group & (0xffffffU >> 8 * held)) != 0) refuse("bits after its end");
    for (std::size_t j = 0; j < held; ++j) bytes += static_cast<char>(group >> (16 - 8 * j) & 0xffU);
  }
  return bytes;
}

}  // namespace dbdyno::results
