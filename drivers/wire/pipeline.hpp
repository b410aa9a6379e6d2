#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "drivers/driver.hpp"
#include "drivers/refused_requests.hpp"
#include "drivers/socket_wait.hpp"
#include "drivers/wire/connection.hpp"

namespace dbdyno {

/// Several requests in flight on one blocking socket, without an event loop.
///
/// Writing and reading alternate as the kernel allows, so full buffers on both sides cannot lock the two ends
/// up. A poll without a limit waits in recv(); one with a limit takes a ppoll() besides.
template <wire_codec Codec>
class wire_pipeline {
 public:
  /// Bounds the memory for requests and replies; beyond it more depth gains nothing.
  static constexpr std::uint32_t max_window = 8192;
  static constexpr bool spins = true;

  explicit wire_pipeline(const connect_options& options)
      : connection_(options), spin_(options.spin), refused_(options.window) {
    connection_.make_blocking();
  }
  wire_pipeline(const wire_pipeline&) = delete;
  wire_pipeline& operator=(const wire_pipeline&) = delete;

  submitted submit_get(slot s, const key& k) noexcept {
    if (!connection_.open_for_append() && !connection_.open_append()) [[unlikely]]
      return refused_.add(s, op_status::unsent);
    connection_.append_get(s, k);
    return submitted::queued;
  }

  submitted submit_set(slot s, const key& k, std::string_view value) noexcept {
    if (const op_status verdict = connection_.check(value); verdict != op_status::ok)
      return refused_.add(s, verdict);
    if (!connection_.open_for_append() && !connection_.open_append()) [[unlikely]]
      return refused_.add(s, op_status::unsent);
    connection_.append_set(s, k, value);
    return submitted::queued;
  }

  submitted submit_read_rows(slot s) noexcept requires reads_rows_on_wire<Codec> {
    if (!connection_.open_for_append() && !connection_.open_append()) [[unlikely]]
      return refused_.add(s, op_status::unsent);
    connection_.append_read_rows(s);
    return submitted::queued;
  }

  submitted submit_multiget(slot s, std::span<const key> keys) noexcept requires multigets_on_wire<Codec> {
    if (!connection_.open_for_append() && !connection_.open_append()) [[unlikely]]
      return refused_.add(s, op_status::unsent);
    connection_.append_multiget(s, keys);
    return submitted::queued;
  }

  template <class OnDone>
  unsigned poll(time_point wait_until, OnDone&& on_done) {
    unsigned done = refused_.complete(on_done);
    if (done != 0) [[unlikely]] {
      if (connection_.flush(MSG_DONTWAIT) == io::lost) done += connection_.complete_lost(on_done);
      return done;
    }
    while (done == 0 && connection_.has_in_flight()) {
      const io written = connection_.flush(MSG_DONTWAIT);
      if (written == io::lost) return done + connection_.complete_lost(on_done);
      const bool full = written == io::would_block;
      const bool waits = full || spin_ || wait_until != time_point::max();
      // What has wholly arrived was completed when it came, so there is something to wait for.
      if (waits && !wait_for_socket(connection_.fd(), full ? POLLIN | POLLOUT : POLLIN, wait_until, spin_))
        break;
      if (connection_.receive(waits ? MSG_DONTWAIT : 0) == io::lost) {
        return done + connection_.complete_lost(on_done);
      }
      done += connection_.complete_arrived(on_done);
    }
    return done;
  }

  void give_up(std::uint32_t) noexcept { connection_.give_up(); }
  void interrupt() noexcept { connection_.interrupt(); }
  std::vector<int> sockets() const {
    return connection_.dead() ? std::vector<int>{} : std::vector<int>{connection_.fd()};
  }
  std::string last_error() const {
    std::string text = connection_.error_text();
    return text.empty() ? std::string(refused_.why()) : text;
  }

 private:
  using io = typename wire_connection<Codec>::io;

  wire_connection<Codec> connection_;
  const bool spin_;
  refused_requests refused_;
};

}  // namespace dbdyno
