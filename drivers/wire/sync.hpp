#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "drivers/driver.hpp"
#include "drivers/wire/connection.hpp"

namespace dbdyno {

/// One request at a time over a blocking socket: one send(), then recv() until the reply is whole; where it
/// spins, without blocking.
template <wire_codec Codec>
class wire_sync {
 public:
  static constexpr bool spins = true;

  explicit wire_sync(const connect_options& options)
      : connection_(options), receive_flags_(options.spin ? MSG_DONTWAIT : 0) {
    connection_.make_blocking();
  }
  wire_sync(const wire_sync&) = delete;
  wire_sync& operator=(const wire_sync&) = delete;

  op_status get(const key& k, std::string_view& value) noexcept {
    if (connection_.dead()) return op_status::unsent;
    if (connection_.exchange_get(k, receive_flags_, value)) [[likely]]
      return op_status::ok;
    return finish(value);
  }

  op_status set(const key& k, std::string_view value) noexcept {
    if (const op_status verdict = connection_.check(value); verdict != op_status::ok) return verdict;
    if (connection_.dead()) return op_status::unsent;
    connection_.append_set(0, k, value);
    std::string_view none;
    return finish(none);
  }

  op_status read_rows(std::string_view& value) noexcept requires reads_rows_on_wire<Codec> {
    if (connection_.dead()) return op_status::unsent;
    connection_.append_read_rows(0);
    return finish(value);
  }

  op_status multiget(std::span<const key> keys,
                     std::string_view& value) noexcept requires multigets_on_wire<Codec> {
    if (connection_.dead()) return op_status::unsent;
    connection_.append_multiget(0, keys);
    return finish(value);
  }

  void interrupt() noexcept { connection_.interrupt(); }
  std::vector<int> sockets() const {
    return connection_.dead() ? std::vector<int>{} : std::vector<int>{connection_.fd()};
  }
  std::string last_error() const { return connection_.error_text(); }

 private:
  using io = typename wire_connection<Codec>::io;

  /// Sees a request through that is in flight.
  [[gnu::noinline]] op_status finish(std::string_view& value) noexcept {
    op_status status = op_status::protocol;
    const auto on_done = [&](slot, op_status reply_status, std::string_view reply_value) {
      status = reply_status;
      if (reply_status == op_status::ok) value = reply_value;
    };
    if (connection_.dead() || connection_.flush(0) != io::progress) {
      connection_.complete_lost(on_done);
      return status;
    }
    while (connection_.complete_arrived(on_done) == 0) {
      io received = connection_.receive(receive_flags_);
      // Of a blocking socket that is not asked to spin, never.
      while (received == io::would_block) received = connection_.receive(receive_flags_);
      if (received != io::progress) {
        connection_.complete_lost(on_done);
        return status;
      }
    }
    return status;
  }

  wire_connection<Codec> connection_;
  const int receive_flags_;
};

}  // namespace dbdyno
