#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace dbdyno {

/// How bytes travel between client and storage; `in_process` where none do.
enum class transport : std::uint8_t { in_process, tcp, unix_socket };

/// "in_process", "tcp", "unix": the spelling in benchmark names.
std::string_view to_string(transport value) noexcept;

/// One instance of a storage, as parsed from a URL or made for a throwaway server.
///
/// URLs: redis://[:password@]host:port[/db]  redis+unix:///path[?db=N&password=P]
///       mysql://user:password@host:port/db  mysql://user[:password]@/db?socket=/path
///       handlersocket://:secret@host:9998/db?wr=9999   lmdb:///dir
///       echo://host:port  echo+unix:///path
/// User, password, path and database are percent-decoded.
struct target {
  std::string storage{};  ///< "redis", "mysql", "handlersocket", "lmdb", "echo", "memory", "null"
  transport via = transport::in_process;
  std::string host{};            ///< literal address or name; empty unless tcp
  std::uint16_t port = 0;        ///< tcp only; HandlerSocket: the port for reads
  std::uint16_t write_port = 0;  ///< HandlerSocket only
  std::string path{};            ///< the socket, or the directory of an embedded store
  std::string user{};
  std::string password{};  ///< secret: never print it, print masked()
  std::string database{};  ///< Redis: a decimal number; SQL: a schema name

  /// The URL with any password replaced by ***; safe to print and to store.
  std::string masked() const;
  /// The URL with its password: for handing to a child's environment only.
  std::string url() const;
};

/// Errors: usage_error naming the URL (masked), what is wrong with it and the form expected.
target parse_target(std::string_view url);

/// The URL with anything that looks like a password replaced by ***, even where it does not parse.
std::string mask_url(std::string_view url);

}  // namespace dbdyno
