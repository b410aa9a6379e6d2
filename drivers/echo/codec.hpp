#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <string_view>

#include "drivers/echo/exchange_sizes.hpp"
#include "drivers/echo/protocol.hpp"
#include "drivers/echo/short_values.hpp"
#include "drivers/wire/codec.hpp"

namespace dbdyno {

/// Gets and sets as exchanges of so many bytes with an echo server; see wire_codec for the contract of each
/// function. A request carries the key's tag and no value, and its filler is not even written: copying a
/// value is a client's cost, not the wire's.
///
/// Errors: the constructor throws setup_error where a message would be too long.
/// Source: drivers/echo/README.md.
class echo_codec {
 public:
  static constexpr std::string_view driver_name = "echo/socket";

  explicit echo_codec(const connect_options& options);

  static std::uint16_t port(const connect_options& options) { return options.where.port; }
  static std::size_t request_capacity(const connect_options& options) {
    const echo_exchange_sizes sizes = echo_sizes(options);
    return std::max(sizes.get.request_bytes, sizes.set.request_bytes);
  }

  void open(wire_stream& stream) const;

  op_status check(std::string_view value) const noexcept {
    return value.size() <= value_size_ ? op_status::ok : op_status::too_large;
  }

  char* append_get(char* out, const key& k) const noexcept {
    if (short_values_) [[unlikely]]
      short_values_->ask(k.tag());
    return append(out, sizes_.get, k);
  }
  char* append_set(char* out, const key& k, std::string_view) const noexcept {
    return append(out, sizes_.set, k);
  }

  /// Any bytes of the one size that every reply to a get has.
  class likely_reply {
   public:
    likely_reply(std::size_t size, std::size_t value_size) noexcept : size_(size), value_size_(value_size) {}
    std::size_t size() const noexcept { return size_; }
    bool is_at(const char*) const noexcept { return true; }
    std::string_view value_at(const char* begin) const noexcept { return {begin, value_size_}; }

   private:
    std::size_t size_;
    std::size_t value_size_;
  };
  likely_reply likely_get() const noexcept { return {likely_size_, value_size_}; }

  decoded decode(op_kind kind, char* begin, char* end) noexcept {
    const std::size_t size = kind == op_kind::get ? sizes_.get.reply_bytes : sizes_.set.reply_bytes;
    if (static_cast<std::size_t>(end - begin) < size) return {};
    if (kind == op_kind::set) return {size, op_status::ok, {}};
    return {size, op_status::ok,
            short_values_ ? short_values_->answer({begin, size}) : std::string_view{begin, value_size_}};
  }

  /// Any reply of the right size is right, and the server says nothing else.
  std::string error_text() const { return {}; }

 private:
  static char* append(char* out, exchange_size size, const key& k) noexcept {
    echo_header{.request_size = size.request_bytes, .reply_size = size.reply_bytes, .tag = k.tag()}.write(
        out);
    return out + size.request_bytes;
  }

  echo_exchange_sizes sizes_;
  std::size_t value_size_;
  std::size_t likely_size_ = no_likely_size;
  std::unique_ptr<short_values> short_values_;  ///< only where a get's reply is too short for a value
};
static_assert(wire_codec<echo_codec>);

}  // namespace dbdyno
