#include "drivers/redis/hiredis_pooled/driver.hpp"

namespace dbdyno {

std::string redis_hiredis_pooled::version() {
  return redis_hiredis::version();
}

}  // namespace dbdyno
