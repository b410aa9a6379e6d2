#include "drivers/errors.hpp"

#include <fmt/format.h>

namespace dbdyno {

setup_error::setup_error(std::string_view driver, std::string_view step, std::string_view target,
                         std::string_view reason)
    : std::runtime_error(fmt::format("{}: cannot {} {}: {}", driver, step, target, reason)),
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
