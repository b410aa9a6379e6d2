#pragma once

#include <event2/event.h>
#include <mysql.h>

#include <chrono>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "drivers/errors.hpp"
#include "drivers/event_loop.hpp"
#include "drivers/mysql/connection.hpp"
#include "drivers/on_done_ref.hpp"

namespace dbdyno {

/// What both async drivers share: one request in flight on each of several connections of one event loop.
///
/// A Request owns a connection and is used for one request after another. Its start_* and resume
/// call libmariadb as far as they can and return the MYSQL_WAIT_ bits to be resumed with, or 0 once status()
/// and value() are those of the finished request.
template <class Request>
class nonblocking_connections {
 public:
  /// Lifetime: driver outlives this object.
  nonblocking_connections(std::string_view driver, const connect_options& options)
      : driver_(driver), options_(options), loop_(driver, options.spin) {
    links_.reserve(options.connections);
    finished_.reserve(options.connections);
    for (std::uint32_t s = 0; s < options.connections; ++s) {
      try {
        links_.push_back(std::make_unique<link>(*this, s, driver, options));
      } catch (setup_error& error) {
        error.set_opened_before(s);
        throw;
      }
    }
  }
  nonblocking_connections(nonblocking_connections&&) = delete;

  submitted submit_get(slot s, const key& k) noexcept {
    return submit(s, [&](Request& request) { return request.start_get(k); });
  }
  submitted submit_set(slot s, const key& k, std::string_view value) noexcept {
    return submit(s, [&](Request& request) { return request.start_set(k, value); });
  }

  submitted submit_read_rows(slot s) noexcept {
    return submit(s, [](Request& request) { return request.start_read_rows(); });
  }

  submitted submit_multiget(slot s, std::span<const key> keys) noexcept {
    return submit(s, [&](Request& request) { return request.start_multiget(keys); });
  }

  unsigned poll(time_point wait_until, on_done_ref on_done) noexcept {
    if (in_flight_ == 0) return 0;
    on_done_ = &on_done;
    completed_ = 0;
    // Requests that ended in their submit do not keep those on other connections from being served.
    if (!finished_.empty()) {
      for (link* l : finished_) complete(*l);
      finished_.clear();
      wait_until = time_point{};
    }
    // A wait that ends without an event has met wait_until or a wake-up, unless the loop spins.
    do {
      served_ = false;
      if (in_flight_ != 0) loop_.run_once(wait_until);
    } while (completed_ == 0 && (served_ || (in_flight_ != 0 && loop_.spins_on(wait_until))));
    return completed_;
  }

  void give_up(std::uint32_t connection) noexcept { links_[connection]->request.connection().give_up(); }

  void reopen(std::uint32_t connection, std::chrono::milliseconds limit) {
    options_.connect_timeout = limit;
    auto opened = std::make_unique<link>(*this, connection, driver_, options_);
    auto& place = links_[connection];
    if (last_failed_ == place.get()) {
      replaced_error_ = last_error();
      last_failed_ = nullptr;
    }
    place = std::move(opened);
  }

  void interrupt() noexcept {
    for (const auto& l : links_) l->request.connection().interrupt();
    loop_.wake();
  }

  std::string last_error() const {
    return last_failed_ == nullptr ? replaced_error_ : last_failed_->request.connection().last_error();
  }

  std::vector<int> sockets() const {
    std::vector<int> up;
    for (const auto& l : links_) {
      if (const auto& connection = l->request.connection(); !connection.lost()) up.push_back(connection.fd());
    }
    return up;
  }

 private:
  struct link {
    link(nonblocking_connections& owner_of, slot number_of, std::string_view driver,
         const connect_options& options)
        : owner(owner_of), number(number_of), request(driver, options) {
      const int fd = request.connection().fd();
      readable.reset(event_new(owner.loop_.base(), fd, EV_READ | EV_PERSIST, &link::on_readable, this));
      writable.reset(event_new(owner.loop_.base(), fd, EV_WRITE, &link::on_writable, this));
      if (!readable || !writable || !listen())
        throw setup_error(driver, "watch the connection to", options.where.masked(),
                          "libevent takes no more events");
    }
    ~link() {
      // libmariadb's call must return before its handle is closed; a closed socket makes it.
      if (busy) cut_off();
    }
    link(link&&) = delete;

    [[nodiscard]] bool listen() noexcept {
      if (!listening) listening = event_add(readable.get(), nullptr) == 0;
      return listening;
    }
    /// Whether events will come for all that the request waits for.
    [[nodiscard]] bool watch() noexcept {
      return ((waits_for & MYSQL_WAIT_READ) == 0 || listen()) &&
             ((waits_for & MYSQL_WAIT_WRITE) == 0 || event_add(writable.get(), nullptr) == 0);
    }
    /// Finishes the request as one whose connection is lost.
    void cut_off() noexcept {
      request.connection().interrupt();
      while (waits_for != 0) waits_for = request.resume(waits_for);
    }

    static void on_readable(evutil_socket_t, short, void* self) {
      link& l = *static_cast<link*>(self);
      l.owner.served_ = true;
      if ((l.waits_for & MYSQL_WAIT_READ) != 0) {
        l.owner.resume(l, MYSQL_WAIT_READ);
      } else {
        // The server ended an idle connection, or answers before all was sent: the next read will tell.
        event_del(l.readable.get());
        l.listening = false;
      }
    }
    static void on_writable(evutil_socket_t, short, void* self) {
      link& l = *static_cast<link*>(self);
      l.owner.served_ = true;
      if ((l.waits_for & MYSQL_WAIT_WRITE) != 0) l.owner.resume(l, MYSQL_WAIT_WRITE);
    }

    struct event_freer {
      void operator()(event* e) const noexcept { event_free(e); }
    };

    nonblocking_connections& owner;
    slot number;
    Request request;
    std::unique_ptr<event, event_freer> readable;
    std::unique_ptr<event, event_freer> writable;
    int waits_for = 0;
    bool busy = false;
    bool listening = false;
  };

  template <class Start>
  submitted submit(slot s, Start start) noexcept {
    link& l = *links_[s];
    if (l.busy) return submitted::busy;
    l.busy = true;
    ++in_flight_;
    l.waits_for = start(l.request);
    wait_or(l, [this](link& finished) { finished_.push_back(&finished); });
    return submitted::queued;
  }

  void resume(link& l, int ready) noexcept {
    l.waits_for = l.request.resume(ready);
    wait_or(l, [this](link& finished) { complete(finished); });
  }

  template <class Finish>
  void wait_or(link& l, Finish finish) noexcept {
    // Without events nothing would ever resume it.
    if (l.waits_for != 0 && !l.watch()) l.cut_off();
    if (l.waits_for == 0) finish(l);
  }

  void complete(link& l) noexcept {
    const op_status status = l.request.status();
    if (status != op_status::ok && status != op_status::not_found) last_failed_ = &l;
    l.busy = false;
    --in_flight_;
    ++completed_;
    (*on_done_)(l.number, status, l.request.value());
  }

  std::string_view driver_;
  connect_options options_;
  event_loop loop_;
  std::vector<std::unique_ptr<link>> links_;
  std::vector<link*> finished_;  // requests that ended in their submit
  const link* last_failed_ = nullptr;
  std::string replaced_error_;  // of the connection that was the last to fail, if it was replaced since
  const on_done_ref* on_done_ = nullptr;
  unsigned in_flight_ = 0;
  unsigned completed_ = 0;
  bool served_ = false;  // an event of a connection, whether or not it completed a request
};

}  // namespace dbdyno
