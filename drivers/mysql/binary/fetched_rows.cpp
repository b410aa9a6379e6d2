#include "drivers/mysql/binary/fetched_rows.hpp"

#include <mysql.h>

namespace dbdyno {

bool mysql_fetched_rows::bind(st_mysql_stmt* statement) {
  std::vector<MYSQL_BIND> columns(lengths_.size());
  for (std::size_t i = 0; i < columns.size(); ++i) {
    columns[i] = MYSQL_BIND{};
    columns[i].buffer_type = MYSQL_TYPE_STRING;
    columns[i].buffer = buffers_.get() + i * cell_capacity_;
    columns[i].buffer_length = cell_capacity_;
    columns[i].length = &lengths_[i];
    columns[i].is_null = &nulls_[i];
  }
  return mysql_stmt_bind_result(statement, columns.data()) == 0;
}

bool mysql_fetched_rows::take_row() noexcept {
  for (std::size_t i = 0; i < lengths_.size(); ++i) {
    const std::size_t size = nulls_[i] != 0 ? 0 : lengths_[i];
    if (!cells_.append({buffers_.get() + i * cell_capacity_, size})) return false;
  }
  return true;
}

}  // namespace dbdyno
