#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "results/histogram.hpp"
#include "results/run_file.hpp"

/// Whether a number may be believed. Every rule looks at what a row itself shows, says nothing where it
/// cannot know, and otherwise gives a reason with its figures.
namespace dbdyno::results {

/// A rule's finding: why not to believe, or nothing.
using finding = std::optional<std::string>;

/// The mean number of requests in flight is their rate times their mean latency (J. D. C. Little, 1961). A
/// closed loop keeps `in_flight` of them; where the product is more than 5 % off, latencies are missing or
/// made up. The requests cut off at the end of a window are allowed for. Units: rate in requests per second,
/// mean_latency in seconds; completed: requests that both are taken from; idle: the part of in_flight that
/// may have been missing for want of requests, 0 to 1.
finding break_of_littles_law(double in_flight, double rate, double mean_latency, std::uint64_t completed,
                             double idle = 0);

/// Replies that failed are no work, whatever the rate counts them as.
finding failed_replies(std::uint64_t failed, std::uint64_t issued);

/// Connections that the server refused at first, of all that were asked for. why: what it said.
finding refused_connections(std::uint64_t refused, std::uint64_t asked_for, const std::string& why);

/// A single reply that differs from what was stored.
finding wrong_answers(std::uint64_t wrong, std::uint64_t issued);

/// An open loop that issued less than 99 % of what was due.
/// Units: target and achieved in requests per second.
finding missed_target(std::uint64_t issued, std::uint64_t never_sent, double target, double achieved);

/// An open loop of a given number of requests, the last of which was issued more than 1 % of the schedule's
/// length after it was due.
/// Units: target in requests per second, lag in seconds.
finding lagging_schedule(std::uint64_t issued, double lag, double target);

/// More than 5 % of the requests were issued over 100 us after they were due.
finding late_generator(std::uint64_t late, std::uint64_t issued);

/// The client's core is over 90 % busy and the server's is not, so the server was not pushed to its limit.
/// Units: busy cores: CPU time / wall time.
finding client_is_bottleneck(double client_cores, double server_cores);

/// The halves of a window differ by more than 10 % of its mean rate, and by more than 3 standard deviations
/// of as many independent events.
/// Shapes: the rates in equal slices of the window; at least 4 for a finding. completed: in all of it.
finding drift(const std::vector<double>& slices, std::uint64_t completed);

/// The repetitions' coefficient of variation is above 10 %.
finding high_variation(double coefficient);

/// Fewer than 1,000: not enough for a 99th percentile.
finding few_samples(std::uint64_t completed);

/// Fewer than 2 completed for each one outstanding: what was issued while the queue was at its length is not
/// among them yet.
finding unfilled_queue(std::uint64_t completed, std::uint64_t outstanding);

/// What the kernel's TCP counted during a window, on the whole machine.
struct tcp_counts {
  std::uint64_t delayed_acks = 0;
  std::uint64_t retransmissions = 0;
  std::uint64_t timeouts = 0;
  std::uint64_t syn_retransmissions = 0;
};

/// Latencies that pile up where TCP's timers strike: 40 ms (delayed ACK), 200 ms (retransmission), 1,000 ms
/// (SYN retry).
finding clustered_latencies(const histogram& latencies, const std::optional<tcp_counts>& tcp);

/// Collects findings.
class verdict_builder {
 public:
  void invalid(finding why) { add(std::move(why), verdict_level::invalid); }
  void suspect(finding why) { add(std::move(why), verdict_level::suspect); }
  verdict result() const { return out_; }

 private:
  void add(finding why, verdict_level level);

  verdict out_{};
};

}  // namespace dbdyno::results
