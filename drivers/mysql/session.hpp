#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

#include "drivers/mysql/connection.hpp"
#include "drivers/target.hpp"

namespace dbdyno {

/// What the server or libmariadb answered to a statement; code as in mysql_errno. Holds no secret.
class mysql_error : public std::runtime_error {
 public:
  mysql_error(unsigned code, const std::string& message) : std::runtime_error(message), code_(code) {}
  unsigned code() const noexcept { return code_; }

 private:
  unsigned code_;
};

struct mysql_session_settings {
  bool loads_files = false;  ///< for load(); without it, libmariadb refuses
  /// A server that says nothing for so long, in whole seconds, rounded up, is given up; the session is then
  /// of no more use.
  std::chrono::milliseconds longest_wait = std::chrono::minutes(1);
};

/// One blocking connection for administration: schema, loading, probing. The drivers' timed loops do not go
/// through it.
///
/// Everything that MYSQL_* environment variables or option files could redirect is set explicitly; sql_mode
/// is strict. The target's database is selected at connect; with an empty one no database is, and statements
/// name it themselves. Errors: the constructor throws setup_error naming `driver` and the target; calls throw
/// mysql_error.
class mysql_session {
 public:
  /// One row of a text result; nullopt is NULL. Valid inside the callback only.
  using row = std::span<const std::optional<std::string_view>>;

  mysql_session(std::string_view driver, const target& where, std::chrono::milliseconds connect_timeout,
                const mysql_session_settings& how = {});

  /// Runs one statement and returns the rows it affected; a result set, if any, is read and dropped.
  std::uint64_t execute(std::string_view sql);
  /// Runs one query and calls on_row for each row as it arrives (unbuffered).
  void query(std::string_view sql, const std::function<void(row)>& on_row);
  /// Fills `out` with up to `capacity` bytes of a file, and returns how many; 0 at its end. Must not throw.
  using file_source = std::function<std::size_t(char* out, std::size_t capacity)>;
  /// Runs one LOAD DATA LOCAL INFILE statement. Whatever file the server asks for, it is given `file` and
  /// never one of this machine's. Returns the rows affected; a row that takes another's place counts twice.
  std::uint64_t load(std::string_view sql, const file_source& file);
  /// 'text' as an SQL string literal, quotes included.
  std::string quote(std::string_view text) const;
  std::string server_version() const;

 private:
  mysql_handle handle_;
};

}  // namespace dbdyno
