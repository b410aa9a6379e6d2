#include "drivers/handlersocket/driver.hpp"

#include "drivers/version.hpp"

namespace dbdyno {

std::string handlersocket_native::version() {
  return "dbdyno " DBDYNO_VERSION;
}

}  // namespace dbdyno
