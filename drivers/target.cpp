#include "drivers/target.hpp"

#include <fmt/format.h>

#include <charconv>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "drivers/errors.hpp"

namespace dbdyno {
namespace {

constexpr std::string_view mask = "***";

[[noreturn]] void malformed(std::string_view url, std::string_view problem, std::string_view form) {
  throw usage_error(fmt::format("malformed URL '{}': {}; expected {}", mask_url(url), problem, form));
}

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

std::string percent_encode(std::string_view text, std::string_view also_plain = {}) {
  std::string out;
  for (const char c : text) {
    const bool plain = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                       std::string_view("-._~").find(c) != std::string_view::npos ||
                       also_plain.find(c) != std::string_view::npos;
    if (plain) {
      out += c;
    } else {
      out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return out;
}

/// What the schemes have in common: scheme://[userinfo@]authority[/path][?name=value&...]
class url_parts {
 public:
  url_parts(std::string_view url, std::string_view form) : url_(url), form_(form) {
    std::string_view rest = url.substr(url.find("://") + 3);
    if (const auto question = rest.find('?'); question != std::string_view::npos) {
      split_query(rest.substr(question + 1));
      rest = rest.substr(0, question);
    }
    const auto slash = rest.find('/');
    std::string_view authority = rest.substr(0, slash);
    path = decode(slash == std::string_view::npos ? std::string_view{} : rest.substr(slash));
    if (const auto at = authority.rfind('@'); at != std::string_view::npos) {
      const std::string_view login = authority.substr(0, at);
      const auto colon = login.find(':');
      user = decode(login.substr(0, colon));
      if (colon != std::string_view::npos) password = decode(login.substr(colon + 1));
      authority = authority.substr(at + 1);
    }
    split_authority(authority);
  }

  std::optional<std::string> take(std::string_view name) {
    for (auto it = query_.begin(); it != query_.end(); ++it) {
      if (it->first != name) continue;
      std::string value = std::move(it->second);
      query_.erase(it);
      return value;
    }
    return std::nullopt;
  }

  void require_host_and_port() const {
    if (host.empty()) fail("it names no host");
    if (port == 0) fail("it names no port");
  }

  bool names_host_or_port() const { return !host.empty() || port != 0; }
  bool names_login() const { return !user.empty() || !password.empty(); }

  void require_no_leftovers() const {
    if (!query_.empty()) fail("it holds an unknown parameter");
  }

  std::uint16_t parse_port(std::string_view text) const {
    unsigned value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size() || value == 0 ||
        value > std::numeric_limits<std::uint16_t>::max()) {
      fail("a port is a number from 1 to 65535");
    }
    return static_cast<std::uint16_t>(value);
  }

  /// `problem` quotes no part of the URL: where a password is not encoded, any part may belong to it.
  [[noreturn]] void fail(std::string_view problem) const { malformed(url_, problem, form_); }

  std::string user;
  std::string password;
  std::string host;
  std::uint16_t port = 0;
  std::string path;

 private:
  std::string decode(std::string_view text) const {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (text[i] != '%') {
        out += text[i];
        continue;
      }
      const int high = i + 2 < text.size() ? hex_digit(text[i + 1]) : -1;
      const int low = i + 2 < text.size() ? hex_digit(text[i + 2]) : -1;
      if (high < 0 || low < 0) fail("a % must be followed by two hexadecimal digits");
      out += static_cast<char>(high * 16 + low);
      i += 2;
    }
    if (out.find('\0') != std::string::npos) fail("it holds a zero byte");
    return out;
  }

  void split_authority(std::string_view authority) {
    std::string_view port_text;
    if (authority.starts_with('[')) {
      const auto bracket = authority.find(']');
      if (bracket == std::string_view::npos) fail("a [ without ]");
      host = std::string(authority.substr(1, bracket - 1));
      authority = authority.substr(bracket + 1);
      if (authority.empty()) return;
      if (!authority.starts_with(':')) fail("only :port may follow the ]");
      port_text = authority.substr(1);
    } else {
      const auto colon = authority.find(':');
      host = decode(authority.substr(0, colon));
      if (colon == std::string_view::npos) return;
      port_text = authority.substr(colon + 1);
    }
    port = parse_port(port_text);
  }

  void split_query(std::string_view query) {
    while (!query.empty()) {
      const auto ampersand = query.find('&');
      const std::string_view pair = query.substr(0, ampersand);
      const auto equals = pair.find('=');
      if (equals == std::string_view::npos) fail("parameters are written name=value");
      query_.emplace_back(decode(pair.substr(0, equals)), decode(pair.substr(equals + 1)));
      query = ampersand == std::string_view::npos ? std::string_view{} : query.substr(ampersand + 1);
    }
  }

  std::string_view url_;
  std::string_view form_;
  std::vector<std::pair<std::string, std::string>> query_;
};

void set_redis_database(target& out, const url_parts& parts, std::string_view text) {
  if (text.empty()) return;
  unsigned number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size()) {
    parts.fail("the database is not a number");
  }
  out.database = std::to_string(number);
}

std::string database_of(const url_parts& parts) {
  std::string name = parts.path.empty() ? std::string{} : parts.path.substr(1);
  if (name.find('/') != std::string::npos) parts.fail("the database name holds a /");
  return name;
}

target parse_redis(std::string_view url) {
  constexpr std::string_view form = "redis://[:password@]host:port[/db]";
  const url_parts parts(url, form);
  parts.require_host_and_port();
  parts.require_no_leftovers();
  target out{.storage = "redis", .via = transport::tcp, .host = parts.host, .port = parts.port};
  out.user = parts.user;
  out.password = parts.password;
  set_redis_database(out, parts, database_of(parts));
  return out;
}

target parse_redis_unix(std::string_view url) {
  constexpr std::string_view form = "redis+unix:///path[?db=N&password=P]";
  url_parts parts(url, form);
  if (parts.names_host_or_port() || parts.path.size() < 2) parts.fail("it names no socket path");
  target out{.storage = "redis", .via = transport::unix_socket, .path = parts.path};
  out.user = parts.user;
  out.password = parts.take("password").value_or(parts.password);
  set_redis_database(out, parts, parts.take("db").value_or(""));
  parts.require_no_leftovers();
  return out;
}

target parse_mysql(std::string_view url) {
  constexpr std::string_view form = "mysql://user:password@host:port/db or mysql://user@/db?socket=/path";
  url_parts parts(url, form);
  target out{.storage = "mysql", .via = transport::tcp};
  if (auto socket = parts.take("socket")) {
    if (parts.names_host_or_port()) parts.fail("it names both a host and a socket");
    if (!socket->starts_with('/')) parts.fail("the socket's path must be absolute");
    out.via = transport::unix_socket;
    out.path = *std::move(socket);
  } else {
    parts.require_host_and_port();
    out.host = parts.host;
    out.port = parts.port;
  }
  if (parts.user.empty()) parts.fail("it names no user");
  out.user = parts.user;
  out.password = parts.password;
  out.database = database_of(parts);
  parts.require_no_leftovers();
  return out;
}

target parse_handlersocket(std::string_view url) {
  constexpr std::string_view form = "handlersocket://:secret@host:9998/db?wr=9999";
  url_parts parts(url, form);
  parts.require_host_and_port();
  if (!parts.user.empty()) parts.fail("HandlerSocket knows no users; the secret follows a colon");
  target out{.storage = "handlersocket", .via = transport::tcp, .host = parts.host, .port = parts.port};
  const auto write_port = parts.take("wr");
  if (!write_port) parts.fail("it names no port for writes (?wr=)");
  out.write_port = parts.parse_port(*write_port);
  out.password = parts.password;
  out.database = database_of(parts);
  parts.require_no_leftovers();
  return out;
}

target parse_lmdb(std::string_view url) {
  constexpr std::string_view form = "lmdb:///dir";
  const url_parts parts(url, form);
  if (parts.names_host_or_port() || parts.path.size() < 2) parts.fail("it names no directory");
  if (parts.names_login()) parts.fail("lmdb knows no users");
  parts.require_no_leftovers();
  return {.storage = "lmdb", .via = transport::in_process, .path = parts.path};
}

target parse_echo(std::string_view url) {
  constexpr std::string_view form = "echo://host:port";
  const url_parts parts(url, form);
  parts.require_host_and_port();
  if (parts.path.size() > 1) parts.fail("echo has no databases");
  if (parts.names_login()) parts.fail("echo knows no users");
  parts.require_no_leftovers();
  return {.storage = "echo", .via = transport::tcp, .host = parts.host, .port = parts.port};
}

target parse_echo_unix(std::string_view url) {
  constexpr std::string_view form = "echo+unix:///path";
  const url_parts parts(url, form);
  if (parts.names_host_or_port() || parts.path.size() < 2) parts.fail("it names no socket path");
  if (parts.names_login()) parts.fail("echo knows no users");
  parts.require_no_leftovers();
  return {.storage = "echo", .via = transport::unix_socket, .path = parts.path};
}

std::string login_of(const target& t, std::string_view password) {
  if (t.user.empty() && password.empty()) return {};
  std::string out = percent_encode(t.user);
  if (!password.empty()) out += fmt::format(":{}", password);
  return out + "@";
}

std::string render(const target& t, std::string_view password) {
  const std::string host =
      t.host.find(':') == std::string::npos ? percent_encode(t.host) : "[" + t.host + "]";
  const std::string login = login_of(t, password);
  const std::string database = percent_encode(t.database);
  const std::string path = percent_encode(t.path, "/");
  if (t.storage == "redis") {
    if (t.via == transport::tcp) {
      return fmt::format("redis://{}{}:{}{}{}", login, host, t.port, database.empty() ? "" : "/", database);
    }
    return fmt::format("redis+unix://{}{}{}{}", login, path, database.empty() ? "" : "?db=", database);
  }
  if (t.storage == "mysql") {
    if (t.via == transport::tcp) return fmt::format("mysql://{}{}:{}/{}", login, host, t.port, database);
    return fmt::format("mysql://{}/{}?socket={}", login, database, path);
  }
  if (t.storage == "handlersocket") {
    return fmt::format("handlersocket://{}{}:{}/{}?wr={}", login, host, t.port, database, t.write_port);
  }
  if (t.storage == "echo" && t.via == transport::tcp) return fmt::format("echo://{}:{}", host, t.port);
  if (t.storage == "echo") return fmt::format("echo+unix://{}", path);
  return fmt::format("{}://{}", t.storage, path);
}

/// Bytes of "scheme://", 0 if there is none: a password may hold "://", too.
std::size_t scheme_size(std::string_view url) {
  const std::size_t end = url.find("://");
  return end == std::string_view::npos || url.substr(0, end).find_first_of(":@/?") != std::string_view::npos
             ? 0
             : end + 3;
}

/// Masks from the value of the first parameter that is not known to be harmless: a password may hold a &,
/// too.
std::string mask_query(std::string_view url) {
  std::size_t from = url.find('?');
  while (from != std::string_view::npos) {
    ++from;
    const std::size_t next = url.find('&', from);
    const std::string_view pair = url.substr(from, next - from);
    const std::size_t equals = pair.find('=');
    const std::string_view name = pair.substr(0, equals);
    if (equals == std::string_view::npos)
      return fmt::format("{}{}", url.substr(0, from), pair.empty() ? "" : mask);
    if (name != "db" && name != "socket" && name != "wr") {
      return fmt::format("{}{}", url.substr(0, from + equals + 1), mask);
    }
    from = next;
  }
  return std::string(url);
}

}  // namespace

