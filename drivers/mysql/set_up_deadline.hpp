#pragma once

#include <chrono>
#include <ctime>
#include <string_view>

#include "drivers/target.hpp"
#include "drivers/wire/unique_fd.hpp"

namespace dbdyno {

/// Shuts a socket down unless set-up is over in time: libmariadb has no deadline for what comes after
/// connecting that could be lifted again, and a server that has gone mute would be waited for without end.
///
/// A timer's signal to the constructing thread does it, SIGRTMIN + 1, for which it installs a handler: a
/// thread would have glibc's allocator and system calls take a longer way from then on.
/// Works on a duplicate of `socket`, since libmariadb closes its own on errors.
/// Threads: constructed and destroyed by one.
class set_up_deadline {
 public:
  /// Errors: setup_error, of `driver` and `where`, without a timer.
  set_up_deadline(std::string_view driver, const target& where, int socket,
                  std::chrono::steady_clock::time_point until);
  set_up_deadline(const set_up_deadline&) = delete;
  set_up_deadline& operator=(const set_up_deadline&) = delete;
  ~set_up_deadline();

 private:
  unique_fd socket_;
  timer_t timer_{};
};

}  // namespace dbdyno
