#include "bench/tcp_events.hpp"

#include <fcntl.h>

#include <string>

#include "fixtures/growth.hpp"
#include "fixtures/proc_file.hpp"

namespace dbdyno {
namespace {

/// Finds "group: ... name ..." and takes the word at the same place of the line below.
std::optional<std::uint64_t> find_counter(std::string_view text, std::string_view group,
                                          std::string_view name) {
  while (!text.empty()) {
    std::string_view names = take_line(text);
    if (!names.starts_with(group) || take_word(names).size() != group.size()) continue;
    std::string_view values = take_line(text);
    if (take_word(values) != group) return std::nullopt;
    for (;;) {
      const std::string_view found = take_word(names);
      const std::string_view value = take_word(values);
      if (found.empty()) return std::nullopt;
      if (found == name) return whole_number(value);
    }
  }
  return std::nullopt;
}

}  // namespace

tcp_events read_tcp_events() {
  const auto netstat = read_proc_file(AT_FDCWD, "/proc/net/netstat");
  const auto snmp = read_proc_file(AT_FDCWD, "/proc/net/snmp");
  return parse_tcp_events(netstat.value_or(std::string()), snmp.value_or(std::string()));
}

tcp_events events_between(const tcp_events& before, const tcp_events& after) {
  tcp_events events;
  for (const auto member :
       {&tcp_events::delayed_acks, &tcp_events::retransmitted_segments, &tcp_events::timeouts,
        &tcp_events::syn_retransmissions, &tcp_events::lost_retransmissions, &tcp_events::loss_probes,
        &tcp_events::listen_overflows}) {
    events.*member = growth(before.*member, after.*member);
  }
  return events;
}

tcp_events parse_tcp_events(std::string_view netstat, std::string_view snmp) {
  tcp_events events;
  const auto extension = [&](std::string_view name) { return find_counter(netstat, "TcpExt:", name); };
  events.delayed_acks = extension("DelayedACKs");
  events.retransmitted_segments = find_counter(snmp, "Tcp:", "RetransSegs");
  events.timeouts = extension("TCPTimeouts");
  events.syn_retransmissions = extension("TCPSynRetrans");
  events.lost_retransmissions = extension("TCPLostRetransmit");
  events.loss_probes = extension("TCPLossProbes");
  events.listen_overflows = extension("ListenOverflows");
  return events;
}

}  // namespace dbdyno
