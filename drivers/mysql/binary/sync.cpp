#include <mysql.h>

#include "drivers/mysql/binary/driver.hpp"

namespace dbdyno {

std::string mysql_binary::version() {
  return libmariadb_version();
}

mysql_binary::sync::sync(const connect_options& options)
    : prepared_(driver_name, options, mysql_api::blocking) {
}

op_status mysql_binary::sync::get(const key& k, std::string_view& out) noexcept {
  if (prepared_.connection().lost()) return op_status::unsent;
  MYSQL_STMT* const select = prepared_.select();
  prepared_.write_id(k);
  if (mysql_stmt_execute(select) != 0) return prepared_.fail(select);
  int fetched = mysql_stmt_fetch(select);
  op_status status = prepared_.take_row(fetched);
  while (mysql_prepared::is_row(fetched)) {
    fetched = mysql_stmt_fetch(select);
    status = prepared_.take_end(fetched, status);
  }
  if (status == op_status::ok) out = prepared_.fetched_value();
  return status;
}

op_status mysql_binary::sync::set(const key& k, std::string_view value) noexcept {
  if (prepared_.connection().lost()) return op_status::unsent;
  MYSQL_STMT* const update = prepared_.update();
  prepared_.write_id(k);
  if (const op_status status = prepared_.write_value(value); status != op_status::ok) return status;
  if (mysql_stmt_execute(update) != 0) return prepared_.fail(update);
  return prepared_.updated_rows();
}

op_status mysql_binary::sync::read_rows(std::string_view& out) noexcept {
  return read_several(out);
}

op_status mysql_binary::sync::multiget(std::span<const key> keys, std::string_view& out) noexcept {
  prepared_.write_ids(keys);
  return read_several(out);
}

op_status mysql_binary::sync::read_several(std::string_view& out) noexcept {
  if (prepared_.connection().lost()) return op_status::unsent;
  MYSQL_STMT* const select = prepared_.select_several();
  prepared_.several().clear();
  if (mysql_stmt_execute(select) != 0) return prepared_.fail(select);
  op_status status = op_status::ok;
  int fetched = 0;
  do {
    fetched = mysql_stmt_fetch(select);
    status = prepared_.take_cells(fetched, status);
  } while (mysql_prepared::is_row(fetched));
  if (status == op_status::ok) out = prepared_.several().view();
  return status;
}

}  // namespace dbdyno
