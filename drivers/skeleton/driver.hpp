#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "drivers/driver.hpp"

/// The template for a new driver: every hook of drivers/driver.hpp, on a storage that is made up.
///
/// Copy the folder, rename what is called skeleton, and put a client library where skeleton_storage is. Keep
/// its headers out of driver.hpp where you can (a forward declaration and an RAII handle), so that only
/// driver.cpp sees them. Keep the comments that say why *your* driver does something; drop those that explain
/// the contract.
namespace dbdyno {

/// Stands for the server and the client library. A real driver has no such class.
///
/// **Not required**, as the family's `shared`: what all threads of a row share, such as an embedded store
/// that may be opened only once. It is constructed once a row and handed to every driver's constructor;
/// without it, leave the parameter out. Threads: any.
class skeleton_storage {
 public:
  explicit skeleton_storage(const connect_options&) {}

  bool read(std::uint32_t id, std::string& value) const;
  void write(std::uint32_t id, std::string_view value);

 private:
  mutable std::mutex mutex_;
  std::map<std::uint32_t, std::string> values_;
};

/// **Required** for a `sync` mode: one request at a time through the library's own blocking API.
///
/// May not: wrap the library's asynchronous API in waiting, retry, reconnect, read a clock, log, or allocate
/// of its own accord in get and set. One driver a thread, so it needs no locks. Neither copied nor moved.
class skeleton_sync {
 public:
  /// **Required.** Connects, authenticates and prepares everything (statements, buffers), within
  /// connect_timeout. May allocate and block. Must throw setup_error if anything fails, with where.masked()
  /// and without the password. The destructor disconnects: let RAII members do it.
  skeleton_sync(const connect_options& options, skeleton_storage& storage);
  skeleton_sync(const skeleton_sync&) = delete;
  skeleton_sync& operator=(const skeleton_sync&) = delete;

  /// **Required.** Consumes the whole reply. ok: value views the reply until the next call. Any other status
  /// leaves value alone. It must not check the value: the harness does, the same way for every driver.
  op_status get(const key& k, std::string_view& value) noexcept;

  /// **Required.** ok only if the storage says that one value was written. What it would silently damage is
  /// not sent but answered unstorable, and what does not fit too_large.
  op_status set(const key& k, std::string_view value) noexcept;

  /// **Required.** Called from a signal handler or another thread: makes a call that blocks return soon;
  /// shutdown() on the socket is the usual way. May not lock, allocate, free or close anything: the driver's
  /// own thread may be in the middle of using it.
  void interrupt() noexcept { interrupted_.store(true, std::memory_order_relaxed); }

  /// **Required.** What the library or the server said about the latest failure; empty if there was none. May
  /// allocate: it is asked once a row. Must not hold a secret.
  std::string last_error() const { return error_; }

  // **Not required**, and missing here since a made-up storage has none, in every mode: std::vector<int>
  // sockets() const, the descriptors of the connections that are up. Without it no bytes per operation are
  // reported.

 private:
  skeleton_storage& storage_;
  std::size_t value_size_;
  std::string reply_;
  std::string error_;
  std::atomic<bool> interrupted_{false};
};

/// **Required** for `pipeline` (one connection, blocking API) and for `async` (event loop, several
/// connections): one type for each that the library can do. A made-up storage has no sockets to tell them
/// apart, so this serves as both.
///
/// An async driver takes its loop from drivers/event_loop.hpp; a protocol of our own needs a codec for
/// drivers/wire only, and none of this.
class skeleton_in_flight {
 public:
  /// **Required.** The largest window that makes sense: 1 where the library allows one request a connection.
  static constexpr std::uint32_t max_window = 1024;

  /// **Required.** As for sync; opens options.connections connections of options.window requests each, and
  /// takes all memory they will need.
  skeleton_in_flight(const connect_options& options, skeleton_storage& storage);
  skeleton_in_flight(const skeleton_in_flight&) = delete;
  skeleton_in_flight& operator=(const skeleton_in_flight&) = delete;