std::string_view to_string(transport value) noexcept {
  switch (value) {
    case transport::in_process:
      return "in_process";
    case transport::tcp:
      return "tcp";
    case transport::unix_socket:
      return "unix";
  }
  return "";
}

std::string target::masked() const {
  return render(*this, password.empty() ? std::string_view{} : mask);
}

std::string target::url() const {
  return render(*this, percent_encode(password));
}

target parse_target(std::string_view url) {
  const auto scheme_end = url.find("://");
  const std::string_view scheme = url.substr(0, scheme_end);
  if (scheme_end != std::string_view::npos) {
    if (scheme == "redis") return parse_redis(url);
    if (scheme == "redis+unix") return parse_redis_unix(url);
    if (scheme == "mysql") return parse_mysql(url);
    if (scheme == "handlersocket") return parse_handlersocket(url);
    if (scheme == "lmdb") return parse_lmdb(url);
    if (scheme == "echo") return parse_echo(url);
    if (scheme == "echo+unix") return parse_echo_unix(url);
  }
  malformed(url, scheme_end == std::string_view::npos ? "it has no scheme" : "unknown scheme",
            "redis://, redis+unix://, mysql://, handlersocket://, lmdb://, echo:// or echo+unix://");
}

std::string mask_url(std::string_view url) {
  const std::size_t start = scheme_size(url);
  const std::size_t question = url.find('?', start);
  if (const std::size_t at = url.rfind('@'); at != std::string_view::npos) {
    // A password may hold anything, a / or an @ not encoded included: mask up to the last @.
    const std::size_t colon = url.find(':', start);
    // Without a colon, what stands before the @ might be a password put in the wrong place.
    const std::size_t from = colon < at ? colon + 1 : start;
    // An @ in the query may be part of a password=, which then goes on behind it.
    const std::size_t to = question < at ? url.size() : at;
    return fmt::format("{}{}{}", url.substr(0, from), from < to ? mask : "", mask_query(url.substr(to)));
  }
  const std::string_view authority = url.substr(start, url.find_first_of("/?", start) - start);
  const std::size_t colon = authority.find(':', authority.starts_with('[') ? authority.find(']') : 0);
  // Where a port is expected and something else stands, a host and its @ may have been forgotten.
  if (colon != std::string_view::npos &&
      authority.find_first_not_of("0123456789", colon + 1) != std::string_view::npos) {
    return fmt::format("{}{}", url.substr(0, start + colon + 1), mask);
  }
  return mask_query(url);
}

}  // namespace dbdyno
