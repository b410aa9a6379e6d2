#include "drivers/errors.hpp"

#include <fmt/format.h>

namespace dbdyno {
namespace {

/// What to do about it, where the reason tells. Sources: MariaDB's error list, where 111 is Linux's
/// ECONNREFUSED; Redis's protocol errors; HandlerSocket's protocol.en.txt.
std::string_view cure_of(std::string_view reason) noexcept {
  const bool refused = reason.find("Connection refused") != std::string_view::npos ||
                       (reason.starts_with("200") && reason.ends_with("(111)"));
  if (refused) return "; does the server run and listen there?";
  if (reason.starts_with("NOAUTH")) return "; the URL takes the password, as in redis://:password@host:port";
  if (reason.starts_with("1045:"))
    return "; the URL takes user and password, as in mysql://user:password@host:port/db";
  if (reason.starts_with("unauth"))
    return "; the URL takes the secret, as in handlersocket://:secret@host:port/db";
  return "";
}

}  // namespace

setup_error::setup_error(std::string_view driver, std::string_view step, std::string_view target,
                         std::string_view reason)
    : std::runtime_error(
          fmt::format("{}: cannot {} {}: {}{}", driver, step, target, reason, cure_of(reason))),
      driver_(driver),
      step_(step),
      target_(target),
      reason_(reason) {
}

bool setup_error::is_connection_limit() const noexcept {
  // ER_CON_COUNT_ERROR, ER_TOO_MANY_USER_CONNECTIONS and, of this resource only, ER_USER_LIMIT_REACHED of
  // MariaDB's error list; Redis has words only, in a cluster others than elsewhere.
  const bool of_user =
      reason_.starts_with("1226:") && reason_.find("max_user_connections") != std::string::npos;
  return reason_.starts_with("1040:") || reason_.starts_with("1203:") || of_user ||
         reason_.find("max number of clients") != std::string::npos;
}

}  // namespace dbdyno
