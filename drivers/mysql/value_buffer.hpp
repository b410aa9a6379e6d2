#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <string_view>

namespace dbdyno {

/// Keeps the value of one reply while libmariadb reads the rest of that reply over its first copy.
class mysql_value_buffer {
 public:
  explicit mysql_value_buffer(std::size_t capacity)
      : bytes_(std::make_unique<char[]>(capacity)), capacity_(capacity) {}

  /// False where the value is longer than any that was asked for; it is then empty.
  bool assign(const char* bytes, std::size_t size) noexcept {
    size_ = size <= capacity_ ? size : 0;
    std::memcpy(bytes_.get(), bytes, size_);
    return size <= capacity_;
  }
  /// Valid until the next assign.
  std::string_view view() const noexcept { return {bytes_.get(), size_}; }

 private:
  std::unique_ptr<char[]> bytes_;
  std::size_t capacity_;
  std::size_t size_ = 0;
};

}  // namespace dbdyno
