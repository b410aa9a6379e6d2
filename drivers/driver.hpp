#pragma once

#include <chrono>
#include <concepts>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "drivers/connect_options.hpp"
#include "drivers/key.hpp"
#include "drivers/op_status.hpp"

/// The contract between the harness and a driver. drivers/skeleton walks through it hook by hook.
///
/// A driver is one folder. Its driver.hpp declares a *family*: a struct that names the storage and the client
/// and holds one type for each mode it can do (see driver_family). There are three modes:
///
/// - sync: one request at a time through the library's own blocking API; a sync_driver.
/// - pipeline: the blocking API with several requests in flight on one connection; an in_flight_driver.
/// - async: an event loop over several connections; an in_flight_driver.
///
/// Construction, in every mode, is D(const connect_options&) - or, where the family has a type `shared`,
/// which is constructed once a row as shared(const connect_options&) and used by all its threads, D(const
/// connect_options&, shared&). It connects, authenticates and prepares everything, and throws setup_error
/// when it cannot. Destruction disconnects.
///
/// Threads: one driver a thread; only interrupt() may be called from another one, or from a signal handler.
/// Signals come while a driver waits: a system call that they interrupt is to be repeated (EINTR).
namespace dbdyno {

enum class mode : std::uint8_t { sync, pipeline, async };

constexpr std::string_view to_string(mode value) noexcept {
  constexpr std::string_view names[] = {"sync", "pipeline", "async"};
  return names[static_cast<int>(value)];
}

/// Numbers a request in flight: 0 to connections * window - 1. Slot s belongs to connection s / window.
using slot = std::uint32_t;

/// Answer to a submit: `queued` requests complete through poll, `busy` ones were not taken and come again
/// later.
enum class submitted : std::uint8_t { queued, busy };

/// Times are of the monotonic clock.
using time_point = std::chrono::steady_clock::time_point;

namespace detail {
struct on_done_archetype {
  void operator()(slot, op_status, std::string_view) const noexcept;
};
}  // namespace detail

/// What every mode of every driver has.
///
/// interrupt() makes a call that blocks in this driver return soon; afterwards the driver is only good for
/// being destroyed. Threads: callable from any thread, at any time between construction and destruction, and
/// from a signal handler, also one that has interrupted the driver's own thread: async-signal-safe, no locks.
///
/// sockets(), of drivers that have any: the descriptors of the connections that are up, for reading the
/// kernel's counters. Called between windows, so it may allocate. Threads: the driver's own.
///
/// last_error() is what the library or the server said about the latest status other than ok and not_found;
/// fetched once a row, so it may allocate. Never holds a secret.
template <class D>
concept driver = !std::copy_constructible<D> && requires(D d, const D const_d) {
  { d.interrupt() }
  noexcept;
  { const_d.last_error() } -> std::convertible_to<std::string>;
};

/// One request at a time.
///
/// get: on ok, `value` views the reply's value until the next call on this driver. Any other status leaves it
/// alone.
///
/// set writes `value` under the key, and is ok only if the storage says that one value was written. Where the
/// storage can tell, a key that is not there is not_found; others create it (family::set_creates).
///
/// Neither throws. Neither allocates of its own accord (the client library may).
template <class D>
concept sync_driver = driver<D> &&
    requires(D d, const key& k, std::string_view& out, std::string_view value) {
  { d.get(k, out) }
  noexcept->std::same_as<op_status>;
  { d.set(k, value) }
  noexcept->std::same_as<op_status>;
};

/// last_error() of a driver that lost a connection because it was given up.
inline constexpr std::string_view given_up_text = "no reply came in time";

/// Several requests in flight.
///
/// submit_* takes a request into a free slot; key and value need to live until it returns only. Never blocks.
///
/// poll writes what is queued, then waits until at least one request completes, `wait_until` is reached or
/// interrupt() is called; it calls on_done(slot, status, value) for every completed request and returns how
/// many. Replies of a connection complete in the order of its submits; a request refused before it was sent
/// may complete ahead of them. `value` is that of a get that is ok, and what the server said of a request it
/// refused ("ERR ...", "1040: ..."); with any other status it says nothing. It is valid inside on_done only,
/// and on_done must not call the driver. With nothing in flight poll returns 0 at once.
///
/// A closed loop passes the same wait_until again and again: a driver should not pay for re-arming it. A
/// pipeline driver may wait past wait_until where its library blocks until the rest of a reply is there;
/// interrupt() ends that, too.
///
/// Every queued request completes through poll, also after the connection was lost (unsent or disconnected):
/// a poll that completes one request of a connection as disconnected, unsent or protocol completes all of
/// them.
///
/// give_up shuts down one connection, on which a request is past its deadline: what is in flight on it
/// completes through poll as after any loss, and last_error() is then given_up_text. It does nothing to a
/// connection that is lost. Threads: the driver's own.
///
/// An async driver has reopen(connection, limit) besides: it replaces a connection that was lost and has
/// nothing in flight, and blocks until that is connected, authenticated and prepared, or for `limit`, a
/// duration in milliseconds. Errors: setup_error; the connection stays lost and may be tried again.
/// interrupt() is not called meanwhile. A pipeline driver has one connection and is constructed anew instead.
///
/// max_window is the largest connect_options::window that makes sense (1 where the library allows no more).
template <class D>
concept in_flight_driver = driver<D> &&
    requires(D d, slot s, const key& k, std::string_view value, time_point wait_until) {
  { D::max_window } -> std::convertible_to<std::uint32_t>;
  { d.submit_get(s, k) }
  noexcept->std::same_as<submitted>;
  { d.submit_set(s, k, value) }
  noexcept->std::same_as<submitted>;
  { d.poll(wait_until, detail::on_done_archetype{}) } -> std::same_as<unsigned>;
  { d.give_up(std::uint32_t{}) }
  noexcept;
};

/// Whether one of its connections can be replaced while others go on.
template <class D>
concept reopens_connections = requires(D d, std::chrono::milliseconds limit) {
  d.reopen(std::uint32_t{}, limit);
};

/// Drivers that read a few wide rows: all of a table of a few, or as many hashes. On ok, `value` is a
/// cell_block of their cells, row after row, in the order of the columns; it lives as long as a get's.
template <class D>
concept reads_rows_in_sync = sync_driver<D> && requires(D d, std::string_view& out) {
  { d.read_rows(out) }
  noexcept->std::same_as<op_status>;
};
template <class D>
concept reads_rows_in_flight = in_flight_driver<D> && requires(D d, slot s) {
  { d.submit_read_rows(s) }
  noexcept->std::same_as<submitted>;
};

/// Drivers that get several keys with one request. On ok, `value` is a cell_block of the values that were
/// found, in any order; it lives as long as a get's. There are connect_options::multiget_keys keys, all of
/// them different, and they live until the request completes.
template <class D>
concept multigets_in_sync = sync_driver<D> &&
    requires(D d, std::span<const key> keys, std::string_view& out) {
  { d.multiget(keys, out) }
  noexcept->std::same_as<op_status>;
};
template <class D>
concept multigets_in_flight = in_flight_driver<D> && requires(D d, slot s, std::span<const key> keys) {
  { d.submit_multiget(s, keys) }
  noexcept->std::same_as<submitted>;
};

/// Drivers that can busy-poll have a constant `spins = true` and obey connect_options::spin. Others sleep.
template <class D>
constexpr bool can_spin() {
  if constexpr (requires { D::spins; }) {
    return D::spins;
  } else {
    return false;
  }
}

template <class D>
concept has_sockets = requires(const D d) {
  { d.sockets() } -> std::convertible_to<std::vector<int>>;
};

/// max_window of a driver that only its user's memory limits.
inline constexpr std::uint32_t unbounded_window = std::numeric_limits<std::uint32_t>::max();

/// What a driver's folder offers.
///
/// Required: `storage` and `name`, the two middle words of its benchmark names; `set_creates`, whether a set
/// of a key that is not there creates it; `version()`, client library and version as loaded; and at least one
/// of the types sync, pipeline, async.
///
/// Not required: `private_storage = true`, every instance starts empty and is filled through set; `shared`,
/// what all threads of a row share; `connecting`, an async driver that opens a connection for every get and
/// closes it after the reply.
template <class F>
concept driver_family = requires {
  { F::storage } -> std::convertible_to<std::string_view>;
  { F::name } -> std::convertible_to<std::string_view>;
  { F::set_creates } -> std::convertible_to<bool>;
  { F::version() } -> std::convertible_to<std::string>;
};

template <class F>
concept has_sync = sync_driver<typename F::sync>;
template <class F>
concept has_pipeline = in_flight_driver<typename F::pipeline>;
template <class F>
concept has_async = in_flight_driver<typename F::async>;

/// True where every instance has a storage of its own that starts empty.
template <class F>
constexpr bool is_private_storage() {
  if constexpr (requires { F::private_storage; }) {
    return F::private_storage;
  } else {
    return false;
  }
}

}  // namespace dbdyno
