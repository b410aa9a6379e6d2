#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "drivers/driver.hpp"
#include "drivers/mysql/binary/prepared.hpp"
#include "drivers/on_done_ref.hpp"

namespace dbdyno {

/// Prepared statements on libmariadb: parsed once by the server, ids travel in binary.
///
/// Shapes: one row of table_test(id int primary key, str) of the target's database, hs_test where it names
/// none. Errors: not_found where no row was read or changed; the server also says so of an UPDATE to the
/// stored value. Source: MariaDB Connector/C 3.3, mariadb_stmt.h. There is no pipeline type: README.md says
/// why.
struct mysql_binary {
  static constexpr std::string_view storage = "mysql";
  static constexpr std::string_view name = "binary";
  static constexpr std::string_view driver_name = "mysql/binary";
  static constexpr bool set_creates = false;
  static std::string version();

  class sync;
  class async;
};

/// mysql_stmt_execute and mysql_stmt_fetch, one request at a time.
class mysql_binary::sync {
 public:
  explicit sync(const connect_options& options);

  op_status get(const key& k, std::string_view& out) noexcept;
  op_status set(const key& k, std::string_view value) noexcept;
  op_status read_rows(std::string_view& out) noexcept;
  op_status multiget(std::span<const key> keys, std::string_view& out) noexcept;
  void interrupt() noexcept { prepared_.connection().interrupt(); }
  std::string last_error() const { return prepared_.connection().last_error(); }
  std::vector<int> sockets() const { return prepared_.connection().sockets(); }

 private:
  op_status read_several(std::string_view& out) noexcept;

  mysql_prepared prepared_;
};

/// The non-blocking API on an event loop: one request in flight on each of several connections.
class mysql_binary::async {
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

}  // namespace dbdyno
