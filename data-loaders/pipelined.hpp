#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "drivers/driver.hpp"

namespace dbdyno {

/// Requests kept in flight: as many as the drivers take, so that the server always has some to go on with.
inline constexpr std::uint32_t pipelined_window = 8192;

/// Sends request(connection, slot, id) for every id from 1 to `count` over one connection made with
/// pipelined_window.
///
/// Calls on_reply(id, status, value) for each, in order, until it returns false: it must not throw. Calls
/// on_progress(done) between batches, which may.
/// Returns the status that on_reply said no to; nullopt if it never did.
template <in_flight_driver Connection, class Request, class OnReply, class OnProgress>
std::optional<op_status> run_pipelined(Connection& connection, std::uint32_t count, Request request,
                                       OnReply on_reply, OnProgress on_progress) {
  std::uint64_t sent = 0;
  std::uint64_t done = 0;
  std::optional<op_status> refused;
  const auto on_done = [&](slot, op_status status, std::string_view value) {
    const auto id = static_cast<std::uint32_t>(++done);
    if (!refused && !on_reply(id, status, value)) refused = status;
  };
  while (done < count) {
    while (sent < count && sent - done < pipelined_window) {
      const auto id = static_cast<std::uint32_t>(sent + 1);
      if (request(connection, static_cast<slot>(sent % pipelined_window), id) == submitted::busy) break;
      ++sent;
    }
    // Down to half the window before the next submits: those then share a packet.
    do {
      connection.poll(time_point::max(), on_done);
      if (refused) return refused;
    } while (sent - done > pipelined_window / 2);
    on_progress(done);
  }
  return std::nullopt;
}

}  // namespace dbdyno
