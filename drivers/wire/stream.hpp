#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "drivers/target.hpp"
#include "drivers/wire/unique_fd.hpp"

namespace dbdyno {

/// A blocking connection for handshakes, readiness probes and administration: never used in a timed loop.
///
/// Every call respects one deadline, set at construction and by extend(). TCP sockets get TCP_NODELAY.
/// Errors: setup_error naming `driver`, the step and the target.
class wire_stream {
 public:
  /// Connects to where.host:port, or to where.path if the target is a unix socket (port is unused then).
  wire_stream(std::string_view driver, const target& where, std::uint16_t port,
              std::chrono::milliseconds timeout);

  /// Moves the deadline to `timeout` from now.
  void extend(std::chrono::milliseconds timeout) noexcept;

  /// step is the verb phrase of the error if it fails: "authenticate at".
  void write(std::string_view step, std::string_view bytes);
  /// Appends at least one byte to received(). The peer closing is an error.
  void read_more(std::string_view step);
  /// Bytes read and not yet consumed; invalidated by read_more and consume.
  std::string& received() noexcept { return received_; }
  void consume(std::size_t bytes) { received_.erase(0, bytes); }

  [[noreturn]] void fail(std::string_view step, std::string_view reason) const;

  int fd() const noexcept { return fd_.get(); }
  /// Gives the socket away once the handshake is over.
  /// Errors: setup_error (step "open a session at") if bytes are left over that no request asked for.
  unique_fd release();

 private:
  void wait_for(short events, std::string_view step) const;

  std::string driver_;
  std::string target_;
  unique_fd fd_;
  std::chrono::steady_clock::time_point deadline_;
  std::string received_;
};

}  // namespace dbdyno
