#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "drivers/handlersocket/handshake.hpp"
#include "drivers/target.hpp"
#include "drivers/wire/stream.hpp"

namespace dbdyno {

/// Reads are cheaper on their own port; writes are refused there.
enum class handlersocket_port : std::uint8_t { reads, writes };

/// A blocking HandlerSocket connection for readiness probes, look-ups and verification: never used in a timed
/// loop.
///
/// Errors: every call throws setup_error; the connection is then only good for being destroyed.
/// Lifetime: while it exists, its open indexes block ALTER and TRUNCATE of their tables.
/// Threads: one at a time.
class handlersocket_client {
 public:
  /// Connects and authenticates. `timeout` bounds this and every later call.
  handlersocket_client(std::string_view driver, const target& where, handlersocket_port port,
                       std::chrono::milliseconds timeout);

  /// `columns` are joined by commas and are what find() returns.
  void open_index(std::uint8_t id, std::string_view database, std::string_view table, std::string_view index,
                  std::string_view columns);

  /// At most `limit` rows whose key in index `id` compares so (=, >, >=, <, <=), in the order of the index.
  /// The server cuts a key that is longer than its column and then finds the shorter one: do not send such
  /// keys.
  std::vector<handlersocket::row> find(std::uint8_t id, std::string_view key, std::size_t limit,
                                       std::string_view comparison = "=");

 private:
  std::chrono::milliseconds timeout_;
  wire_stream stream_;
};

}  // namespace dbdyno
