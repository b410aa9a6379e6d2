#pragma once

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <string>
#include <string_view>

#include "drivers/cell_block.hpp"
#include "drivers/wire/codec.hpp"

namespace dbdyno {

/// GET and SET over RESP2 for the wire drivers; see wire_codec for the contract of each function.
///
/// Source: Redis serialization protocol specification, version 2.
class redis_codec {
 public:
  static constexpr std::string_view driver_name = "redis/wire";

  explicit redis_codec(const connect_options& options)
      : where_(options.where),
        bare_(options.bare),
        value_size_(options.value_size),
        is_multiget_(options.multiget_keys != 0),
        cells_(options.rows_from ? cell_block::usual_capacity
                                 : block_size(options.multiget_keys, options.value_size)) {}

  static std::uint16_t port(const connect_options& options) { return options.where.port; }
  static std::size_t request_capacity(const connect_options& options) {
    return std::max({set_overhead + options.value_size, rows_request_size,
                     multiget_overhead + options.multiget_keys * (1 + 2 + 2 + key::text_capacity + 2)});
  }

  void open(wire_stream& stream) const;

  op_status check(std::string_view value) const noexcept {
    return value.size() <= value_size_ ? op_status::ok : op_status::too_large;
  }

  char* append_get(char* out, const key& k) const noexcept {
    // The size of one move, of which the end is written over.
    constexpr char front[16] = "*2\r\n$3\r\nGET\r\n$";
    std::memcpy(out, front, sizeof front);
    return put_key(out + std::strlen(front), k);
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

  /// The hashes of the rows, one HGETALL each; together they are one request.
  static char* append_read_rows(char* out) noexcept {
    for (std::size_t row = 1; row <= rows_read; ++row) {
      out = put(out, "*2\r\n$7\r\nHGETALL\r\n$13\r\n");
      out += row_key_prefix.copy(out, row_key_prefix.size());
      *out++ = static_cast<char>('0' + row);
      out = put(out, "\r\n");
    }
    return out;
  }

  char* append_multiget(char* out, std::span<const key> keys) const noexcept {
    *out++ = '*';
    out = put(put_number(out, keys.size() + 1), "\r\n$4\r\nMGET\r\n");
    for (const key& k : keys) {
      *out++ = '$';
      out = put_key(out, k);
    }
    return out;
  }

  /// A string as long as the latest one: values of a data set have one length.
  class likely_string {
   public:
    likely_string() noexcept = default;
    likely_string(const char* begin, std::size_t header_size, std::size_t size) noexcept
        : size_(size),
          header_mask_(~std::uint64_t{0} >> (8 * (sizeof(std::uint64_t) - header_size))),
          header_(read_word(begin) & header_mask_),
          header_size_(header_size) {
      static_assert(std::endian::native == std::endian::little, "the header is in a word's low bytes");
    }
    std::size_t size() const noexcept { return size_; }
    bool is_at(const char* begin) const noexcept {
      return (read_word(begin) & header_mask_) == header_ && ends_line(begin + size_);
    }
    std::string_view value_at(const char* begin) const noexcept {
      return {begin + header_size_, size_ - header_size_ - 2};
    }

   private:
    std::size_t size_ = no_likely_size;
    std::uint64_t header_mask_ = 0;
    std::uint64_t header_ = 0;  ///< "$100\r\n", in the machine's byte order
    std::size_t header_size_ = 0;
  };
  likely_string likely_get() const noexcept { return likely_; }

  // Inlined by force: a call would pass its three results through memory, at a third of the cost of the rest.
  [[gnu::always_inline]] decoded decode(op_kind kind, char* begin, char* end) noexcept {
    const auto size = static_cast<std::size_t>(end - begin);
    if (kind == op_kind::get) {
      const decoded parsed = decode_get(begin, end);
      return {parsed.consumed, parsed.status, parsed.value};
    }
    if (kind == op_kind::block) [[unlikely]] {
      const decoded parsed = decode_block(begin, end);
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
  // The longest key is 17 bytes; the longest value's size has four digits.
  static constexpr std::size_t set_overhead = (14 + 2 + 2 + key::text_capacity + 2) + (1 + 20 + 2) + 2;
  /// And as far as the moves of a fixed size reach beyond a key.
  static constexpr std::size_t multiget_overhead = 1 + 20 + 14 + 32;
  static_assert(row_key_prefix.size() == 12 && rows_read <= 9, "append_read_rows spells the lengths out");
  static constexpr std::size_t rows_request_size = rows_read * (4 + 4 + 9 + 5 + 13 + 2);
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
    // 8 to 17 bytes: "dbdyno:" and an id.
    const std::size_t size = text.size();
    if (size >= 10) [[likely]] {
      *out++ = '1';
      *out++ = static_cast<char>('0' + (size - 10));
    } else {
      *out++ = static_cast<char>('0' + size);
    }
    // The line end and the first byte of all keys in one move, the up to 16 other bytes in another.
    std::memcpy(out, "\r\ndb", 4);
    std::memcpy(out + 3, text.data() + 1, 16);  // NOLINT(bugprone-not-null-terminated-result): no C string
    return put(out + 2 + size, "\r\n");
  }

  static std::uint64_t read_word(const char* bytes) noexcept {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes, sizeof word);
    return word;
  }

  static bool ends_line(const char* end) noexcept { return std::memcmp(end - 2, "\r\n", 2) == 0; }

  decoded decode_get(char* begin, char* end) noexcept;
  decoded decode_string(char* begin, char* end) noexcept;
  decoded decode_block(char* begin, char* end) noexcept;
  decoded decode_other(op_kind kind, char* begin, char* end) noexcept;
  decoded broken(const char* begin, const char* end, std::string_view what) noexcept;
  void keep_error(std::string_view text) noexcept;

  target where_;
  bool bare_;
  std::size_t value_size_;
  likely_string likely_;
  bool is_multiget_;
  cell_block cells_;  ///< of the rows, or the values of a multiget
  char error_[120];
  std::size_t error_size_ = 0;
};
static_assert(wire_codec<redis_codec>);

}  // namespace dbdyno
