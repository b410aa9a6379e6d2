#include "bench/row_session.hpp"

#include <algorithm>
#include <utility>

namespace dbdyno {

row_session::row_session(row_plan plan, watchdog& dog)
    : plan_(std::move(plan)),
      dog_(dog),
      barrier_(static_cast<std::ptrdiff_t>(plan_.what.threads), phase_starter{this}),
      results_(plan_.what.threads) {
}

std::uint64_t row_session::share(std::uint64_t total, unsigned thread) const noexcept {
  const std::uint64_t threads = plan_.what.threads;
  return total / threads + (thread < total % threads ? 1 : 0);
}

void row_session::fail(std::string error) {
  const std::lock_guard lock(mutex_);
  if (error_.empty()) error_ = std::move(error);
}

bool row_session::arrive() {
  barrier_.arrive_and_wait();
  return goes_on_;
}

void row_session::start_next_phase() noexcept {
  {
    const std::lock_guard lock(mutex_);
    goes_on_ = error_.empty() && dog_.signal() == 0;
  }
  if (!goes_on_) return;
  const bool warmup = phase_++ == 0;
  if (plan_.requests) {
    dog_.start_window(std::nullopt);
  } else {
    dog_.start_window(warmup ? plan_.warmup : plan_.duration);
  }
}

row_result row_session::result() const {
  row_result out;
  {
    const std::lock_guard lock(mutex_);
    out.error = error_;
  }
  for (const thread_result& one : results_) {
    out.counts += one.counts;
    out.client_cpu += one.cpu;
    const std::chrono::nanoseconds window = one.end - one.begin;
    if (window.count() <= 0) continue;
    out.window = std::max(out.window, window);
    out.operations_per_second +=
        static_cast<double>(one.counts.operations()) * 1e9 / static_cast<double>(window.count());
  }
  if (out.error.empty() && dog_.signal() != 0) out.error = "interrupted";
  if (out.error.empty() && out.counts.operations() == 0) {
    out.error =
        out.counts.misses() != 0 ? "every key was missing: is the target loaded?" : "no operation completed";
  }
  return out;
}

}  // namespace dbdyno
