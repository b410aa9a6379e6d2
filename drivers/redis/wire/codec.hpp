#pragma once

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "drivers/wire/codec.hpp"

namespace dbdyno {

/// GET and SET over RESP2 for the wire drivers; see wire_codec for the contract of each function.
///
/// Source: Redis serialization protocol specification, version 2.
class redis_codec {
 public:
  static constexpr std::string_view driver_name = "redis/wire";

  explicit redis_codec(const connect_options& options)
      : where_(options.where), value_size_(options.value_size) {}

  static std::uint16_t port(const connect_options& options) { return options.where.port; }
  static std::size_t request_capacity(const connect_options& options) {
    return options.writes ? set_overhead + options.value_size : get_capacity;
  }

  void open(wire_stream& stream) const;

  op_status check(std::string_view value) const noexcept {
    return value.size() <= value_size_ ? op_status::ok : op_status::too_large;
  }

  char* append_get(char* out, const key& k) const noexcept {
    return put_key(put(out, "*2\r\n$3\r\nGET\r\n$"), k);
  }

  char* append_set(char* out, const key& k, std::string_view value) const noexcept {
    out = put_key(put(out, "*3\r\n$3\r\nSET\r\n$"), k);
    *out++ = '$';
    out = put_number(out, value.size());
    out = put(out, "\r\n");
    // Not memcpy: an empty view may point nowhere.
    value.copy(out, value.size());
    return put(out + value.size(), "\r\n");
  }

  decoded decode(op_kind kind, char* begin, char* end) noexcept {
    if (kind == op_kind::get && *begin == '$') [[likely]]
      return decode_string(begin, end);
    constexpr std::string_view ok = "+OK\r\n";
    if (kind == op_kind::set && static_cast<std::size_t>(end - begin) >= ok.size() &&
        std::memcmp(begin, ok.data(), ok.size()) == 0) [[likely]] {
      return {ok.size(), op_status::ok, {}};
    }
    return decode_other(kind, begin, end);
  }

  std::string error_text() const { return {error_, error_size_}; }

 private:
  // The longest key is 17 bytes, copied as text_capacity; the longest value's size has four digits.
  static constexpr std::size_t get_capacity = 14 + 2 + 2 + key::text_capacity + 2;
  static constexpr std::size_t set_overhead = get_capacity + 1 + 20 + 2 + 2;
  /// Of a reply other than a string; Redis's own errors stay far below.
  static constexpr std::size_t max_line = 65536;
  static constexpr std::uint64_t max_string = 512ULL * 1024 * 1024;

  template <std::size_t Size>
  static char* put(char* out, const char (&text)[Size]) noexcept {
    std::memcpy(out, text, Size - 1);
    return out + Size - 1;
  }

  static char* put_number(char* out, std::size_t number) noexcept {
    if (number < 10) {
      *out++ = static_cast<char>('0' + number);
      return out;
    }
    return std::to_chars(out, out + 20, number).ptr;
  }

  static char* put_key(char* out, const key& k) noexcept {
    const std::string_view text = k.text();
    // 8 to 17 bytes: "dbdyno:" and an id.
    const auto size = static_cast<unsigned>(text.size());
    if (size >= 10) {
      *out++ = '1';
      *out++ = static_cast<char>('0' + size - 10);
    } else {
      *out++ = static_cast<char>('0' + size);
    }
    out = put(out, "\r\n");
    std::memcpy(out, text.data(), key::text_capacity);
    return put(out + size, "\r\n");
  }

  /// "$<length>\r\n<bytes>\r\n" or "$-1\r\n", of which the $ is there.
  decoded decode_string(char* begin, char* end) noexcept {
    std::uint64_t length = 0;
    char* at = begin + 1;
    for (; at != end; ++at) {
      const auto digit = static_cast<unsigned>(*at - '0');
      if (digit > 9) break;
      length = length * 10 + digit;
      if (length > max_string) [[unlikely]]
        return broken(begin, end, "a string longer than 512 MB");
    }
    if (at == end) [[unlikely]]
      return {};
    if (at == begin + 1) [[unlikely]]
      return decode_other(op_kind::get, begin, end);
    if (end - at < 2) [[unlikely]]
      return {};
    if (at[0] != '\r' || at[1] != '\n') [[unlikely]]
      return broken(begin, end, "a length that is no number");
    at += 2;
    if (static_cast<std::uint64_t>(end - at) < length + 2) [[unlikely]]
      return {};
    char* const after = at + length;
    if (after[0] != '\r' || after[1] != '\n') [[unlikely]]
      return broken(begin, end, "a string longer than it says");
    return {
        static_cast<std::size_t>(after + 2 - begin), op_status::ok, {at, static_cast<std::size_t>(length)}};
  }

  decoded decode_other(op_kind kind, char* begin, char* end) noexcept;
  decoded broken(const char* begin, const char* end, std::string_view what) noexcept;
  void keep_error(std::string_view text) noexcept;

  target where_;
  std::size_t value_size_;
  char error_[120];
  std::size_t error_size_ = 0;
};
static_assert(wire_codec<redis_codec>);

}  // namespace dbdyno
