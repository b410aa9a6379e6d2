#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "drivers/connect_options.hpp"
#include "drivers/op_status.hpp"
#include "drivers/target.hpp"
#include "drivers/wire/unique_fd.hpp"

struct st_mysql;

namespace dbdyno {

struct mysql_closer {
  void operator()(st_mysql* handle) const noexcept;
};
using mysql_handle = std::unique_ptr<st_mysql, mysql_closer>;

/// Which of libmariadb's two APIs a handle is for; the non-blocking one gets a stack of its own.
enum class mysql_api : std::uint8_t { blocking, non_blocking };

/// A handle that everything is set in which connecting needs.
/// Errors: setup_error naming `driver` and the target, for a target that libmariadb would take for another.
mysql_handle make_mysql_handle(std::string_view driver, const target& where,
                               std::chrono::milliseconds connect_timeout, mysql_api api);

/// What libmariadb's functions that connect are to be called with, after the handle. Views the target.
struct mysql_connect_arguments {
  const char* host;
  const char* user;
  const char* password;
  const char* database;
  unsigned port;
  const char* socket;
};
mysql_connect_arguments connect_arguments(const target& where) noexcept;

struct mysql_set_up {
  mysql_api api = mysql_api::blocking;
  bool bare = false;  ///< the server's own sql_mode stays, so there is no statement after connecting
  /// Where it is not 0, every wait for the server ends after so long, in whole seconds, rounded up; the
  /// connection is then lost.
  std::chrono::milliseconds longest_wait{0};
  /// LOAD DATA LOCAL is allowed; the caller answers for which files the server is given.
  bool loads_files = false;
};

/// Connects, with everything that environment variables or option files could redirect set explicitly:
/// transport, port, user, password, character set utf8mb4 and a strict sql_mode, so that a value which does
/// not fit is an error. An empty database selects none. Errors: setup_error naming `driver` and the target,
/// with libmariadb's error number and text.
mysql_handle connect_mysql(std::string_view driver, const target& where,
                           std::chrono::milliseconds connect_timeout, const mysql_set_up& how);

/// "1064: You have an error in your SQL syntax ..."; as libmariadb keeps it for the handle. Holds no secret.
std::string mysql_error_text(st_mysql* handle);

/// What an error number of the server or of libmariadb means for the request that met it.
op_status classify_mysql_error(unsigned code) noexcept;

/// "libmariadb 3.3.20": as loaded, not as compiled against.
std::string libmariadb_version();

/// One timed connection of a driver, checked to have the table.
///
/// Threads: interrupt() from any thread; everything else from the owner's.
class mysql_connection {
 public:
  /// Errors: setup_error; also, unless options.bare, where the table is missing or a value of
  /// options.value_size does not fit a packet.
  mysql_connection(std::string_view driver, const connect_options& options, mysql_api api);

  st_mysql* handle() const noexcept { return handle_.get(); }
  /// A descriptor of the same socket that is ours: libmariadb closes its own when a connection fails, and its
  /// number may then name something else.
  int fd() const noexcept { return socket_.get(); }

  /// Ends whatever blocks on the socket.
  void interrupt() const noexcept;
  /// The same, where a request is past its deadline.
  void give_up() noexcept;
  /// fd(), or nothing once the connection is lost.
  std::vector<int> sockets() const;

  /// Classifies the error that a call on the handle just returned, keeps its text and clears it in the
  /// handle: libmariadb would leave it there while it reads later replies of a pipeline. A connection that is
  /// lost or out of step is shut down, so that nothing is written to it any more.
  op_status fail() noexcept;
  /// The same for an error that libmariadb does not keep in the handle, but with a statement.
  op_status fail(unsigned code, const char* text) noexcept;
  /// Keeps the text of a failure that is not libmariadb's and returns its status.
  op_status reject(op_status status, const char* text) noexcept;
  bool lost() const noexcept { return lost_; }
  /// What the latest fail() or reject() met, as "1064: ...", or empty. Lifetime: until the next of them.
  std::string_view error_text() const noexcept { return last_text_; }
  std::string last_error() const { return std::string(error_text()); }

 private:
  static constexpr std::size_t text_capacity = 512;

  /// Errors: setup_error.
  void check_fitness(std::string_view driver, const connect_options& options,
                     std::chrono::steady_clock::time_point until) const;

  // Declared first to be closed last: libmariadb says goodbye to the server while it closes.
  unique_fd socket_;
  mysql_handle handle_;
  bool lost_ = false;
  bool given_up_ = false;
  char last_text_[text_capacity] = {};
};

}  // namespace dbdyno
