#include "drivers/mysql/connection.hpp"

#include <errmsg.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <mysql.h>
#include <mysqld_error.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>

#include "drivers/driver.hpp"
#include "drivers/errors.hpp"
#include "drivers/mysql/set_up_deadline.hpp"
#include "drivers/mysql/statements.hpp"
#include "drivers/signals_later.hpp"

namespace dbdyno {
namespace {

// ER_CLIENT_INTERACTION_TIMEOUT of MySQL 8: sent before a server closes an idle connection; libmariadb has no
// name for it.
constexpr unsigned client_interaction_timeout = 4031;

#ifdef DBDYNO_SANITIZED
// Instrumented frames are large.
constexpr std::size_t non_blocking_stack = 256 * 1024;
#else
constexpr std::size_t non_blocking_stack = 0;  // libmariadb's own choice
#endif

template <class T>
void set_option(MYSQL* handle, mysql_option option, const T& value) {
  mysql_options(handle, option, &value);
}

// libmariadb counts whole seconds; rounding up keeps a short timeout from becoming "none".
unsigned whole_seconds(std::chrono::milliseconds time) {
  return static_cast<unsigned>(
      std::max<std::int64_t>(1, std::chrono::ceil<std::chrono::seconds>(time).count()));
}

void run(std::string_view driver, const target& where, MYSQL* handle, std::string_view sql) {
  if (mysql_real_query(handle, sql.data(), sql.size()) != 0)
    throw setup_error(driver, "prepare a session on", where.masked(), mysql_error_text(handle));
}

std::uint64_t max_allowed_packet(std::string_view driver, const target& where, MYSQL* handle) {
  run(driver, where, handle, "SELECT @@max_allowed_packet");
  const std::unique_ptr<MYSQL_RES, decltype(&mysql_free_result)> result(mysql_store_result(handle),
                                                                        mysql_free_result);
  char** const row = result ? mysql_fetch_row(result.get()) : nullptr;
  if (row == nullptr || row[0] == nullptr)
    throw setup_error(driver, "read max_allowed_packet of", where.masked(), mysql_error_text(handle));
  const char* text = row[0];
  std::uint64_t bytes = 0;
  std::from_chars(text, text + std::strlen(text), bytes);
  return bytes;
}

}  // namespace

void mysql_closer::operator()(st_mysql* handle) const noexcept {
  mysql_close(handle);
}

mysql_handle make_mysql_handle(std::string_view driver, const target& where,
                               std::chrono::milliseconds connect_timeout, mysql_api api) {
  const auto refuse = [&](std::string_view reason) {
    return setup_error(driver, "connect to", where.masked(), reason);
  };
  // libmariadb would take the name of whoever runs the program.
  if (where.user.empty()) throw refuse("the URL names no user");
  // In these libmariadb sees a list of hosts, a connection string or a plugin.
  if (where.host.find_first_of(",;=/") != std::string::npos)
    throw refuse("this is not a host name or address");

  mysql_handle handle(mysql_init(nullptr));
  if (!handle) throw refuse("out of memory");
  MYSQL* const mysql = handle.get();
  const bool tcp = where.via == transport::tcp;
  set_option(mysql, MYSQL_OPT_PROTOCOL,
             static_cast<unsigned>(tcp ? MYSQL_PROTOCOL_TCP : MYSQL_PROTOCOL_SOCKET));
  set_option(mysql, MYSQL_OPT_CONNECT_TIMEOUT, whole_seconds(connect_timeout));
  set_option(mysql, MYSQL_OPT_LOCAL_INFILE, 0U);
  set_option(mysql, MYSQL_OPT_RECONNECT, my_bool{0});
  set_option(mysql, MYSQL_REPORT_DATA_TRUNCATION, my_bool{1});
  mysql_options(mysql, MYSQL_SET_CHARSET_NAME, "utf8mb4");
  if (api == mysql_api::non_blocking)
    mysql_options(mysql, MYSQL_OPT_NONBLOCK, non_blocking_stack == 0 ? nullptr : &non_blocking_stack);
  return handle;
}

mysql_connect_arguments connect_arguments(const target& where) noexcept {
  const bool tcp = where.via == transport::tcp;
  const unsigned port = where.port == 0 ? MYSQL_PORT : where.port;
  return {.host = tcp ? where.host.c_str() : nullptr,
          .user = where.user.c_str(),
          .password = where.password.c_str(),
          .database = where.database.empty() ? nullptr : where.database.c_str(),
          .port = tcp ? port : 0,
          .socket = tcp ? nullptr : where.path.c_str()};
}

mysql_handle connect_mysql(std::string_view driver, const target& where,
                           std::chrono::milliseconds connect_timeout, const mysql_set_up& how) {
  const auto until = std::chrono::steady_clock::now() + connect_timeout;
  mysql_handle handle = make_mysql_handle(driver, where, connect_timeout, how.api);
  MYSQL* const mysql = handle.get();
  if (how.loads_files) set_option(mysql, MYSQL_OPT_LOCAL_INFILE, 1U);
  if (how.longest_wait.count() > 0) {
    set_option(mysql, MYSQL_OPT_READ_TIMEOUT, whole_seconds(how.longest_wait));
    set_option(mysql, MYSQL_OPT_WRITE_TIMEOUT, whole_seconds(how.longest_wait));
  }
  const mysql_connect_arguments to = connect_arguments(where);
  {
    const signals_later undisturbed;
    if (mysql_real_connect(mysql, to.host, to.user, to.password, to.database, to.port, to.socket, 0) ==
        nullptr)
      throw setup_error(driver, "connect to", where.masked(), mysql_error_text(mysql));
  }
  if (how.bare) return handle;
  const set_up_deadline deadline(driver, where, static_cast<int>(mysql_get_socket(mysql)), until);
  run(driver, where, mysql, "SET SESSION sql_mode='STRICT_ALL_TABLES,NO_ENGINE_SUBSTITUTION'");
  return handle;
}

std::string mysql_error_text(st_mysql* handle) {
  return fmt::format("{}: {}", mysql_errno(handle), ::mysql_error(handle));
}

op_status classify_mysql_error(unsigned code) noexcept {
  switch (code) {
    case CR_SERVER_LOST:
    case CR_SERVER_LOST_EXTENDED:
    case CR_SERVER_GONE_ERROR:
    // The server's last words on a connection that it closes.
    case ER_SERVER_SHUTDOWN:
    case ER_NORMAL_SHUTDOWN:
    case ER_CONNECTION_KILLED:
    case ER_NET_READ_ERROR:
    case ER_NET_READ_INTERRUPTED:
    case ER_NET_ERROR_ON_WRITE:
    case ER_NET_WRITE_INTERRUPTED:
    case client_interaction_timeout:
      return op_status::disconnected;
    case CR_NET_PACKET_TOO_LARGE:
    case ER_NET_PACKET_TOO_LARGE:
      return op_status::too_large;
    default:
      break;
  }
  // The numbers libmariadb gives its own errors; there is no public name for the bounds.
  const bool from_client = (code >= 2000 && code < 3000) || (code >= 5000 && code < 6000);
  return from_client ? op_status::protocol : op_status::refused;
}

std::string libmariadb_version() {
  return fmt::format("libmariadb {}", mysql_get_client_info());
}

mysql_connection::mysql_connection(std::string_view driver, const connect_options& options, mysql_api api) {
  const auto until = std::chrono::steady_clock::now() + options.connect_timeout;
  target with_database = options.where;
  if (with_database.database.empty()) with_database.database = "hs_test";
  mysql_set_up how{.api = api, .bare = options.bare};
  // Nothing else would end a wait while preparing. A second more than a request may take: its time-out is the
  // harness's to tell.
  if (options.bare) {
    how.longest_wait =
        std::max(options.connect_timeout, options.request_timeout + std::chrono::milliseconds(1000));
  }
  handle_ = connect_mysql(driver, with_database, options.connect_timeout, how);
  if (!options.bare) check_fitness(driver, options, until);
  socket_.reset(fcntl(mysql_get_socket(handle()), F_DUPFD_CLOEXEC, 0));
  if (!socket_) throw setup_error(driver, "connect to", options.where.masked(), std::strerror(errno));
}

void mysql_connection::check_fitness(std::string_view driver, const connect_options& options,
                                     std::chrono::steady_clock::time_point until) const {
  const target& where = options.where;
  const set_up_deadline deadline(driver, where, static_cast<int>(mysql_get_socket(handle())), until);
  // Somebody else's ALTER TABLE must not hold up the probe for longer than connecting may take.
  run(driver, where, handle(),
      fmt::format("SET SESSION lock_wait_timeout={}", whole_seconds(options.connect_timeout)));

  constexpr std::string_view probe = "SELECT str FROM table_test LIMIT 0";
  if (mysql_real_query(handle(), probe.data(), probe.size()) != 0)
    throw setup_error(driver, "read table_test on", where.masked(), mysql_error_text(handle()));
  mysql_free_result(mysql_store_result(handle()));
  const std::uint64_t packet = max_allowed_packet(driver, where, handle());
  if (mysql_statements::capacity(options.value_size) >= packet)
    throw setup_error(driver, "send values to", where.masked(),
                      fmt::format("values of {} bytes may not fit its max_allowed_packet of {}",
                                  options.value_size, packet));
}

void mysql_connection::interrupt() const noexcept {
  ::shutdown(socket_.get(), SHUT_RDWR);
}

void mysql_connection::give_up() noexcept {
  if (lost_) return;
  given_up_ = true;
  interrupt();
}

std::vector<int> mysql_connection::sockets() const {
  return lost_ ? std::vector<int>{} : std::vector<int>{fd()};
}

op_status mysql_connection::fail() noexcept {
  const op_status status = fail(mysql_errno(handle()), ::mysql_error(handle()));
  handle()->net.last_errno = 0;
  return status;
}

op_status mysql_connection::fail(unsigned code, const char* text) noexcept {
  if (lost_) return op_status::unsent;
  const op_status status = classify_mysql_error(code);
  std::snprintf(last_text_, sizeof last_text_, "%u: %s", code, text);
  if (status == op_status::disconnected || status == op_status::protocol) {
    lost_ = true;
    if (given_up_) reject(status, given_up_text.data());
    interrupt();
  }
  return status;
}

op_status mysql_connection::reject(op_status status, const char* text) noexcept {
  std::snprintf(last_text_, sizeof last_text_, "%s", text);
  return status;
}

}  // namespace dbdyno
