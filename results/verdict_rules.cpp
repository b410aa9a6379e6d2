#include "results/verdict_rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "results/figures.hpp"

namespace dbdyno::results {
namespace {

double share(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

std::uint64_t count_between(const histogram& latencies, double from_ms, double to_ms) {
  const auto index = [](double ms) { return histogram::index_of(static_cast<std::uint64_t>(ms * 1e6)); };
  std::uint64_t sum = 0;
  for (std::size_t i = index(from_ms); i < index(to_ms); ++i) sum += latencies.count_at(i);
  return sum;
}

/// One of TCP's timers and the range in which a latency that waited for it ends.
struct timer {
  double at_ms;
  double until_ms;
  const char* name;
};
constexpr timer timers[] = {{40, 46, "delayed ACK"}, {200, 225, "retransmission"}, {1000, 1080, "SYN retry"}};

/// Whether the range holds a peak: not a few, and far more than as wide a range on either side.
bool piles_up(const histogram& latencies, const timer& at, std::uint64_t total) {
  const double width = at.until_ms - at.at_ms;
  const std::uint64_t inside = count_between(latencies, at.at_ms, at.until_ms);
  const std::uint64_t below = count_between(latencies, at.at_ms - 1.5 * width, at.at_ms - 0.5 * width);
  const std::uint64_t above = count_between(latencies, at.until_ms + 0.5 * width, at.until_ms + 1.5 * width);
  return inside >= 10 && share(inside, total) >= 0.001 && inside > 5 * std::max(below, above);
}

}  // namespace

finding break_of_littles_law(double in_flight, double rate, double mean_latency, std::uint64_t completed,
                             double idle) {
  if (in_flight <= 0 || completed == 0) return std::nullopt;
  const double seen = rate * mean_latency;
  const double allowed = 0.05 + in_flight / static_cast<double>(completed);
  const double off = seen / in_flight - 1;
  if (off <= allowed && off >= -allowed - idle) return std::nullopt;
  return fmt::format(
      "Little's law: {:.4g} requests per second with a mean latency of {:.4g} ms make {:.4g} in flight, not "
      "{:g}",
      rate, mean_latency * 1e3, seen, in_flight);
}

finding failed_replies(std::uint64_t failed, std::uint64_t issued) {
  if (failed == 0) return std::nullopt;
  return fmt::format("{} of {} requests failed ({:.2g} %)", failed, issued, 100 * share(failed, issued));
}

finding refused_connections(std::uint64_t refused, std::uint64_t asked_for, const std::string& why) {
  if (refused == 0) return std::nullopt;
  return fmt::format("{} of {} connections were refused ({}); only the others went on", refused, asked_for,
                     why);
}

finding wrong_answers(std::uint64_t wrong, std::uint64_t issued) {
  if (wrong == 0) return std::nullopt;
  return fmt::format("{} of {} replies were not what was stored", wrong, issued);
}

finding missed_target(std::uint64_t issued, std::uint64_t never_sent, double target, double achieved) {
  const std::uint64_t due = issued + never_sent;
  if (share(never_sent, due) <= 0.01) return std::nullopt;
  return fmt::format(
      "target rate missed: {:.0f} per second were due, {:.0f} were done; {} of {} requests never sent",
      target, achieved, never_sent, due);
}

finding lagging_schedule(std::uint64_t issued, double lag, double target) {
  const double planned = static_cast<double>(issued) / target;
  if (lag <= 0.01 * planned) return std::nullopt;
  return fmt::format(
      "target rate missed: {:.0f} per second were due, but the last of {} requests was issued {:.3g} s "
      "behind "
      "a schedule of {:.3g} s",
      target, issued, lag, planned);
}

finding late_generator(std::uint64_t late, std::uint64_t issued) {
  if (share(late, issued) <= 0.05) return std::nullopt;
  return fmt::format(
      "the generator fell behind: {} of {} requests were issued more than 100 us after they were due: the "
      "client was busy or no slot was free",
      late, issued);
}

finding client_is_bottleneck(double client_cores, double server_cores) {
  if (client_cores <= 0.9 || server_cores >= 0.9) return std::nullopt;
  return fmt::format("the client is the bottleneck: its core is {:.0f} % busy, the server's {:.0f} %",
                     100 * client_cores, 100 * server_cores);
}

finding drift(const std::vector<double>& slices, std::uint64_t completed) {
  if (slices.size() < 4) return std::nullopt;
  const auto half = static_cast<std::ptrdiff_t>(slices.size() / 2);
  const auto mean_of = [](auto begin, auto end) {
    return std::accumulate(begin, end, 0.0) / static_cast<double>(end - begin);
  };
  const double first = mean_of(slices.begin(), slices.begin() + half);
  const double second = mean_of(slices.end() - half, slices.end());
  const double all = mean_of(slices.begin(), slices.end());
  // Two halves of n / 2 events each differ by sqrt(n) of them, which is 2 / sqrt(n) of one half.
  const double noise = completed == 0 ? 1 : 3 * 2 / std::sqrt(static_cast<double>(completed));
  if (all <= 0 || std::abs(second - first) <= std::max(0.1, noise) * all) return std::nullopt;
  const auto rate = [](double value) { return value < 999.5 ? fmt::format("{:.3g}", value) : whole(value); };
  return fmt::format("drift inside the run: {} per second in its first half, {} in its second", rate(first),
                     rate(second));
}

finding high_variation(double coefficient) {
  if (coefficient <= 0.1) return std::nullopt;
  return fmt::format("the repetitions vary by {:.0f} % (coefficient of variation)", 100 * coefficient);
}

finding few_samples(std::uint64_t completed) {
  if (completed >= 1000) return std::nullopt;
  return fmt::format("only {} operations: too few for a 99th percentile", completed);
}

finding unfilled_queue(std::uint64_t completed, std::uint64_t outstanding) {
  if (completed / 2 >= outstanding) return std::nullopt;
  return fmt::format(
      "only {} operations with {} outstanding: the latencies are those of the first ones; give a "
      "longer "
      "--duration",
      completed, outstanding);
}

finding clustered_latencies(const histogram& latencies, const std::optional<tcp_counts>& tcp) {
  const std::uint64_t total = latencies.count();
  std::string out;
  for (const timer& at : timers) {
    if (!piles_up(latencies, at, total)) continue;
    out += fmt::format("{}{} latencies of {:g} to {:g} ms ({})", out.empty() ? "" : ", ",
                       count_between(latencies, at.at_ms, at.until_ms), at.at_ms, at.until_ms, at.name);
  }
  if (out.empty()) return std::nullopt;
  if (tcp) {
    out += fmt::format(
        "; meanwhile the kernel counted {} delayed ACKs, {} retransmissions, {} time-outs, {} SYN "
        "retries",
        tcp->delayed_acks, tcp->retransmissions, tcp->timeouts, tcp->syn_retransmissions);
  }
  return out;
}

void verdict_builder::add(finding why, verdict_level level) {
  if (!why) return;
  out_.level = std::max(out_.level, level);
  out_.reasons.push_back(std::move(*why));
}

}  // namespace dbdyno::results
