#include "drivers/redis/wire/driver.hpp"

#include "drivers/version.hpp"

namespace dbdyno {

std::string redis_wire::version() {
  return "dbdyno " DBDYNO_VERSION;
}

}  // namespace dbdyno
