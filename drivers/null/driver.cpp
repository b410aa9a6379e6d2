#include "drivers/null/driver.hpp"

#include "drivers/version.hpp"

namespace dbdyno {

std::string null_null::version() {
  return "dbdyno " DBDYNO_VERSION;
}

}  // namespace dbdyno
