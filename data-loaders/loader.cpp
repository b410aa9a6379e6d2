#include "data-loaders/loader.hpp"

#include <fmt/format.h>

#include "data-loaders/handlersocket_loader.hpp"
#include "data-loaders/lmdb_loader.hpp"
#include "data-loaders/mysql_loader.hpp"
#include "data-loaders/redis_loader.hpp"
#include "drivers/errors.hpp"

namespace dbdyno {

std::unique_ptr<loader> make_loader(const target& where, std::chrono::milliseconds connect_timeout) {
  if (where.storage == "redis") return make_redis_loader(where, connect_timeout);
  if (where.storage == "handlersocket") return make_handlersocket_loader(where, connect_timeout);
#ifdef DBDYNO_LOADS_MYSQL
  if (where.storage == "mysql") return make_mysql_loader(where, connect_timeout);
#endif
#ifdef DBDYNO_LOADS_LMDB
  if (where.storage == "lmdb") return make_lmdb_loader(where);
#endif
  throw usage_error(fmt::format("{}: this build has no loader for {}", where.masked(), where.storage));
}

}  // namespace dbdyno
