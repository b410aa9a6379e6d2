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
  wire_readiness(std::string_view driver, std::uint32_t connections, bool spins);
  wire_readiness(wire_readiness&&) = delete;
  ~wire_readiness() = default;

  /// Errors: setup_error when libevent refuses; nothing is watched then.
  void watch(std::uint32_t index, int fd);
  /// Precondition: watched, and not forgotten since.
  void watch_writable_once(std::uint32_t index) noexcept;
  /// To be called before the socket is closed: its number may then name another. May be called again.
  void forget(std::uint32_t index) noexcept;

  /// Waits for at least one ready connection, wait_until or wake(); where it spins, it does not wait at all.
  /// Valid until the next call.
  std::span<const ready_connection> wait(time_point wait_until) noexcept;

  /// Threads: any.
  void wake() noexcept { loop_.wake(); }

 private:
  struct event_deleter {
    void operator()(event* e) const noexcept;
  };
  struct watched {
    wire_readiness* owner = nullptr;
    std::uint32_t index = 0;
    std::unique_ptr<event, event_deleter> readable;
    std::unique_ptr<event, event_deleter> writable;
  };
  static void on_event(int fd, short what, void* argument);

  std::string_view driver_;
  event_loop loop_;
  std::vector<watched> watched_;  ///< stays where it is: libevent holds pointers into it
  std::vector<ready_connection> ready_;
};

}  // namespace dbdyno
