#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>

#include "drivers/cell_block.hpp"
#include "drivers/connect_options.hpp"
#include "drivers/handlersocket/escape.hpp"
#include "drivers/handlersocket/utf8mb3.hpp"
#include "drivers/key.hpp"
#include "drivers/op_status.hpp"
#include "drivers/wire/codec.hpp"
#include "drivers/wire/stream.hpp"

namespace dbdyno {

/// HandlerSocket's find and find_modify on table_test, sans I/O: a wire_codec.
///
/// Shapes: keys are ids of the primary key; values are texts of the column `str`, varchar(1024) in utf8mb3.
/// Threads: one at a time.
/// Source: "The HandlerSocket protocol" (plugin/handler_socket/docs-en/protocol.en.txt of MariaDB 10.11).
class handlersocket_codec {
 public:
  static constexpr std::string_view driver_name = "handlersocket/native";
  static constexpr std::string_view default_database = "hs_test";
  static constexpr std::size_t column_characters = 1024;
  static constexpr std::size_t column_bytes = 3 * column_characters;
  /// No reply of an intact server is longer: the escapes that double a byte belong to characters of one byte.
  static constexpr std::size_t max_reply = 4096;  ///< for each row of it

  explicit handlersocket_codec(const connect_options& options);

  static std::uint16_t port(const connect_options& options) noexcept {
    return options.writes ? options.where.write_port : options.where.port;
  }

  /// Authenticates if the target has a secret and opens the index.
  /// Errors: setup_error.
  void open(wire_stream& stream) const;

  static std::size_t request_capacity(const connect_options& options) noexcept {
    const std::size_t set =
        find_prefix.size() + max_digits + modify_middle.size() + 2 * max_value(options) + 1;
    const std::size_t multiget = multiget_overhead + options.multiget_keys * (max_digits + 1);
    return std::max(set, multiget);
  }

  /// too_large: longer than the options' value_size or than the column; unstorable: not text in utf8mb3.
  op_status check(std::string_view value) const noexcept {
    if (value.size() > max_value_) return op_status::too_large;
    if (value.size() <= column_characters && handlersocket::is_ascii(value)) [[likely]]
      return op_status::ok;
    return check_characters(value);
  }

  char* append_get(char* out, const key& k) const noexcept {
    out = append_find(out, k);
    *out = '\n';
    return out + 1;
  }

  char* append_set(char* out, const key& k, std::string_view value) const noexcept {
    out = append_find(out, k);
    std::memcpy(out, modify_middle.data(), modify_middle.size());
    out = handlersocket::escape(out + modify_middle.size(), value);
    *out = '\n';
    return out + 1;
  }

  /// A find with a list of values for the key (IN), of which the first one is named twice.
  char* append_multiget(char* out, std::span<const key> keys) const noexcept;

  /// A row as long as the latest one: values of a data set have one length.
  class likely_row {
   public:
    likely_row() noexcept = default;
    explicit likely_row(std::size_t size) noexcept : size_(size) {}
    std::size_t size() const noexcept { return size_; }
    bool is_at(const char* begin) const noexcept {
      return starts_with(begin, row_prefix) && begin[size_ - 1] == '\n' &&
             handlersocket::is_clean(begin + row_prefix.size(), begin + size_ - 1);
    }
    std::string_view value_at(const char* begin) const noexcept {
      return {begin + row_prefix.size(), size_ - row_prefix.size() - 1};
    }

   private:
    std::size_t size_ = row_prefix.size() + 1;
  };
  likely_row likely_get() const noexcept { return likely_; }

  // Inlined by force, and the results of its calls copied, so that the likely path keeps its three results in
  // registers.
  [[gnu::always_inline]] decoded decode(op_kind kind, char* begin, char* end) noexcept {
    const auto size = static_cast<std::size_t>(end - begin);
    if (kind == op_kind::get) {
      const decoded searched = decode_get(begin, end);
      return {searched.consumed, searched.status, searched.value};
    }
    if (kind == op_kind::block) [[unlikely]] {
      const decoded parsed = decode_block(begin, end);
      return {parsed.consumed, parsed.status, parsed.value};
    }
    if (size >= one_modified.size() && starts_with(begin, one_modified)) [[likely]] {
      return {one_modified.size(), op_status::ok, {}};
    }
    const decoded rare = decode_rare(kind, begin, end);
    return {rare.consumed, rare.status, rare.value};
  }

  /// What was wrong with the latest reply that was neither ok nor not_found, and the front of it.
  std::string error_text() const { return {fault_, fault_size_}; }

 private:
  static constexpr std::string_view find_prefix = "1\t=\t1\t";      // index, comparison, number of key parts
  static constexpr std::string_view modify_middle = "\t1\t0\tU\t";  // limit, offset, update
  static constexpr std::string_view row_prefix = "0\t1\t";          // success, one column
  static constexpr std::string_view one_modified = "0\t1\t1\n";
  static constexpr std::size_t max_digits = 10;
  /// Prefix and first key, limit, offset, and what a list of values begins with.
  static constexpr std::size_t multiget_overhead = 64 + max_digits;
  static_assert(key::max_id <= 9'999'999'999);

  static constexpr std::size_t max_value(const connect_options& options) noexcept {
    return std::min(options.value_size, column_bytes);
  }

  static bool starts_with(const char* bytes, std::string_view prefix) noexcept {
    return std::memcmp(bytes, prefix.data(), prefix.size()) == 0;
  }

  static char* append_find(char* out, const key& k) noexcept {
    std::memcpy(out, find_prefix.data(), find_prefix.size());
    out += find_prefix.size();
    const std::string_view id = k.decimal();
    // Of a fixed size, so that it is two moves and no call: a key has room for ten digits, whatever its id.
    std::memcpy(out, id.data(), max_digits);
    return out + id.size();
  }

  op_status check_characters(std::string_view value) const noexcept;
  decoded decode_get(char* begin, char* end) noexcept;
  decoded decode_block(char* begin, char* end) noexcept;
  decoded decode_rare(op_kind kind, char* begin, char* end) noexcept;
  decoded decode_row(std::size_t consumed, char* begin, char* end) noexcept;
  decoded decode_modified(std::size_t consumed, std::string_view line, std::string_view count) noexcept;
  decoded fault(std::size_t consumed, op_status status, std::string_view what,
                std::string_view line) noexcept;

  /// Of what is said about a reply, and of the reply's own bytes, each of which may become four.
  static constexpr std::size_t max_fault = 64;

  std::size_t max_value_;
  std::size_t max_reply_;
  cell_block cells_;  ///< of a multiget
  likely_row likely_;
  char fault_[max_fault + 2 + 4 * max_fault];
  std::size_t fault_size_ = 0;
  std::string database_;
  std::string secret_;
};

}  // namespace dbdyno
