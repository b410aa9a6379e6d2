#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "drivers/driver.hpp"
#include "drivers/errors.hpp"
#include "drivers/refused_requests.hpp"
#include "drivers/wire/connection.hpp"
#include "drivers/wire/readiness.hpp"

namespace dbdyno {

/// Several connections on one event loop, several requests in flight on each.
///
/// Requests submitted between two polls leave in one send() a connection.
template <wire_codec Codec>
class wire_async {
 public:
  /// Bounds the memory for requests and replies of one connection; beyond it more depth gains nothing.
  static constexpr std::uint32_t max_window = 8192;
  static constexpr bool spins = true;

  explicit wire_async(const connect_options& options)
      : options_(options),
        window_(options.window),
        readiness_(Codec::driver_name, options.connections, options.spin),
        refused_(std::size_t{options.connections} * options.window) {
    connections_.reserve(options.connections);
    unflushed_.reserve(options.connections);
    for (std::uint32_t i = 0; i < options.connections; ++i) {
      try {
        connections_.push_back(std::make_unique<wire_connection<Codec>>(options));
      } catch (setup_error& error) {
        error.set_opened_before(i);
        throw;
      }
      readiness_.watch(i, connections_.back()->fd());
    }
    connection_of_.reserve(std::size_t{options.connections} * options.window);
    for (const auto& connection : connections_) {
      connection_of_.insert(connection_of_.end(), options.window, connection.get());
    }
  }
  wire_async(const wire_async&) = delete;
  wire_async& operator=(const wire_async&) = delete;

  submitted submit_get(slot s, const key& k) noexcept {
    wire_connection<Codec>& connection = *connection_of_[s];
    if (!connection.open_for_append() && !open_append(connection, s)) [[unlikely]]
      return refused_.add(s, op_status::unsent);
    connection.append_get(s, k);
    return submitted::queued;
  }

  submitted submit_set(slot s, const key& k, std::string_view value) noexcept {
    wire_connection<Codec>& connection = *connection_of_[s];
    if (const op_status verdict = connection.check(value); verdict != op_status::ok)
      return refused_.add(s, verdict);
    if (!connection.open_for_append() && !open_append(connection, s)) [[unlikely]]
      return refused_.add(s, op_status::unsent);
    connection.append_set(s, k, value);
    return submitted::queued;
  }

  submitted submit_read_rows(slot s) noexcept requires reads_rows_on_wire<Codec> {
    wire_connection<Codec>& connection = *connection_of_[s];
    if (!connection.open_for_append() && !open_append(connection, s)) [[unlikely]]
      return refused_.add(s, op_status::unsent);
    connection.append_read_rows(s);
    return submitted::queued;
  }

  submitted submit_multiget(slot s, std::span<const key> keys) noexcept requires multigets_on_wire<Codec> {
    wire_connection<Codec>& connection = *connection_of_[s];
    if (!connection.open_for_append() && !open_append(connection, s)) [[unlikely]]
      return refused_.add(s, op_status::unsent);
    connection.append_multiget(s, keys);
    return submitted::queued;
  }

  template <class OnDone>
  unsigned poll(time_point wait_until, OnDone&& on_done) {
    unsigned done = refused_.complete(on_done);
    done += flush(on_done);
    while (done == 0 && busy_ != 0) {
      for (const ready_connection ready : readiness_.wait(wait_until)) {
        wire_connection<Codec>& connection = *connections_[ready.index];
        if (connection.dead()) continue;
        if (ready.writable) done += flush_one(ready.index, on_done);
        if (!ready.readable || connection.dead()) continue;
        if (connection.receive(0) == io::lost) {
          done += lose(ready.index, on_done);
        } else {
          const bool was_busy = connection.has_in_flight();
          done += connection.complete_arrived(on_done);
          note_idle(was_busy, connection);
          if (connection.dead()) [[unlikely]]
            done += lose(ready.index, on_done);
        }
      }
      if (done == 0 &&
          (interrupted_.load(std::memory_order_relaxed) || std::chrono::steady_clock::now() >= wait_until)) {
        break;
      }
    }
    return done;
  }

  void give_up(std::uint32_t connection) noexcept { connections_[connection]->give_up(); }

  void reopen(std::uint32_t connection, std::chrono::milliseconds limit) {
    options_.connect_timeout = limit;
    auto opened = std::make_unique<wire_connection<Codec>>(options_);
    auto& place = connections_[connection];
    readiness_.forget(connection);
    readiness_.watch(connection, opened->fd());
    if (std::string text = place->error_text(); !text.empty()) replaced_error_ = std::move(text);
    std::fill_n(connection_of_.begin() + std::ptrdiff_t{connection} * window_, window_, opened.get());
    place = std::move(opened);
  }

  void interrupt() noexcept {
    interrupted_.store(true, std::memory_order_relaxed);
    for (const auto& connection : connections_) connection->interrupt();
    readiness_.wake();
  }

  std::string last_error() const {
    for (const auto& connection : connections_) {
      if (std::string text = connection->error_text(); !text.empty()) return text;
    }
    return replaced_error_.empty() ? std::string(refused_.why()) : replaced_error_;
  }

  std::vector<int> sockets() const {
    std::vector<int> up;
    for (const auto& connection : connections_) {
      if (!connection->dead()) up.push_back(connection->fd());
    }
    return up;
  }

 private:
  using io = typename wire_connection<Codec>::io;
  /// Called at least for the first request of a connection that has none unwritten. False when it is dead.
  [[gnu::noinline]] bool open_append(wire_connection<Codec>& connection, slot s) noexcept {
    if (!connection.open_append()) return false;
    if (!connection.has_in_flight()) ++busy_;
    // Without this test a connection whose socket is full would be listed again; its write event flushes it.
    if (!connection.has_unwritten()) unflushed_.push_back(s / window_);
    return true;
  }

  void note_idle(bool was_busy, const wire_connection<Codec>& connection) noexcept {
    if (was_busy && !connection.has_in_flight()) --busy_;
  }

  template <class OnDone>
  unsigned flush(OnDone& on_done) {
    unsigned done = 0;
    for (const std::uint32_t index : unflushed_) done += flush_one(index, on_done);
    unflushed_.clear();
    return done;
  }

  template <class OnDone>
  unsigned flush_one(std::uint32_t index, OnDone& on_done) {
    const io written = connections_[index]->flush(0);
    if (written == io::lost) [[unlikely]]
      return lose(index, on_done);
    if (written == io::would_block) [[unlikely]]
      readiness_.watch_writable_once(index);
    return 0;
  }

  template <class OnDone>
  unsigned lose(std::uint32_t index, OnDone& on_done) {
    readiness_.forget(index);
    wire_connection<Codec>& connection = *connections_[index];
    const bool was_busy = connection.has_in_flight();
    const unsigned lost = connection.complete_lost(on_done);
    note_idle(was_busy, connection);
    return lost;
  }

  connect_options options_;
  std::uint32_t window_;
  std::uint32_t busy_ = 0;  ///< connections with requests in flight
  std::vector<std::unique_ptr<wire_connection<Codec>>> connections_;
  std::vector<wire_connection<Codec>*> connection_of_;  ///< by slot: a division less for each request
  wire_readiness readiness_;
  std::vector<std::uint32_t> unflushed_;
  refused_requests refused_;
  std::string replaced_error_;  ///< of the connection that was replaced last
  std::atomic<bool> interrupted_{false};
};

}  // namespace dbdyno
