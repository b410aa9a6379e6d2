#pragma once

#include <cerrno>
#include <cstddef>
#include <cstring>
#include <memory>

#include "drivers/wire/socket_calls.hpp"

namespace dbdyno {

/// Bytes received and not yet decoded, always contiguous.
///
/// Allocates at construction, and again only when one reply is larger than the whole buffer. Its memory is
/// not cleared, which a connection for one request would pay for.
class receive_buffer {
 public:
  explicit receive_buffer(std::size_t capacity)
      : bytes_(std::make_unique_for_overwrite<char[]>(capacity)),
        capacity_(capacity),
        begin_(bytes_.get()),
        end_(bytes_.get()) {}

  char* begin() noexcept { return begin_; }
  char* end() noexcept { return end_; }
  bool empty() const noexcept { return begin_ == end_; }
  void consume(std::size_t bytes) noexcept {
    begin_ += bytes;
    if (begin_ == end_) begin_ = end_ = bytes_.get();
  }

  void clear() noexcept { begin_ = end_ = bytes_.get(); }

  /// One recv() into the free space. Returns what recv returned: 0 when the peer closed, -1 with errno set.
  ssize_t receive(int fd, int flags) noexcept {
    if (end_ == bytes_.get() + capacity_) make_room();
    ssize_t got = 0;
    do {
      got = receive_bytes(fd, end_, static_cast<std::size_t>(bytes_.get() + capacity_ - end_), flags);
    } while (got < 0 && errno == EINTR);
    if (got > 0) end_ += got;
    return got;
  }

 private:
  void make_room() noexcept {
    const auto held = static_cast<std::size_t>(end_ - begin_);
    if (begin_ != bytes_.get()) {
      std::memmove(bytes_.get(), begin_, held);
    } else {
      auto larger = std::make_unique_for_overwrite<char[]>(capacity_ * 2);
      std::memcpy(larger.get(), begin_, held);
      bytes_ = std::move(larger);
      capacity_ *= 2;
    }
    begin_ = bytes_.get();
    end_ = begin_ + held;
  }

  std::unique_ptr<char[]> bytes_;
  std::size_t capacity_;
  char* begin_;
  char* end_;
};

}  // namespace dbdyno
