#include <mysql.h>

#include "drivers/mysql/text/driver.hpp"
#include "drivers/mysql/text/reply_internal.hpp"
#include "drivers/socket_wait.hpp"

namespace dbdyno {

std::string mysql_text::version() {
  return libmariadb_version();
}

mysql_text::sync::sync(const connect_options& options)
    : connection_(driver_name, options, mysql_api::blocking),
      statements_(options.value_size, options.multiget_keys),
      value_(options.value_size),
      spin_(options.spin),
      rows_statement_(rows_statement(options.rows_from.value_or(rows_source::table))),
      cells_(cells_capacity(options)) {
}

bool mysql_text::sync::query(std::string_view statement) noexcept {
  MYSQL* const handle = connection_.handle();
  if (!spin_) return mysql_real_query(handle, statement.data(), statement.size()) == 0;
  if (mysql_send_query(handle, statement.data(), statement.size()) != 0) return false;
  wait_for_socket(connection_.fd(), POLLIN, time_point::max(), true);
  return mysql_read_query_result(handle) == 0;
}

op_status mysql_text::sync::get(const key& k, std::string_view& out) noexcept {
  const std::string_view statement = statements_.get(k);
  if (!query(statement)) return connection_.fail();
  const op_status status = read_text_value(connection_, value_);
  if (status == op_status::ok) out = value_.view();
  return status;
}

op_status mysql_text::sync::set(const key& k, std::string_view value) noexcept {
  if (value.size() > statements_.value_size()) return reject_too_large(connection_);
  const std::string_view statement = statements_.set(k, value);
  if (!query(statement)) return connection_.fail();
  return updated_rows(connection_, mysql_affected_rows(connection_.handle()));
}

op_status mysql_text::sync::read_rows(std::string_view& out) noexcept {
  return read_cells(rows_statement_, out);
}

op_status mysql_text::sync::multiget(std::span<const key> keys, std::string_view& out) noexcept {
  return read_cells(statements_.multiget(keys), out);
}

op_status mysql_text::sync::read_cells(std::string_view statement, std::string_view& out) noexcept {
  if (!query(statement)) return connection_.fail();
  const op_status status = read_text_rows(connection_, cells_);
  if (status == op_status::ok) out = cells_.view();
  return status;
}

}  // namespace dbdyno
