#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace dbdyno {

/// How one request ended. Only `ok` counts as work.
enum class op_status : std::uint8_t {
  ok,            ///< the whole reply was consumed and says success
  not_found,     ///< a complete reply: there is no such key (a miss)
  refused,       ///< the server answered with an error
  timeout,       ///< no reply within the deadline
  disconnected,  ///< written, at least partly, but the connection ended before the reply
  unsent,        ///< the connection ended before any byte of the request was written
  protocol,      ///< the reply breaks the protocol
  wrong_reply,   ///< a well-formed reply that does not answer the request: wrong tag, length or type
  too_large,     ///< not sent: the key or value is longer than the storage or the driver's buffers take
  unstorable,    ///< not sent: the storage would answer success and keep something else (see the driver's
                 ///< README)
};
inline constexpr std::size_t op_status_count = 10;

constexpr std::string_view to_string(op_status status) noexcept {
  constexpr std::string_view names[op_status_count] = {"ok",           "not_found", "refused",  "timeout",
                                                       "disconnected", "unsent",    "protocol", "wrong_reply",
                                                       "too_large",    "unstorable"};
  return names[static_cast<std::size_t>(status)];
}

}  // namespace dbdyno
