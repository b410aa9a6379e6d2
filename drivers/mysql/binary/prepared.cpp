#include "drivers/mysql/binary/prepared.hpp"

#include <fmt/format.h>
#include <mysql.h>

#include <cstring>
#include <string>

#include "drivers/errors.hpp"
#include "drivers/mysql/set_up_deadline.hpp"
#include "drivers/mysql/statements.hpp"
#include "drivers/signals_later.hpp"

namespace dbdyno {
namespace {

setup_error cannot_prepare(std::string_view driver, const target& where, MYSQL_STMT* statement) {
  return {driver, "prepare a statement on", where.masked(),
          fmt::format("{}: {}", mysql_stmt_errno(statement), mysql_stmt_error(statement))};
}

MYSQL_BIND bind_id(std::int32_t& id) {
  MYSQL_BIND bind{};
  bind.buffer_type = MYSQL_TYPE_LONG;
  bind.buffer = &id;
  return bind;
}

MYSQL_BIND bind_text(char* bytes, std::size_t capacity, unsigned long& length) {
  MYSQL_BIND bind{};
  bind.buffer_type = MYSQL_TYPE_STRING;
  bind.buffer = bytes;
  bind.buffer_length = capacity;
  bind.length = &length;
  return bind;
}

}  // namespace

void mysql_prepared::closer::operator()(st_mysql_stmt* statement) const noexcept {
  mysql_stmt_close(statement);
}

mysql_prepared::mysql_prepared(std::string_view driver, const connect_options& options, mysql_api api)
    : mysql_prepared(driver, options, api, std::chrono::steady_clock::now() + options.connect_timeout) {
}

mysql_prepared::mysql_prepared(std::string_view driver, const connect_options& options, mysql_api api,
                               time_point until)
    : connection_(driver, options, api),
      bare_(options.bare),
      value_size_(options.value_size),
      value_(std::make_unique<char[]>(value_size_)),
      fetched_(std::make_unique<char[]>(value_size_)),
      select_(prepare(driver, options.where, "SELECT str FROM table_test WHERE id=?", until)),
      update_(options.bare
                  ? statement_handle()
                  : prepare(driver, options.where, "UPDATE table_test SET str=? WHERE id=?", until)) {
  bind(driver, options.where);
  if (options.rows_from) prepare_rows(driver, options, until);
  if (options.multiget_keys != 0) prepare_multiget(driver, options, until);
}

void mysql_prepared::prepare_rows(std::string_view driver, const connect_options& options, time_point until) {
  constexpr std::size_t longest_cell = 512;
  select_several_ = prepare(driver, options.where, rows_statement(*options.rows_from), until);
  several_.emplace(mysql_stmt_field_count(select_several()), longest_cell, cell_block::usual_capacity);
  if (!several_->bind(select_several())) throw cannot_prepare(driver, options.where, select_several());
}

void mysql_prepared::prepare_multiget(std::string_view driver, const connect_options& options,
                                      time_point until) {
  std::string sql = "SELECT str FROM table_test WHERE id IN (?";
  for (std::uint32_t i = 1; i < options.multiget_keys; ++i) sql += ",?";
  select_several_ = prepare(driver, options.where, sql + ")", until);
  ids_.resize(options.multiget_keys);
  std::vector<MYSQL_BIND> parameters;
  for (std::int32_t& id : ids_) parameters.push_back(bind_id(id));
  several_.emplace(1, value_size_, block_size(options.multiget_keys, value_size_));
  if (mysql_stmt_bind_param(select_several(), parameters.data()) != 0 || !several_->bind(select_several()))
    throw cannot_prepare(driver, options.where, select_several());
}

void mysql_prepared::write_ids(std::span<const key> keys) noexcept {
  for (std::size_t i = 0; i < keys.size(); ++i) ids_[i] = static_cast<std::int32_t>(keys[i].id());
}

mysql_prepared::statement_handle mysql_prepared::prepare(std::string_view driver, const target& where,
                                                         std::string_view sql, time_point until) {
  std::optional<set_up_deadline> deadline;
  std::optional<signals_later> undisturbed;
  if (bare_) {
    // Its reads have a time-out.
    undisturbed.emplace();
  } else {
    deadline.emplace(driver, where, connection_.fd(), until);
  }
  statement_handle statement(mysql_stmt_init(connection_.handle()));
  if (!statement) throw setup_error(driver, "prepare a statement on", where.masked(), "out of memory");
  if (mysql_stmt_prepare(statement.get(), sql.data(), sql.size()) != 0)
    throw cannot_prepare(driver, where, statement.get());
  return statement;
}

void mysql_prepared::bind(std::string_view driver, const target& where) {
  MYSQL_BIND select_parameter = bind_id(id_);
  MYSQL_BIND update_parameters[] = {bind_text(value_.get(), value_size_, value_length_), bind_id(id_)};
  MYSQL_BIND column = bind_text(fetched_.get(), value_size_, fetched_size_);
  column.is_null = &fetched_null_;
  column.error = &fetched_cut_;
  if (mysql_stmt_bind_param(select(), &select_parameter) != 0 ||
      mysql_stmt_bind_result(select(), &column) != 0)
    throw cannot_prepare(driver, where, select());
  if (update_ && mysql_stmt_bind_param(update(), update_parameters) != 0)
    throw cannot_prepare(driver, where, update());
}

op_status mysql_prepared::write_value(std::string_view value) noexcept {
  if (value.size() > value_size_)
    return connection_.reject(op_status::too_large, "the value is longer than the driver was set up for");
  std::memcpy(value_.get(), value.data(), value.size());
  value_length_ = value.size();
  return op_status::ok;
}

op_status mysql_prepared::take_cells(int fetch_result, op_status status) noexcept {
  if (fetch_result == MYSQL_NO_DATA) return status;
  if (!is_row(fetch_result)) return fail(select_several());
  if (fetch_result == MYSQL_DATA_TRUNCATED || !several_->take_row())
    return connection_.reject(op_status::wrong_reply, "more in a row than there is room for");
  return status;
}

bool mysql_prepared::is_row(int fetch_result) noexcept {
  return fetch_result == 0 || fetch_result == MYSQL_DATA_TRUNCATED;
}

op_status mysql_prepared::take_row(int fetch_result) noexcept {
  switch (fetch_result) {
    case 0:
      return fetched_null_ == 0 ? op_status::ok
                                : connection_.reject(op_status::wrong_reply, "the value is NULL");
    case MYSQL_NO_DATA:
      return op_status::not_found;
    case MYSQL_DATA_TRUNCATED:
      return connection_.reject(op_status::wrong_reply,
                                "the value is longer than the values of the data set");
    default:
      return fail(select());
  }
}

op_status mysql_prepared::take_end(int fetch_result, op_status status) noexcept {
  if (fetch_result == MYSQL_NO_DATA) return status;
  if (is_row(fetch_result)) return connection_.reject(op_status::wrong_reply, "more than one row");
  return fail(select());
}

op_status mysql_prepared::updated_rows() noexcept {
  const my_ulonglong rows = mysql_stmt_affected_rows(update());
  if (rows == 1) return op_status::ok;
  if (rows == 0) return op_status::not_found;
  return connection_.reject(op_status::wrong_reply, "more than one row was changed");
}

op_status mysql_prepared::fail(st_mysql_stmt* statement) noexcept {
  // Errors met while reading rows are kept with the handle only.
  const unsigned code = mysql_stmt_errno(statement);
  return code == 0 ? connection_.fail() : connection_.fail(code, mysql_stmt_error(statement));
}

}  // namespace dbdyno
