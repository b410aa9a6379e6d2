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
  std::string_view digits_alone = text;
  for (int padding = 0; padding < 2 && digits_alone.ends_with('='); ++padding) digits_alone.remove_suffix(1);
  std::string bytes(text.size() / 4 * 3, '\0');
  std::size_t size = 0;
  for (std::size_t i = 0; i < digits_alone.size(); i += 4) {
    const std::string_view quad = digits_alone.substr(i, 4);
    std::uint32_t group = 0;
    for (std::size_t j = 0; j < 4; ++j) {
      const std::uint8_t digit = j < quad.size() ? digits[static_cast<unsigned char>(quad[j])] : 0;
      if (digit == not_a_digit) refuse("a character that is none of its digits");
      group = group << 6U | digit;
    }
    const std::size_t held = quad.size() - 1;
    if ((group & (0xffffffU >> 8 * held)) != 0) refuse("bits after its end");
    for (std::size_t j = 0; j < 3; ++j) bytes[size + j] = static_cast<char>(group >> (16 - 8 * j) & 0xffU);
    size += held;
  }
  bytes.resize(size);
  return bytes;
}

}  // namespace dbdyno::results
