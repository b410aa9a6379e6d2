#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "drivers/connect_options.hpp"
#include "drivers/key.hpp"
#include "drivers/mysql/binary/fetched_rows.hpp"
#include "drivers/mysql/connection.hpp"

struct st_mysql_stmt;

namespace dbdyno {

/// A connection with both statements prepared and bound to buffers of their own, once and for all.
///
/// A request is: write_id (and write_value), execute the statement, and for a get fetch until there is no
/// more data. Lifetime: libmariadb holds pointers into this object, so it stays where it is.
class mysql_prepared {
 public:
  /// Errors: setup_error where connecting, the table or a statement fails.
  mysql_prepared(std::string_view driver, const connect_options& options, mysql_api api);
  mysql_prepared(mysql_prepared&&) = delete;

  mysql_connection& connection() noexcept { return connection_; }
  const mysql_connection& connection() const noexcept { return connection_; }
  st_mysql_stmt* select() const noexcept { return select_.get(); }
  st_mysql_stmt* update() const noexcept { return update_.get(); }

  void write_id(const key& k) noexcept { id_ = static_cast<std::int32_t>(k.id()); }
  /// ok, or too_large and nothing written.
  op_status write_value(std::string_view value) noexcept;
  /// The value fetched last; valid until the next fetch of a row.
  std::string_view fetched_value() const noexcept { return {fetched_.get(), fetched_size_}; }

  /// Of the rows, or of several keys; null unless connect_options asked for the one or the other.
  st_mysql_stmt* select_several() const noexcept { return select_several_.get(); }
  /// As many as connect_options said.
  void write_ids(std::span<const key> keys) noexcept;
  mysql_fetched_rows& several() noexcept { return *several_; }
  const mysql_fetched_rows& several() const noexcept { return *several_; }
  /// Classifies what a mysql_stmt_fetch of several rows returned and keeps its cells; status: that of the
  /// ones before.
  op_status take_cells(int fetch_result, op_status status) noexcept;

  /// Whether mysql_stmt_fetch returned a row, so that there may be more.
  static bool is_row(int fetch_result) noexcept;
  /// Classifies what the first mysql_stmt_fetch of a reply returned.
  op_status take_row(int fetch_result) noexcept;
  /// Classifies what a later mysql_stmt_fetch returned: `status`, that of the first, if there was no more.
  op_status take_end(int fetch_result, op_status status) noexcept;
  /// Classifies a successful UPDATE.
  op_status updated_rows() noexcept;
  /// Classifies the error a call on the statement just returned.
  op_status fail(st_mysql_stmt* statement) noexcept;

 private:
  struct closer {
    void operator()(st_mysql_stmt* statement) const noexcept;
  };
  using statement_handle = std::unique_ptr<st_mysql_stmt, closer>;

  using time_point = std::chrono::steady_clock::time_point;

  mysql_prepared(std::string_view driver, const connect_options& options, mysql_api api, time_point until);
  statement_handle prepare(std::string_view driver, const target& where, std::string_view sql,
                           time_point until);
  void bind(std::string_view driver, const target& where);
  void prepare_rows(std::string_view driver, const connect_options& options, time_point until);
  void prepare_multiget(std::string_view driver, const connect_options& options, time_point until);

  mysql_connection connection_;
  bool bare_;
  std::size_t value_size_;
  std::unique_ptr<char[]> value_;
  std::unique_ptr<char[]> fetched_;
  unsigned long value_length_ = 0;
  unsigned long fetched_size_ = 0;
  std::int32_t id_ = 0;
  char fetched_null_ = 0;
  char fetched_cut_ = 0;
  statement_handle select_;
  statement_handle update_;
  statement_handle select_several_;
  std::vector<std::int32_t> ids_;
  std::optional<mysql_fetched_rows> several_;
};

}  // namespace dbdyno
