#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>

#include "drivers/target.hpp"
#include "drivers/wire/stream.hpp"

namespace dbdyno {

/// Stores keys as fast as one Redis connection takes them: many keys a command (MSET), many commands on their
/// way.
///
/// A server spends a third less time on a key in an MSET than on a SET of its own, and has one reply to send
/// for all of them.
/// Errors: setup_error naming `loader` where the connection fails, stands still for `timeout`, or the server
/// refuses a command.
/// Source: Redis 7.0, command MSET.
class redis_bulk_writer {
 public:
  redis_bulk_writer(std::string_view loader, const target& where, std::chrono::milliseconds timeout);

  /// Copies both.
  void add(std::string_view key, std::string_view value);
  /// Sends what is left and waits for the last reply. To be called once.
  void finish();

  /// Units: keys that the server has said it stored.
  std::uint64_t stored() const noexcept { return stored_; }

 private:
  void close_command();
  void send();
  /// Reads replies until at most `allowed` commands lack theirs.
  void await_replies(std::size_t allowed);

  wire_stream stream_;
  std::chrono::milliseconds timeout_;
  std::string pairs_;  ///< of the command that is being filled
  std::uint32_t keys_in_command_ = 0;
  std::string unsent_;                    ///< whole commands
  std::deque<std::uint32_t> unanswered_;  ///< the number of keys of each command without a reply
  std::uint64_t stored_ = 0;
};

}  // namespace dbdyno