  /// **Required.** Queues a request of a free slot; never blocks and never completes it. Key and value live
  /// until it returns only, so what is needed later is copied, into memory that is there already. busy: not
  /// taken, the harness comes again after a poll. A request that cannot be sent is queued as well, and
  /// completes through poll.
  submitted submit_get(slot s, const key& k) noexcept;
  submitted submit_set(slot s, const key& k, std::string_view value) noexcept;

  /// **Required.** Writes what is queued, waits for at least one completion, wait_until or interrupt(), and
  /// reports every request that completed, those of one connection in the order of their submits. 0 at once
  /// with nothing in flight. A template, so that on_done is inlined; where a C library calls back,
  /// on_done_ref is the way through. May not throw, and may not forget a request: whatever was queued
  /// completes, even when the connection is lost.
  template <class OnDone>
  unsigned poll(time_point, OnDone&& on_done) {
    // The storage answers at once, so there is nothing to wait for. One with a server may refuse a request:
    // its words are then the value.
    for (const request& r : queued_) {
      const op_status status = execute(r);
      on_done(r.which, status,
              r.is_get && status == op_status::ok ? std::string_view(reply_) : std::string_view{});
    }
    const auto done = static_cast<unsigned>(queued_.size());
    queued_.clear();
    return done;
  }

  /// **Required.** A request on this connection is past its deadline: shutdown() on its socket, so that the
  /// next poll finds it lost and completes what is in flight on it, as disconnected or unsent; the other
  /// connections go on. May not touch a descriptor that the library has closed: its number may be another's
  /// by now. From then on the connection's requests complete as unsent, until reopen. Called by the driver's
  /// own thread, outside poll.
  void give_up(std::uint32_t connection) noexcept { lost_[connection] = true; }

  /// **Required** for async; a pipeline is constructed anew instead. Replaces a connection that was lost and
  /// has nothing in flight by one like those the constructor makes, within `limit`, with its statements
  /// prepared again. Throws setup_error, and leaves the connection lost, to be tried again. What arrives for
  /// other connections meanwhile has to wait for the next poll, and nothing of the old connection may reach
  /// the new one.
  void reopen(std::uint32_t connection, std::chrono::milliseconds limit);

  /// **Required.** As for sync; a poll that waits returns, too.
  void interrupt() noexcept { interrupted_.store(true, std::memory_order_relaxed); }
  /// **Required.** As for sync.
  std::string last_error() const { return error_; }

 private:
  struct request {
    slot which = 0;
    std::uint32_t id = 0;
    bool is_get = false;
    bool too_large = false;
  };

  op_status execute(const request& r) noexcept;

  connect_options options_;
  skeleton_storage& storage_;
  std::vector<char> lost_;  ///< by connection
  std::vector<request> queued_;
  std::vector<std::string> values_;  ///< of the sets in flight, by slot
  std::string reply_;
  std::string error_;
  std::atomic<bool> interrupted_{false};
};

/// **Required.** The family: what the folder offers, named in its one line of CMake.
struct skeleton_map {
  /// **Required.** The middle words of its benchmark names: get/skeleton/map/sync.
  static constexpr std::string_view storage = "skeleton";
  static constexpr std::string_view name = "map";
  /// **Required.** Whether set on a key that is not there creates it (SET does, UPDATE does not).
  static constexpr bool set_creates = true;
  /// **Not required.** Every instance starts empty, and the harness fills it through set: for storages inside
  /// the process. One with a server leaves it out and has a loader instead.
  static constexpr bool private_storage = true;
  /// **Not required.** What all threads of a row share; see skeleton_storage.
  using shared = skeleton_storage;
  /// **Required.** Client library and version, as loaded and not as compiled against.
  static std::string version();

  /// At least one of these is **required**; leave out what the library cannot do, and say so in the README.
  using sync = skeleton_sync;
  using pipeline = skeleton_in_flight;
  using async = skeleton_in_flight;
};
static_assert(driver_family<skeleton_map>);
static_assert(reopens_connections<skeleton_map::async>);
static_assert(has_sync<skeleton_map> && has_pipeline<skeleton_map> && has_async<skeleton_map>);

}  // namespace dbdyno
