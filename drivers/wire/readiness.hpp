#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "drivers/event_loop.hpp"

struct event;

namespace dbdyno {

/// One connection whose socket can be used without blocking.
struct ready_connection {
  std::uint32_t index = 0;
  bool readable = false;
  bool writable = false;
};

/// Which of several sockets are ready, as libevent sees it: persistent events for reading, one-shot ones for
/// writing.
class wire_readiness {
 public:
  wire_readiness(std::string_view driver, std::uint32_t connections);
  wire_readiness(wire_readiness&&) = delete;
  ~wire_readiness();

  /// Errors: setup_error when libevent refuses.
  void watch(std::uint32_t index, int fd);
  void watch_writable_once(std::uint32_t index) noexcept;
  void forget(std::uint32_t index) noexcept;

  /// Waits for at least one ready connection, wait_until or wake(). Valid until the next call.
  std::span<const ready_connection> wait(time_point wait_until) noexcept;

  /// Threads: any.
  void wake() noexcept { loop_.wake(); }

 private:
  struct watched {
    wire_readiness* owner = nullptr;
    std::uint32_t index = 0;
    event* readable = nullptr;
    event* writable = nullptr;
  };
  static void on_event(int fd, short what, void* argument);

  std::string_view driver_;
  event_loop loop_;
  std::vector<watched> watched_;
  std::vector<ready_connection> ready_;
};

}  // namespace dbdyno
