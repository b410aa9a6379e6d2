#include "drivers/mysql/session.hpp"

#include <mysql.h>

#include <memory>
#include <vector>

namespace dbdyno {
namespace {

struct result_freer {
  void operator()(MYSQL_RES* result) const noexcept { mysql_free_result(result); }
};
// Freeing an unbuffered result reads what is left of it.
using result_handle = std::unique_ptr<MYSQL_RES, result_freer>;

[[noreturn]] void throw_error(MYSQL* handle) {
  throw mysql_error(mysql_errno(handle), ::mysql_error(handle));
}

void send(MYSQL* handle, std::string_view sql) {
  if (mysql_real_query(handle, sql.data(), sql.size()) != 0) throw_error(handle);
}

// A CALL is answered by a result for each of its statements and one more for itself.
void drop_further_results(MYSQL* handle) {
  int more = mysql_next_result(handle);
  for (; more == 0; more = mysql_next_result(handle)) result_handle(mysql_use_result(handle));
  if (more > 0) throw_error(handle);
}

/// Has the server's requests for local files answered by `file`; null: by an empty one.
void serve_files(MYSQL* handle, const mysql_session::file_source* file) {
  const auto open = [](void** state, const char*, void* source) {
    *state = source;
    return 0;
  };
  const auto read = [](void* source, char* out, unsigned capacity) {
    if (source == nullptr) return 0;
    return static_cast<int>((*static_cast<const mysql_session::file_source*>(source))(out, capacity));
  };
  const auto close = [](void*) {};
  const auto no_error = [](void*, char*, unsigned) { return 0; };
  mysql_set_local_infile_handler(handle, open, read, close, no_error,
                                 const_cast<mysql_session::file_source*>(file));
}

}  // namespace

mysql_session::mysql_session(std::string_view driver, const target& where,
                             std::chrono::milliseconds connect_timeout, const mysql_session_settings& how)
    : handle_(connect_mysql(driver, where, connect_timeout,
                            {.longest_wait = how.longest_wait, .loads_files = how.loads_files})) {
  serve_files(handle_.get(), nullptr);
}

std::uint64_t mysql_session::execute(std::string_view sql) {
  send(handle_.get(), sql);
  const auto affected = mysql_field_count(handle_.get()) == 0 ? mysql_affected_rows(handle_.get()) : 0;
  result_handle(mysql_use_result(handle_.get())).reset();
  drop_further_results(handle_.get());
  return affected;
}

std::uint64_t mysql_session::load(std::string_view sql, const file_source& file) {
  struct installed {
    MYSQL* handle;
    ~installed() { serve_files(handle, nullptr); }
  };
  serve_files(handle_.get(), &file);
  const installed until_done{handle_.get()};
  return execute(sql);
}

void mysql_session::query(std::string_view sql, const std::function<void(row)>& on_row) {
  send(handle_.get(), sql);
  result_handle result(mysql_use_result(handle_.get()));
  if (result) {
    std::vector<std::optional<std::string_view>> columns(mysql_num_fields(result.get()));
    while (char** const fields = mysql_fetch_row(result.get())) {
      const unsigned long* const sizes = mysql_fetch_lengths(result.get());
      for (std::size_t i = 0; i < columns.size(); ++i) {
        columns[i] =
            fields[i] == nullptr ? std::nullopt : std::optional(std::string_view(fields[i], sizes[i]));
      }
      on_row(columns);
    }
    if (mysql_errno(handle_.get()) != 0) throw_error(handle_.get());
    result.reset();
  } else if (mysql_field_count(handle_.get()) != 0) {
    throw_error(handle_.get());
  }
  drop_further_results(handle_.get());
}

std::string mysql_session::quote(std::string_view text) const {
  std::string literal(2 * text.size() + 3, '\'');
  const unsigned long size =
      mysql_real_escape_string(handle_.get(), literal.data() + 1, text.data(), text.size());
  literal.resize(size + 1);
  literal += '\'';
  return literal;
}

std::string mysql_session::server_version() const {
  return mysql_get_server_info(handle_.get());
}

}  // namespace dbdyno
