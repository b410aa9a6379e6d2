#pragma once

#include <mysql.h>

#include "drivers/cell_block.hpp"
#include "drivers/connect_options.hpp"
#include "drivers/mysql/connection.hpp"
#include "drivers/mysql/value_buffer.hpp"

namespace dbdyno {

/// Copies the value of a reply's only column.
inline op_status take_text_value(mysql_connection& connection, MYSQL_RES* result, MYSQL_ROW row,
                                 mysql_value_buffer& value) noexcept {
  if (row[0] == nullptr) return connection.reject(op_status::wrong_reply, "the value is NULL");
  if (value.assign(row[0], mysql_fetch_lengths(result)[0])) return op_status::ok;
  return connection.reject(op_status::wrong_reply, "the value is longer than the values of the data set");
}

/// Bytes that the workload's rows or values need as a block.
inline std::size_t cells_capacity(const connect_options& options) noexcept {
  if (options.rows_from) return cell_block::usual_capacity;
  return block_size(options.multiget_keys, options.value_size);
}

/// Copies all cells of a row.
inline op_status take_text_cells(mysql_connection& connection, MYSQL_RES* result, MYSQL_ROW row,
                                 cell_block& cells) noexcept {
  const unsigned long* const sizes = mysql_fetch_lengths(result);
  const unsigned columns = mysql_num_fields(result);
  for (unsigned i = 0; i < columns; ++i) {
    const std::string_view cell = row[i] == nullptr ? std::string_view() : std::string_view(row[i], sizes[i]);
    if (!cells.append(cell))
      return connection.reject(op_status::wrong_reply, "more rows than there is room for, or longer ones");
  }
  return op_status::ok;
}

inline op_status reject_second_row(mysql_connection& connection) noexcept {
  return connection.reject(op_status::wrong_reply, "more than one row");
}

/// Why there is no result where one was due.
inline op_status explain_no_result(mysql_connection& connection) noexcept {
  if (mysql_field_count(connection.handle()) != 0) return connection.fail();
  return connection.reject(op_status::wrong_reply, "the reply holds no rows");
}

/// Reads the whole result of a SELECT by key, after its query was answered without error. Unbuffered, with a
/// copy of the value: 850 instructions fewer than mysql_store_result, which builds a list of rows.
inline op_status read_text_value(mysql_connection& connection, mysql_value_buffer& value) noexcept {
  MYSQL* const handle = connection.handle();
  MYSQL_RES* const result = mysql_use_result(handle);
  if (result == nullptr) return explain_no_result(connection);
  op_status status = op_status::not_found;
  if (char** const row = mysql_fetch_row(result)) {
    status = take_text_value(connection, result, row, value);
    while (mysql_fetch_row(result) != nullptr) status = reject_second_row(connection);
  }
  if (mysql_errno(handle) != 0) status = connection.fail();
  mysql_free_result(result);
  return status;
}

/// Reads the whole result of a SELECT of rows, after its query was answered without error.
inline op_status read_text_rows(mysql_connection& connection, cell_block& cells) noexcept {
  MYSQL* const handle = connection.handle();
  MYSQL_RES* const result = mysql_use_result(handle);
  if (result == nullptr) return explain_no_result(connection);
  op_status status = op_status::ok;
  cells.clear();
  while (char** const row = mysql_fetch_row(result)) {
    if (status == op_status::ok) status = take_text_cells(connection, result, row, cells);
  }
  if (mysql_errno(handle) != 0) status = connection.fail();
  mysql_free_result(result);
  return status;
}

/// What an UPDATE by key did, after its query was answered without error.
inline op_status updated_rows(mysql_connection& connection, my_ulonglong rows) noexcept {
  if (rows == 1) return op_status::ok;
  if (rows == 0) return op_status::not_found;
  return connection.reject(op_status::wrong_reply, "more than one row was changed");
}

inline op_status reject_too_large(mysql_connection& connection) noexcept {
  return connection.reject(op_status::too_large, "the value is longer than the driver was set up for");
}

}  // namespace dbdyno
