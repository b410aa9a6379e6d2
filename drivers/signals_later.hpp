#pragma once

#include <csignal>

namespace dbdyno {

/// Keeps signals from this thread while it lives, except SIGINT and SIGTERM: for a library's call that has a
/// time-out of its own. Of such calls some fail where a signal interrupts them (hiredis connecting), and some
/// begin their time-out anew (libmariadb). Costs two system calls.
class signals_later {
 public:
  signals_later() noexcept {
    sigset_t most;
    sigfillset(&most);
    sigdelset(&most, SIGINT);
    sigdelset(&most, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &most, &before_);
  }
  signals_later(const signals_later&) = delete;
  signals_later& operator=(const signals_later&) = delete;
  ~signals_later() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

 private:
  sigset_t before_{};
};

}  // namespace dbdyno
