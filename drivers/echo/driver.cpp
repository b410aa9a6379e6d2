#include "drivers/echo/driver.hpp"

#include "drivers/version.hpp"

namespace dbdyno {

std::string echo_socket::version() {
  return "dbdyno " DBDYNO_VERSION;
}

}  // namespace dbdyno
