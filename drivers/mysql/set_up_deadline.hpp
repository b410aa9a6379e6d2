#pragma once

#include <fcntl.h>
#include <sys/socket.h>

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "drivers/wire/unique_fd.hpp"

namespace dbdyno {

/// Shuts a socket down unless set-up is over in time: libmariadb has no deadline for what comes after
/// connecting that could be lifted again, and a server that has gone mute would be waited for without end.
///
/// Works on a duplicate of `socket`, since libmariadb closes its own on errors.
class set_up_deadline {
 public:
  set_up_deadline(int socket, std::chrono::steady_clock::time_point until)
      : socket_(::fcntl(socket, F_DUPFD_CLOEXEC, 0)), thread_([this, until] {
          std::unique_lock lock(mutex_);
          if (!ended_.wait_until(lock, until, [this] { return over_; })) ::shutdown(socket_.get(), SHUT_RDWR);
        }) {}
  set_up_deadline(const set_up_deadline&) = delete;
  set_up_deadline& operator=(const set_up_deadline&) = delete;
  ~set_up_deadline() {
    {
      const std::lock_guard lock(mutex_);
      over_ = true;
    }
    ended_.notify_one();
    thread_.join();
  }

 private:
  unique_fd socket_;
  std::mutex mutex_;
  std::condition_variable ended_;
  bool over_ = false;
  std::thread thread_;
};

}  // namespace dbdyno
