#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace dbdyno {

/// What makes a connection wait at 40, 200 or 1,000 ms, counted by the kernel over all connections of this
/// network namespace, everybody's. Absent where this kernel does not count it. Source:
/// Documentation/networking/snmp_counter.rst of Linux; the names beside the members.
struct tcp_events {
  std::optional<std::uint64_t> delayed_acks{};            ///< TcpExt DelayedACKs
  std::optional<std::uint64_t> retransmitted_segments{};  ///< Tcp RetransSegs
  std::optional<std::uint64_t> timeouts{};                ///< TcpExt TCPTimeouts
  std::optional<std::uint64_t> syn_retransmissions{};     ///< TcpExt TCPSynRetrans
  std::optional<std::uint64_t> lost_retransmissions{};    ///< TcpExt TCPLostRetransmit
  std::optional<std::uint64_t> loss_probes{};             ///< TcpExt TCPLossProbes
  std::optional<std::uint64_t> listen_overflows{};        ///< TcpExt ListenOverflows: accept queue full
};

/// Since boot. For between windows: it opens and reads two files.
tcp_events read_tcp_events();
tcp_events events_between(const tcp_events& before, const tcp_events& after);

/// netstat, snmp: the texts of /proc/net/netstat and /proc/net/snmp. Counters are found by their names,
/// whatever their order.
tcp_events parse_tcp_events(std::string_view netstat, std::string_view snmp);

}  // namespace dbdyno
