#pragma once

#include <chrono>
#include <initializer_list>
#include <string_view>

#include "drivers/redis/resp.hpp"
#include "drivers/wire/stream.hpp"

namespace dbdyno {

/// Authenticates and selects the target's database on a fresh connection; unless bare, it then asks whether
/// the server answers.
/// Errors: setup_error, with the server's words and without the password.
void redis_handshake(wire_stream& stream, const target& where, bool bare = false);

/// One blocking connection for administration: probing, markers, tests. Not for timed loops.
/// Errors: setup_error naming `driver`, what was tried and the target.
class redis_client {
 public:
  redis_client(std::string_view driver, const target& where, std::chrono::milliseconds timeout);

  /// Sends one command and waits for its reply, an error reply included, for `timeout` at most.
  resp_reply command(std::initializer_list<std::string_view> words);

 private:
  wire_stream stream_;
  std::chrono::milliseconds timeout_;
};

}  // namespace dbdyno
