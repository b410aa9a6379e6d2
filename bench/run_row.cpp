#include "bench/run_row.hpp"

#include <thread>
#include <utility>
#include <vector>

#include "bench/row_session.hpp"

namespace dbdyno {

row_result run_row(thread_runner run, row_plan plan, watchdog& dog) {
  row_session session(std::move(plan), dog);
  {
    std::vector<std::jthread> threads;
    for (unsigned t = 0; t < session.plan().what.threads; ++t)
      threads.emplace_back([&session, run, t] { run(session, t); });
  }
  return session.result();
}

}  // namespace dbdyno
