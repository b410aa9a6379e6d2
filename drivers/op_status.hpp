#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace dbdyno {

/// How one request ended. Only `ok` counts as work. `connect`, `timeout` and `unknown` are the harness's to
/// give: it keeps the deadlines and connects again; drivers answer the others, and `connect` where they open
/// a connection for each request.
enum class op_status : std::uint8_t {
  ok,            ///< the whole reply was consumed and says success
  not_found,     ///< a complete reply: there is no such key (a miss)
  refused,       ///< the server answered with an error
  connect,       ///< there was no connection to send it on, and none could be made
  timeout,       ///< no reply within the deadline
  disconnected,  ///< written, at least partly, but the connection ended before the reply
  unknown,       ///< a set that was disconnected: carried out or not
  unsent,        ///< the connection ended before any byte of the request was written
  protocol,      ///< the reply breaks the protocol
  wrong_reply,   ///< a well-formed reply that does not answer the request: wrong tag, length or type
  too_large,     ///< not sent: the key or value is longer than the storage or the driver's buffers take
  unstorable,    ///< not sent: the storage would answer success and keep something else (see the driver's
                 ///< README)
};
inline constexpr std::size_t op_status_count = 12;

constexpr std::string_view to_string(op_status status) noexcept {
  constexpr std::string_view names[op_status_count] = {"ok",       "not_found",    "refused",   "connect",
                                                       "timeout",  "disconnected", "unknown",   "unsent",
                                                       "protocol", "wrong_reply",  "too_large", "unstorable"};
  return names[static_cast<std::size_t>(status)];
}

/// Neither work nor a miss.
constexpr bool is_error(op_status status) noexcept {
  return status != op_status::ok && status != op_status::not_found;
}

/// Whether no request can follow on the same connection.
constexpr bool ends_connection(op_status status) noexcept {
  return status == op_status::timeout || status == op_status::disconnected || status == op_status::unknown ||
         status == op_status::unsent || status == op_status::protocol;
}

/// What a request came to, out of what its driver says and what only the harness knows.
/// overdue: it was given up after its deadline.
constexpr op_status classify(op_status said, bool writes, bool overdue) noexcept {
  if (said != op_status::disconnected) return said;
  if (overdue) return op_status::timeout;
  return writes ? op_status::unknown : op_status::disconnected;
}

}  // namespace dbdyno
