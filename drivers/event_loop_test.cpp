#include "drivers/event_loop.hpp"

#include <event2/event.h>
#include <gtest/gtest.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <latch>
#include <memory>
#include <thread>

#include "drivers/wire/unique_fd.hpp"

namespace dbdyno {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr time_point whenever = time_point::max();

/// A descriptor that can be made readable, and counts how often the loop says that it is.
class signalled {
 public:
  explicit signalled(event_loop& loop)
      : fd_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)),
        event_(event_new(loop.base(), fd_.get(), EV_READ | EV_PERSIST, on_readable, this), event_free) {
    event_add(event_.get(), nullptr);
  }
  void signal() const {
    const std::uint64_t one = 1;
    EXPECT_EQ(::write(fd_.get(), &one, sizeof one), static_cast<ssize_t>(sizeof one));
  }
  int calls() const { return calls_; }

 private:
  static void on_readable(int fd, short, void* self) {
    std::uint64_t count = 0;
    EXPECT_EQ(::read(fd, &count, sizeof count), static_cast<ssize_t>(sizeof count));
    ++static_cast<signalled*>(self)->calls_;
  }
  unique_fd fd_;
  std::unique_ptr<event, void (*)(event*)> event_;
  int calls_ = 0;
};

TEST(event_loop, runs_the_callbacks_of_what_is_ready) {
  event_loop loop("a driver");
  const signalled first(loop);
  const signalled second(loop);
  first.signal();
  second.signal();
  loop.run_once(whenever);
  EXPECT_EQ(first.calls(), 1);
  EXPECT_EQ(second.calls(), 1);
  second.signal();
  loop.run_once(whenever);
  EXPECT_EQ(first.calls(), 1);
  EXPECT_EQ(second.calls(), 2);
}

TEST(event_loop, returns_at_wait_until_and_not_before) {
  event_loop loop("a driver");
  const signalled idle(loop);
  for (int i = 0; i < 3; ++i) {
    const auto soon = steady_clock::now() + milliseconds(5);
    loop.run_once(soon);
    EXPECT_GE(steady_clock::now(), soon);
  }
  EXPECT_EQ(idle.calls(), 0);
}

TEST(event_loop, does_not_wait_for_what_is_past) {
  event_loop loop("a driver");
  for (const time_point past : {steady_clock::now(), time_point{}, time_point::min()}) {
    loop.run_once(past);
    loop.run_once(past);
  }
}

TEST(event_loop, takes_a_wait_until_that_changes_in_either_direction) {
  event_loop loop("a driver");
  const signalled ready(loop);
  ready.signal();
  loop.run_once(whenever);
  const auto soon = steady_clock::now() + milliseconds(5);
  loop.run_once(soon);
  EXPECT_GE(steady_clock::now(), soon);
  ready.signal();
  loop.run_once(steady_clock::now() + milliseconds(1));
  const auto later = steady_clock::now() + milliseconds(20);
  loop.run_once(later);
  EXPECT_GE(steady_clock::now(), later) << "the earlier timer is still armed";
}

TEST(event_loop, returns_at_once_for_a_time_long_past_even_at_first) {
  event_loop loop("a driver");
  const auto begin = steady_clock::now();
  loop.run_once(time_point{});
  loop.run_once(time_point{});
  EXPECT_LT(steady_clock::now() - begin, std::chrono::seconds(5));
}

TEST(event_loop, keeps_a_timer_that_is_asked_for_again) {
  event_loop loop("a driver");
  const signalled ready(loop);
  const auto soon = steady_clock::now() + milliseconds(10);
  for (int i = 1; i <= 3; ++i) {
    ready.signal();
    loop.run_once(soon);
    EXPECT_EQ(ready.calls(), i);
  }
  loop.run_once(soon);
  EXPECT_GE(steady_clock::now(), soon);
}

TEST(event_loop, is_woken_from_another_thread_and_stays_awake) {
  event_loop loop("a driver");
  std::latch about_to_wait(1);
  std::thread waker([&] {
    about_to_wait.wait();
    loop.wake();
  });
  about_to_wait.count_down();
  loop.run_once(whenever);
  waker.join();
  loop.run_once(whenever);
  loop.wake();
  loop.run_once(whenever);
  const signalled ready(loop);
  ready.signal();
  loop.run_once(whenever);
  EXPECT_EQ(ready.calls(), 1) << "a woken loop still runs callbacks";
}

}  // namespace
}  // namespace dbdyno
