#include "bench/traffic.hpp"

// Not netinet/tcp.h, whose struct tcp_info ends before the counters of bytes.
#include <linux/tcp.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <cstddef>

namespace dbdyno {

std::optional<traffic> read_traffic(std::span<const int> sockets) noexcept {
  constexpr std::size_t needed =
      offsetof(tcp_info, tcpi_bytes_received) + sizeof(tcp_info::tcpi_bytes_received);
  if (sockets.empty()) return std::nullopt;
  traffic sum;
  for (const int fd : sockets) {
    tcp_info info{};
    socklen_t size = sizeof info;
    if (::getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &size) != 0 || size < needed) return std::nullopt;
    sum.sent += info.tcpi_bytes_acked;
    sum.received += info.tcpi_bytes_received;
  }
  return sum;
}

std::optional<traffic> traffic_between(const std::optional<traffic>& before,
                                       const std::optional<traffic>& after) noexcept {
  if (!before || !after || after->sent < before->sent || after->received < before->received)
    return std::nullopt;
  return traffic{after->sent - before->sent, after->received - before->received};
}

}  // namespace dbdyno
