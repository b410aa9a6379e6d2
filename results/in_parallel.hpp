#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <thread>
#include <vector>

namespace dbdyno::results {

/// Does work(0) to work(count - 1), in any order, on as many threads as there are CPUs. `work` is called from
/// several threads at a time.
/// Errors: once all are done, what the first of them in order threw.
template <class Work>
void in_parallel(std::size_t count, const Work& work) {
  std::vector<std::exception_ptr> errors(count);
  std::atomic<std::size_t> next = 0;
  const auto take_turns = [&] {
    for (std::size_t i = next++; i < count; i = next++) {
      try {
        work(i);
      } catch (...) {
        errors[i] = std::current_exception();
      }
    }
  };
  {
    std::vector<std::jthread> others(
        std::min<std::size_t>(count, std::max(1U, std::thread::hardware_concurrency())) -
        (count == 0 ? 0 : 1));
    for (std::jthread& each : others) each = std::jthread(take_turns);
    take_turns();
  }
  for (const std::exception_ptr& error : errors)
    if (error) std::rethrow_exception(error);
}

}  // namespace dbdyno::results
