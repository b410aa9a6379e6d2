#pragma once

#include <sys/types.h>

#include <memory>
#include <string_view>

#include "drivers/target.hpp"
#include "fixtures/data_set.hpp"
#include "fixtures/echo_server.hpp"
#include "fixtures/lmdb_directory.hpp"
#include "fixtures/mariadb_server.hpp"
#include "fixtures/redis_server.hpp"

namespace dbdyno::conformance {

/// 'R' running, 'S' sleeping, 'T' stopped, ..., or 0 for no such thread.
/// Source: proc(5), the third field of /proc/PID/task/TID/stat.
char thread_state(pid_t process, pid_t thread);

/// A loaded storage of the tests' own. Those of one storage share one; a test that harms its server makes
/// another.
class loaded_storage {
 public:
  /// storage: "redis", "mysql", "handlersocket", "lmdb", "echo"; anything else has no server and nothing to
  /// load.
  explicit loaded_storage(std::string_view storage);

  static const data_set& data();
  /// The one that harmless tests share, made when first asked for.
  static loaded_storage& shared(std::string_view storage);

  target at(transport via) const;
  void kill();
  /// Stops the server's process and returns once none of its threads runs any more.
  void freeze();
  void thaw();

 private:
  pid_t pid() const;

  std::string storage_;
  std::unique_ptr<redis_server> redis_;
  std::unique_ptr<mariadb_server> mariadb_;
  std::unique_ptr<lmdb_directory> lmdb_;
  std::unique_ptr<echo_server> echo_;
};

}  // namespace dbdyno::conformance
