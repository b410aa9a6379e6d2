#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "drivers/cell_block.hpp"
#include "drivers/driver.hpp"
#include "drivers/mysql/connection.hpp"
#include "drivers/mysql/statements.hpp"
#include "drivers/mysql/value_buffer.hpp"
#include "drivers/on_done_ref.hpp"

namespace dbdyno {

/// SQL as text on libmariadb: every request is parsed by the server, every value travels as text.
///
/// Shapes: one row of table_test(id int primary key, str) of the target's database, hs_test where it names
/// none. Errors: not_found where no row was read or changed; the server also says so of an UPDATE to the
/// stored value. Source: MariaDB Connector/C 3.3, mysql.h.
struct mysql_text {
  static constexpr std::string_view storage = "mysql";
  static constexpr std::string_view name = "text";
  static constexpr std::string_view driver_name = "mysql/text";
  static constexpr bool set_creates = false;
  static std::string version();

  class sync;
  class pipeline;
  class async;
  class connecting;
};

/// mysql_real_query, one request at a time. Where it spins, mysql_send_query and mysql_read_query_result,
/// with a busy wait between them.
class mysql_text::sync {
 public:
  static constexpr bool spins = true;

  explicit sync(const connect_options& options);

  op_status get(const key& k, std::string_view& out) noexcept;
  op_status set(const key& k, std::string_view value) noexcept;
  op_status read_rows(std::string_view& out) noexcept;
  op_status multiget(std::span<const key> keys, std::string_view& out) noexcept;
  void interrupt() noexcept { connection_.interrupt(); }
  std::string last_error() const { return connection_.last_error(); }
  std::vector<int> sockets() const { return connection_.sockets(); }

 private:
  /// False: connection_.fail() says why.
  bool query(std::string_view statement) noexcept;
  op_status read_cells(std::string_view statement, std::string_view& out) noexcept;

  mysql_connection connection_;
  mysql_statements statements_;
  mysql_value_buffer value_;
  bool spin_;
  std::string_view rows_statement_;
  cell_block cells_;
};

/// mysql_send_query for each request, mysql_read_query_result for each reply.
///
/// submit never blocks: a request is sent only while all that are unanswered fit the socket's send buffer
/// together, so the kernel takes it even if the server reads nothing until we read its replies. The others
/// wait in this driver and are sent by poll as replies make room.
class mysql_text::pipeline {
 public:
  /// Bounds the memory for waiting requests: about 2 MB where values have 1,024 bytes.
  static constexpr std::uint32_t max_window = 1024;
  static constexpr bool spins = true;

  explicit pipeline(const connect_options& options);
  pipeline(pipeline&&) = delete;
  ~pipeline();

  submitted submit_get(slot s, const key& k) noexcept;
  submitted submit_set(slot s, const key& k, std::string_view value) noexcept;
  template <class OnDone>
  unsigned poll(time_point wait_until, OnDone&& on_done) noexcept {
    return unanswered_ == 0 ? 0 : poll_any(wait_until, on_done_ref(on_done));
  }
  void give_up(std::uint32_t) noexcept { connection_.give_up(); }
  void interrupt() noexcept { connection_.interrupt(); }
  std::string last_error() const { return connection_.last_error(); }
  std::vector<int> sockets() const { return connection_.sockets(); }

 private:
  enum class stage : std::uint8_t { waiting, sent, failed };
  struct request {
    slot number;
    stage at;
    op_status failure;  // of a failed one
    bool is_get;
    std::size_t size;  // bytes of the statement
  };

  submitted take(slot s, bool is_get, std::string_view statement) noexcept;
  request& append(slot s, stage at_stage, op_status failure) noexcept;
  request& at(std::uint64_t number) noexcept { return ring_[number & ring_mask_]; }
  char* parked(std::uint64_t number) noexcept {
    return parked_.get() + (number & ring_mask_) * statement_capacity_;
  }
  bool fits(std::size_t statement_size) const noexcept;
  void send(request& r, std::string_view statement) noexcept;
  void send_waiting() noexcept;
  op_status finish(const request& oldest, std::string_view& value) noexcept;
  unsigned poll_any(time_point wait_until, on_done_ref on_done) noexcept;

  mysql_connection connection_;
  mysql_statements statements_;
  mysql_value_buffer value_;
  bool spin_;
  std::size_t statement_capacity_;
  std::size_t send_buffer_;   // bytes that the kernel takes without waiting
  std::size_t reserved_ = 0;  // of them, by what was sent and is unanswered
  std::vector<request> ring_;
  std::uint64_t ring_mask_;
  std::unique_ptr<char[]> parked_;  // statements that wait to be sent, one place for each of the ring's
  std::uint64_t oldest_ = 0;        // number of the oldest unanswered request
  std::uint64_t next_to_send_ = 0;
  std::uint32_t unanswered_ = 0;
};

/// The non-blocking API on an event loop: one request in flight on each of several connections.
class mysql_text::async {
 public:
  static constexpr std::uint32_t max_window = 1;
  static constexpr bool spins = true;

  explicit async(const connect_options& options);
  async(async&&) = delete;
  ~async();

  submitted submit_get(slot s, const key& k) noexcept;
  submitted submit_set(slot s, const key& k, std::string_view value) noexcept;
  submitted submit_read_rows(slot s) noexcept;
  submitted submit_multiget(slot s, std::span<const key> keys) noexcept;
  template <class OnDone>
  unsigned poll(time_point wait_until, OnDone&& on_done) noexcept {
    return poll_any(wait_until, on_done_ref(on_done));
  }
  void give_up(std::uint32_t connection) noexcept;
  void reopen(std::uint32_t connection, std::chrono::milliseconds limit);
  void interrupt() noexcept;
  std::string last_error() const;
  std::vector<int> sockets() const;

 private:
  class request;
  struct state;

  unsigned poll_any(time_point wait_until, on_done_ref on_done) noexcept;

  std::unique_ptr<state> state_;
};

/// The non-blocking API on an event loop, a connection of its own for every get: open, authenticate, ask,
/// close. So many at a time as there are connections.
///
/// Errors: connect, where it could not be opened.
class mysql_text::connecting {
 public:
  static constexpr std::uint32_t max_window = 1;
  static constexpr bool spins = true;

  explicit connecting(const connect_options& options);
  connecting(connecting&&) = delete;
  ~connecting();

  submitted submit_get(slot s, const key& k) noexcept;
  /// There are no sets in it.
  submitted submit_set(slot, const key&, std::string_view) noexcept { return submitted::busy; }
  template <class OnDone>
  unsigned poll(time_point wait_until, OnDone&& on_done) noexcept {
    return poll_any(wait_until, on_done_ref(on_done));
  }
  void give_up(std::uint32_t connection) noexcept;
  /// The next get opens one anyway.
  void reopen(std::uint32_t, std::chrono::milliseconds) noexcept {}
  void interrupt() noexcept;
  std::string last_error() const;

 private:
  class attempt;
  struct state;

  unsigned poll_any(time_point wait_until, on_done_ref on_done) noexcept;

  std::unique_ptr<state> state_;
};

}  // namespace dbdyno
