#include "bench/judge.hpp"

#include <optional>

#include "results/statistics/moments.hpp"
#include "results/verdict_rules.hpp"

namespace dbdyno {
namespace {

bool is_networked(const cell& what) {
  return what.via != transport::in_process;
}

std::optional<results::tcp_counts> tcp_counts_of(const tcp_events& events) {
  if (!events.delayed_acks || !events.retransmitted_segments || !events.timeouts ||
      !events.syn_retransmissions)
    return std::nullopt;
  return results::tcp_counts{.delayed_acks = *events.delayed_acks,
                             .retransmissions = *events.retransmitted_segments,
                             .timeouts = *events.timeouts,
                             .syn_retransmissions = *events.syn_retransmissions};
}

double seconds(std::chrono::nanoseconds length) {
  return std::chrono::duration<double>(length).count();
}

/// Inside the window, misses and failures included.
void check_littles_law(results::verdict_builder& verdict, const row_result& row) {
  const residence& is = row.in_flight;
  const double window = seconds(row.window);
  if (is.requests == 0 || is.room.count() <= 0) return;
  const auto completed = static_cast<double>(is.requests);
  verdict.invalid(results::break_of_littles_law(seconds(is.room) / window, completed / window,
                                                seconds(is.time) / completed, is.requests,
                                                seconds(is.tail) / seconds(is.room)));
}

/// What an open loop's schedule came to.
void check_rate(results::verdict_builder& verdict, const cell& what, const row_result& row) {
  verdict.invalid(results::missed_target(row.counts.issued(), row.keeping.never_sent, *what.rate,
                                         row.operations_per_second));
  if (row.keeping.lag)
    verdict.invalid(results::lagging_schedule(row.counts.issued(), seconds(*row.keeping.lag), *what.rate));
}

results::verdict judge_row(const cell& what, const row_result& row, std::optional<double> variation) {
  results::verdict_builder verdict;
  const auto failed = results::failed_replies(row.counts.errors(), row.counts.issued());
  if (!row.ok()) {
    verdict.invalid(row.error);
    verdict.invalid(failed);
    return verdict.result();
  }
  verdict.invalid(results::refused_connections(row.refused_connections, what.connections, row.refusal));
  // Within the budget that the user has set.
  verdict.suspect(failed);
  verdict.invalid(results::wrong_answers(row.counts.of(op_status::wrong_reply), row.counts.issued()));
  if (what.rate) {
    check_rate(verdict, what, row);
    verdict.suspect(results::late_generator(row.keeping.late, row.counts.issued()));
  } else {
    check_littles_law(verdict, row);
    // A given number of requests is a burst if the user wants one.
    if (row.in_flight.tail.count() == 0)
      verdict.suspect(results::unfilled_queue(row.operations, std::uint64_t{what.connections} * what.depth));
  }
  if (const auto busy = row.costs.server_busy(); busy && is_networked(what) && !row.costs.spins)
    verdict.suspect(results::client_is_bottleneck(row.costs.busiest_core, *busy));
  verdict.suspect(results::drift(row.slices, row.operations));
  if (variation) verdict.suspect(results::high_variation(*variation));
  verdict.suspect(results::few_samples(row.operations));
  // The time in a queue is none of TCP's.
  const bool queues = !row.times.service.empty();
  if (is_networked(what))
    verdict.suspect(results::clustered_latencies(queues ? row.times.service : row.times.ok,
                                                 tcp_counts_of(row.costs.tcp)));
  return verdict.result();
}

std::optional<double> variation_of(const finished_run& run, std::size_t cell) {
  std::vector<double> rates;
  for (std::size_t i = 0; i < run.results.size(); ++i) {
    if (run.order[i].cell == cell && run.results[i] && run.results[i]->ok())
      rates.push_back(run.results[i]->operations_per_second);
  }
  return results::coefficient_of_variation(rates);
}

}  // namespace

std::vector<results::verdict> judge(const finished_run& run) {
  std::vector<std::optional<double>> variations;
  for (std::size_t c = 0; c < run.plan.cells.size(); ++c) variations.push_back(variation_of(run, c));
  std::vector<results::verdict> out(run.results.size());
  for (std::size_t i = 0; i < run.results.size(); ++i) {
    const std::size_t cell = run.order[i].cell;
    if (run.results[i]) out[i] = judge_row(run.plan.cells[cell].what, *run.results[i], variations[cell]);
  }
  return out;
}

bool missed_rate(const cell& what, const row_result& row) {
  if (!what.rate || !row.ok()) return false;
  results::verdict_builder verdict;
  check_rate(verdict, what, row);
  return verdict.result().level == results::verdict_level::invalid;
}

}  // namespace dbdyno
