#pragma once

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace dbdyno {

/// A key of the data set in every form a driver needs, prepared before timing.
///
/// Shapes: id is 1 to 2^31-1 (an SQL INT). The tag is eight bytes, read in the machine's byte order, that
/// stand at the front of every value stored under this key. Threads: immutable after construction.
class key {
 public:
  static constexpr std::uint32_t max_id = 0x7fffffff;
  static constexpr std::string_view prefix = "dbdyno:";
  /// text().data() and decimal().data() may be copied in one piece of a fixed size: so many bytes after the
  /// start of text() are readable, and the same less prefix.size() after that of decimal().
  static constexpr std::size_t text_capacity = 19;

  key() noexcept : key(0, 0) {}
  key(std::uint32_t id, std::uint64_t tag) noexcept : tag_(tag), id_(id) {
    std::memcpy(text_, prefix.data(), prefix.size());
    const auto end = std::to_chars(text_ + prefix.size(), text_ + sizeof text_, id).ptr;
    text_size_ = static_cast<std::uint8_t>(end - text_);
  }

  std::uint32_t id() const noexcept { return id_; }
  std::uint64_t tag() const noexcept { return tag_; }
  /// "dbdyno:42"
  std::string_view text() const noexcept { return {text_, text_size_}; }
  /// "42"
  std::string_view decimal() const noexcept {
    return {text_ + prefix.size(), static_cast<std::size_t>(text_size_) - prefix.size()};
  }

 private:
  std::uint64_t tag_;
  std::uint32_t id_;
  std::uint8_t text_size_;
  char text_[text_capacity] = {};
};
static_assert(sizeof(key) == 32, "two keys to a cache line");

}  // namespace dbdyno
