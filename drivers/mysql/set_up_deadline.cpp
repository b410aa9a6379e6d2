#include "drivers/mysql/set_up_deadline.hpp"

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstring>

#include "drivers/errors.hpp"

namespace dbdyno {
namespace {

void shut_down(int, siginfo_t* info, void*) noexcept {
  const int error_before = errno;
  ::shutdown(info->si_value.sival_int, SHUT_RDWR);
  errno = error_before;
}

int timer_signal() noexcept {
  static const int installed = [] {
    struct sigaction action {};
    action.sa_sigaction = shut_down;
    action.sa_flags = SA_SIGINFO | SA_RESTART;
    sigaction(SIGRTMIN + 1, &action, nullptr);
    return SIGRTMIN + 1;
  }();
  return installed;
}

}  // namespace

set_up_deadline::set_up_deadline(std::string_view driver, const target& where, int socket,
                                 std::chrono::steady_clock::time_point until)
    : socket_(::fcntl(socket, F_DUPFD_CLOEXEC, 0)) {
  // Whoever has started this process may have blocked it.
  sigset_t own;
  sigemptyset(&own);
  sigaddset(&own, timer_signal());
  pthread_sigmask(SIG_UNBLOCK, &own, nullptr);
  sigevent event{};
  // To this thread, so that no signal is on its way any more once timer_delete() has returned.
  event.sigev_notify = SIGEV_THREAD_ID;
  event._sigev_un._tid = ::gettid();
  event.sigev_signo = timer_signal();
  event.sigev_value.sival_int = socket_.get();
  if (!socket_ || ::timer_create(CLOCK_MONOTONIC, &event, &timer_) != 0)
    throw setup_error(driver, "set a time limit for", where.masked(), std::strerror(errno));
  // A time of 0 would never come.
  const auto at = std::max<std::int64_t>(1, std::chrono::nanoseconds(until.time_since_epoch()).count());
  itimerspec when{};
  when.it_value = {at / 1'000'000'000, at % 1'000'000'000};
  ::timer_settime(timer_, TIMER_ABSTIME, &when, nullptr);
}

set_up_deadline::~set_up_deadline() {
  ::timer_delete(timer_);
}

}  // namespace dbdyno
