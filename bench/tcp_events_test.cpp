#include "bench/tcp_events.hpp"

#include <gtest/gtest.h>

namespace dbdyno {
namespace {

constexpr std::string_view netstat =
    "TcpExt: SyncookiesSent DelayedACKs DelayedACKLocked ListenOverflows TCPLostRetransmit TCPTimeouts "
    "TCPLossProbes "
    "TCPSynRetrans\n"
    "TcpExt: 0 6569 3 4 11 1968 6 1411\n"
    "IpExt: InNoRoutes DelayedACKs\n"
    "IpExt: 0 77\n";
constexpr std::string_view snmp =
    "Ip: Forwarding RetransSegs\nIp: 2 99\n"
    "Tcp: RtoAlgorithm MaxConn InSegs RetransSegs InErrs\n"
    "Tcp: 1 -1 38705151 1430 0\n";

TEST(TcpEvents, AreFoundByTheirNames) {
  const tcp_events events = parse_tcp_events(netstat, snmp);
  EXPECT_EQ(events.delayed_acks, 6569U);
  EXPECT_EQ(events.retransmitted_segments, 1430U);
  EXPECT_EQ(events.timeouts, 1968U);
  EXPECT_EQ(events.syn_retransmissions, 1411U);
  EXPECT_EQ(events.lost_retransmissions, 11U);
  EXPECT_EQ(events.loss_probes, 6U);
  EXPECT_EQ(events.listen_overflows, 4U);
}

TEST(TcpEvents, AreAbsentWhereTheKernelDoesNotCountThem) {
  const tcp_events events = parse_tcp_events("TcpExt: TCPTimeouts DelayedACKs\nTcpExt: 5\n", "");
  EXPECT_EQ(events.timeouts, 5U);
  EXPECT_FALSE(events.delayed_acks.has_value()) << "a name without a figure";
  EXPECT_FALSE(events.syn_retransmissions.has_value());
  EXPECT_FALSE(events.retransmitted_segments.has_value());
  EXPECT_FALSE(parse_tcp_events("TcpExt: TCPTimeouts\n", "").timeouts.has_value());
  EXPECT_FALSE(parse_tcp_events("TcpExt: TCPTimeouts\nIpExt: 5\n", "").timeouts.has_value());
}

TEST(TcpEvents, DifferenceKeepsTheCountersApart) {
  tcp_events before = parse_tcp_events(netstat, snmp);
  tcp_events after = before;
  after.delayed_acks = *after.delayed_acks + 1;
  after.retransmitted_segments = *after.retransmitted_segments + 2;
  after.timeouts = *after.timeouts + 3;
  after.syn_retransmissions = *after.syn_retransmissions + 4;
  after.lost_retransmissions = *after.lost_retransmissions - 1;
  after.loss_probes = *after.loss_probes + 5;
  after.listen_overflows.reset();
  const tcp_events events = events_between(before, after);
  EXPECT_EQ(events.delayed_acks, 1U);
  EXPECT_EQ(events.retransmitted_segments, 2U);
  EXPECT_EQ(events.timeouts, 3U);
  EXPECT_EQ(events.syn_retransmissions, 4U);
  EXPECT_FALSE(events.lost_retransmissions.has_value());
  EXPECT_EQ(events.loss_probes, 5U);
  EXPECT_FALSE(events.listen_overflows.has_value());
}

TEST(TcpEvents, AreCountedByThisKernel) {
  const tcp_events events = read_tcp_events();
  EXPECT_TRUE(events.delayed_acks && events.retransmitted_segments && events.timeouts &&
              events.syn_retransmissions);
}

}  // namespace
}  // namespace dbdyno
