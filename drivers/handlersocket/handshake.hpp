#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "drivers/wire/stream.hpp"

/// The blocking side of the protocol: what happens before and beside a timed loop. Nothing here is made to be
/// fast.
namespace dbdyno::handlersocket {

/// Tokens in the order they came; nothing is NULL.
using row = std::vector<std::optional<std::string>>;

struct reply {
  std::uint32_t code = 0;   ///< 0 is success
  std::size_t columns = 0;  ///< tokens in a row
  row tokens;               ///< of an error: one text, or none
};

/// Escapes and joins tokens to a whole request.
std::string make_request(std::initializer_list<std::string_view> tokens);

/// Parses one reply without its LF; nothing where it breaks the protocol.
std::optional<reply> parse_reply(std::string_view line);

/// Sends one request, waits for its reply and returns it if it says success.
/// Errors: setup_error with `step`; where the server wants a secret first, with the step "authenticate at".
reply exchange(wire_stream& stream, std::string_view step, std::string_view request);

/// Does nothing where `secret` is empty: a server without one accepts every request.
/// Errors: setup_error, which does not hold the secret.
void authenticate(wire_stream& stream, std::string_view secret);

/// `id` names the index in later requests on this connection; `columns` are joined by commas.
/// Errors: setup_error that names the table.
void open_index(wire_stream& stream, std::uint8_t id, std::string_view database, std::string_view table,
                std::string_view index, std::string_view columns);

}  // namespace dbdyno::handlersocket
