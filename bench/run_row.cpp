#include "bench/run_row.hpp"

#include <thread>
#include <utility>
#include <vector>

#include "bench/pinning.hpp"
#include "bench/row_session.hpp"

namespace dbdyno {

row_result run_row(thread_runner run, row_plan plan, watchdog& dog) {
  row_session session(std::move(plan), dog);
  const unsigned count = session.plan().what.threads;
  if (count == 1) {
    const kept_cpus unpinned_again;
    run(session, 0);
  } else {
    std::vector<std::jthread> threads;
    // Signals come to this thread, which waits for them.
    const watchdog::undisturbed from_here_on;
    for (unsigned t = 0; t < count; ++t) threads.emplace_back([&session, run, t] { run(session, t); });
  }
  return session.result();
}

}  // namespace dbdyno
