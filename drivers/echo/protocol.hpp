#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace dbdyno {

/// The front of an echo request: how long the request is, how long the reply shall be, and what it starts
/// with.
///
/// Shapes: on the wire u16 request_size, u16 reply_size, u64 tag, little endian, then filler of any bytes up
/// to request_size. The reply is the tag's bytes, as many as fit, then filler up to reply_size. Replies come
/// in the order of the requests; a request that is not well_formed() ends the connection.
struct echo_header {
  static constexpr std::size_t size = 12;
  static constexpr std::size_t tag_size = sizeof(std::uint64_t);
  static constexpr std::size_t max_message = 65535;

  std::uint16_t request_size = 0;
  std::uint16_t reply_size = 0;
  std::uint64_t tag = 0;

  bool well_formed() const noexcept { return request_size >= size && reply_size != 0; }

  /// Writes `size` bytes.
  void write(char* out) const noexcept {
    std::memcpy(out, &request_size, sizeof request_size);
    std::memcpy(out + sizeof request_size, &reply_size, sizeof reply_size);
    std::memcpy(out + size - tag_size, &tag, tag_size);
  }

  /// Reads `size` bytes.
  static echo_header read(const char* bytes) noexcept {
    static_assert(std::endian::native == std::endian::little, "the wire's byte order");
    echo_header header;
    std::memcpy(&header.request_size, bytes, sizeof header.request_size);
    std::memcpy(&header.reply_size, bytes + sizeof header.request_size, sizeof header.reply_size);
    std::memcpy(&header.tag, bytes + size - tag_size, tag_size);
    return header;
  }
};

}  // namespace dbdyno
