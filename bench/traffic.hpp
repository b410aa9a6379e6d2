#pragma once

#include <cstdint>
#include <optional>
#include <span>

namespace dbdyno {

/// Payload of TCP connections as this end's kernel counts it: no headers, nothing twice that was
/// retransmitted. Units: bytes. Only differences mean something: a connection's first byte sent is its SYN.
struct traffic {
  std::uint64_t sent = 0;      ///< and acknowledged by the other end
  std::uint64_t received = 0;  ///< in order, whether read by the program or not
  bool operator==(const traffic&) const = default;
};

/// The sum over open sockets; absent if there are none, any of them is not a TCP socket, or the kernel is
/// older than these counters (4.1).
///
/// `sent` lags by what is not acknowledged yet. The reply to the last request acknowledges that request, so
/// read after it has come. Source: linux/tcp.h, tcpi_bytes_acked and tcpi_bytes_received (RFC 4898).
std::optional<traffic> read_traffic(std::span<const int> sockets) noexcept;

/// Absent where either is, or where a counter went backwards: a connection was replaced.
std::optional<traffic> traffic_between(const std::optional<traffic>& before,
                                       const std::optional<traffic>& after) noexcept;

}  // namespace dbdyno
