#include "bench/probe.hpp"

#include <algorithm>
#include <utility>

#include "bench/run_row.hpp"

namespace dbdyno {
namespace {

/// Enough for every slot to be used a few times, but not for a pass that takes long.
std::uint64_t requests_for(const cell& what) {
  const std::uint64_t slots = std::uint64_t{what.connections} * what.depth;
  return std::max<std::uint64_t>({2000, std::min<std::uint64_t>(4 * slots, 100'000), slots});
}

std::optional<double> per_request(std::uint64_t value, std::uint64_t requests) {
  return static_cast<double>(value) / static_cast<double>(requests);
}

}  // namespace

probe_result probe(const planned_cell& planned, row_plan plan, watchdog& dog) {
  plan.rate.reset();
  plan.requests = requests_for(plan.what);
  plan.counts_allocations = true;
  plan.warmup = std::chrono::milliseconds(50);
  plan.duration = std::chrono::milliseconds(200);
  const row_result measured = run_row(planned.run, std::move(plan), dog);
  const std::uint64_t requests = measured.counts.issued();
  probe_result out;
  if (!measured.ok() || requests == 0) return out;
  if (measured.costs.heap) {
    out.allocations = per_request(measured.costs.heap->count, requests);
    out.allocated_bytes = per_request(measured.costs.heap->bytes, requests);
  }
  if (measured.costs.bytes) {
    out.bytes_sent = per_request(measured.costs.bytes->sent, requests);
    out.bytes_received = per_request(measured.costs.bytes->received, requests);
  }
  return out;
}

}  // namespace dbdyno
