#pragma once

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
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

  // Inlined by force: a call would pass its three results through memory, at a third of the cost of the rest.
  [[gnu::always_inline]] decoded decode(op_kind kind, char* begin, char* end) noexcept {
    const auto size = static_cast<std::size_t>(end - begin);
    if (kind == op_kind::get) {
      // Values of a data set have one length, so the reply most likely has the header of the one before it.
      if (size >= likely_.size && (read_word(begin) & likely_.header_mask) == likely_.header &&
          ends_line(begin + likely_.size)) [[likely]] {
        return {likely_.size, op_status::ok, {begin + likely_.header_size, likely_.value_size}};
      }
      const decoded parsed = decode_get(begin, end);
      return {parsed.consumed, parsed.status, parsed.value};
    }
    constexpr std::string_view ok = "+OK\r\n";
    if (size >= ok.size() && std::memcmp(begin, ok.data(), ok.size()) == 0) [[likely]] {
      return {ok.size(), op_status::ok, {}};
    }
    const decoded rare = decode_other(kind, begin, end);
    return {rare.consumed, rare.status, rare.value};
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

  /// The key's length, its bytes and a line end.
  static char* put_key(char* out, const key& k) noexcept {
    const std::string_view text = k.text();
    // 8 to 17 bytes: "dbdyno:" and an id. Digits and line end in one store.
    const auto size = static_cast<std::uint32_t>(text.size());
    if (size >= 10) [[likely]] {
      const std::uint32_t line = std::uint32_t{'\n'} << 24 | std::uint32_t{'\r'} << 16 | '1';
      const std::uint32_t header = line + (('0' + size - 10) << 8);
      std::memcpy(out, &header, 4);
      out += 4;
    } else {
      *out = static_cast<char>('0' + size);
      out = put(out + 1, "\r\n");
    }
    std::memcpy(out, text.data(), key::text_capacity);
    return put(out + size, "\r\n");
  }

  static std::uint64_t read_word(const char* bytes) noexcept {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes, sizeof word);
    return word;
  }

  static bool ends_line(const char* end) noexcept { return std::memcmp(end - 2, "\r\n", 2) == 0; }

  decoded decode_get(char* begin, char* end) noexcept;
  decoded decode_string(char* begin, char* end) noexcept;
  decoded decode_other(op_kind kind, char* begin, char* end) noexcept;
  decoded broken(const char* begin, const char* end, std::string_view what) noexcept;
  void keep_error(std::string_view text) noexcept;

  /// What the latest whole string looked like; none has `size` as it is at first.
  struct likely_string {
    std::size_t size = std::numeric_limits<std::size_t>::max();
    std::uint64_t header = 0;  ///< "$100\r\n", in the machine's byte order
    std::uint64_t header_mask = 0;
    std::size_t header_size = 0;
    std::size_t value_size = 0;
  };

  target where_;
  std::size_t value_size_;
  likely_string likely_;
  char error_[120];
  std::size_t error_size_ = 0;
};
static_assert(wire_codec<redis_codec>);

}  // namespace dbdyno
