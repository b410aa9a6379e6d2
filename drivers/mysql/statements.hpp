#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>

#include "drivers/connect_options.hpp"
#include "drivers/key.hpp"

namespace dbdyno {

/// Builds the statements of the timed loops as text, in buffers made once.
///
/// Shapes: SELECT str FROM table_test WHERE id=42, UPDATE table_test SET str='...' WHERE id=42, and SELECT
/// str FROM table_test WHERE id IN (42,43). Lifetime: what a member returns is valid until the next call of
/// it.
class mysql_statements {
 public:
  /// Bytes of the longest statement with a value of `value_size` bytes, each of them escaped.
  static std::size_t capacity(std::size_t value_size) noexcept;

  explicit mysql_statements(std::size_t value_size, std::size_t multiget_keys = 0);

  std::size_t value_size() const noexcept { return value_size_; }
  std::string_view get(const key& k) noexcept;
  /// Precondition: value.size() <= value_size().
  std::string_view set(const key& k, std::string_view value) noexcept;
  /// Precondition: at most as many keys as the constructor was told.
  std::string_view multiget(std::span<const key> keys) noexcept;

 private:
  std::size_t value_size_;
  std::unique_ptr<char[]> get_;
  std::unique_ptr<char[]> set_;
  std::unique_ptr<char[]> multiget_;
};

/// The statement that reads all rows of a small table, or as many of the view.
constexpr std::string_view rows_statement(rows_source from) noexcept {
  return from == rows_source::view ? "SELECT * FROM mysql.user LIMIT 3" : "SELECT * FROM user_rows LIMIT 3";
}

/// Writes `text` as the inside of a quoted SQL literal, at most twice as long, and returns its end.
///
/// For connections in utf8mb4 (no byte of a longer character is ASCII) whose sql_mode lets backslash escape.
char* escape_mysql_literal(char* out, std::string_view text) noexcept;

}  // namespace dbdyno
