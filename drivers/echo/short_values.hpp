#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string_view>

#include "drivers/echo/protocol.hpp"

namespace dbdyno {

/// Values for gets whose replies are too short to hold one: what came of the tag, the rest of the tag that
/// was asked for, then zeros.
///
/// Allocates at construction only.
class short_values {
 public:
  /// At most `window` gets are asked for and not answered.
  short_values(std::size_t window, std::size_t value_size)
      : mask_(std::bit_ceil(window) - 1),
        tags_(std::make_unique<std::uint64_t[]>(mask_ + 1)),
        value_size_(value_size),
        value_(std::make_unique<char[]>(std::max(value_size, echo_header::tag_size))) {}

  void ask(std::uint64_t tag) noexcept { tags_[asked_++ & mask_] = tag; }

  /// The value of the oldest get that is not answered. Lifetime: until the next answer.
  std::string_view answer(std::string_view reply) noexcept {
    std::memcpy(value_.get(), &tags_[answered_++ & mask_], echo_header::tag_size);
    std::memcpy(value_.get(), reply.data(), std::min(reply.size(), echo_header::tag_size));
    return {value_.get(), value_size_};
  }

 private:
  std::size_t mask_;  ///< the number of tags, a power of two, less one
  std::unique_ptr<std::uint64_t[]> tags_;
  std::size_t value_size_;
  std::unique_ptr<char[]> value_;
  std::uint64_t asked_ = 0;
  std::uint64_t answered_ = 0;
};

}  // namespace dbdyno
