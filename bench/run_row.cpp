#include "bench/run_row.hpp"

#include <thread>
#include <utility>
#include <vector>

#include "bench/pinning.hpp"
#include "bench/row_session.hpp"

namespace dbdyno {

row_result run_row(thread_runner run, row_plan plan, watchdog& dog) {
  row_session session(std::move(plan), dog);
  {
    const kept_cpus unpinned_again;
    std::vector<std::jthread> others;
    {
      const watchdog::undisturbed not_the_others;
      for (unsigned t = 1; t < session.plan().what.threads; ++t)
        others.emplace_back([&session, run, t] { run(session, t); });
    }
    run(session, 0);
  }
  return session.result();
}

}  // namespace dbdyno
