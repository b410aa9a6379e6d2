#pragma once

#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <stdexcept>
#include <utility>

#include "drivers/wire/unique_fd.hpp"

namespace dbdyno {

/// For tests of meters: a child process that does one job each time it is told to, and waits in between.
class worker_process {
 public:
  template <class Job>
  explicit worker_process(Job job) {
    std::array<int, 2> ends{};
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
      throw std::runtime_error("no pair of sockets");
    channel_.reset(ends[0]);
    unique_fd childs_end(ends[1]);
    pid_ = ::fork();
    if (pid_ < 0) throw std::runtime_error("no process");
    if (pid_ != 0) return;
    channel_.reset();  // so that it ends when its parent does
    char order = 0;
    while (::read(childs_end.get(), &order, 1) == 1) {
      order = static_cast<char>(job());
      if (::write(childs_end.get(), &order, 1) != 1) break;
    }
    ::_exit(0);
  }
  worker_process(const worker_process&) = delete;
  worker_process& operator=(const worker_process&) = delete;
  ~worker_process() { end(); }

  pid_t pid() const noexcept { return pid_; }

  /// Has the job done and returns what it returned, 0 to 127.
  int work() {
    char answer = 0;
    if (::write(channel_.get(), &answer, 1) != 1 || ::read(channel_.get(), &answer, 1) != 1)
      throw std::runtime_error("the worker is gone");
    return answer;
  }

  /// Ends and reaps it; its number is free then.
  void end() {
    channel_.reset();
    if (const pid_t pid = std::exchange(pid_, -1); pid > 0) ::waitpid(pid, nullptr, 0);
  }

 private:
  unique_fd channel_;
  pid_t pid_ = -1;
};

}  // namespace dbdyno
