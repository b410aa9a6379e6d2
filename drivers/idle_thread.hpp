#pragma once

#include <condition_variable>
#include <mutex>
#include <thread>

namespace dbdyno {

/// A thread that waits. glibc's allocator and its system calls take a longer way in a process with more than
/// one thread, as most are that use a client library; dbdyno-bench has its watchdog.
class idle_thread {
 public:
  idle_thread() = default;
  idle_thread(const idle_thread&) = delete;
  idle_thread& operator=(const idle_thread&) = delete;
  ~idle_thread() {
    {
      const std::lock_guard lock(mutex_);
      over_ = true;
    }
    wake_.notify_one();
    thread_.join();
  }

 private:
  std::mutex mutex_;
  std::condition_variable wake_;
  bool over_ = false;
  std::thread thread_{[this] {
    std::unique_lock lock(mutex_);
    wake_.wait(lock, [this] { return over_; });
  }};
};

}  // namespace dbdyno
