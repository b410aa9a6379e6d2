// Preloaded into a program, makes its wall clock step back by a second whenever it is looked at, and leaves
// the other clocks alone: what is measured must not change.
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include <atomic>

namespace {

std::atomic<long> steps{0};

long stepped_back(long seconds) {
  return seconds - ++steps;
}

}  // namespace

extern "C" {

int clock_gettime(clockid_t clock, timespec* out) noexcept {
  const auto status = static_cast<int>(::syscall(SYS_clock_gettime, clock, out));
  if (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE) out->tv_sec = stepped_back(out->tv_sec);
  return status;
}

int gettimeofday(timeval* out, void*) noexcept {
  timespec now{};
  ::syscall(SYS_clock_gettime, CLOCK_REALTIME, &now);
  *out = {stepped_back(now.tv_sec), now.tv_nsec / 1000};
  return 0;
}

time_t time(time_t* out) noexcept {
  timespec now{};
  ::syscall(SYS_clock_gettime, CLOCK_REALTIME, &now);
  const time_t seconds = stepped_back(now.tv_sec);
  if (out != nullptr) *out = seconds;
  return seconds;
}
}
