#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "drivers/cell_block.hpp"
#include "drivers/driver.hpp"
#include "drivers/lmdb/environment.hpp"

namespace dbdyno {

/// One get is one read transaction, one set one committed write transaction.
class lmdb_sync {
 public:
  lmdb_sync(const connect_options& options, lmdb_environment& environment);

  op_status get(const key& k, std::string_view& out) noexcept;
  op_status set(const key& k, std::string_view value) noexcept;
  /// All of them in one read transaction.
  op_status multiget(std::span<const key> keys, std::string_view& out) noexcept;

  /// A set waits for other writers, threads and processes, and LMDB has no call to end that: the watchdog
  /// ends the program instead.
  void interrupt() noexcept {}
  std::string last_error() const;

 private:
  op_status refused(int code) noexcept;

  lmdb_environment* environment_;
  lmdb_transaction read_;  ///< between gets, its snapshot is what the latest get's value views
  std::size_t value_size_;
  cell_block block_;
  int error_ = 0;
};

/// LMDB, embedded: an ordered map in memory-mapped files, shared by all threads of a row.
///
/// Source: lmdb.h 0.9.24.
struct lmdb_lmdb {
  static constexpr std::string_view storage = "lmdb";
  static constexpr std::string_view name = "lmdb";
  static constexpr bool set_creates = true;
  static std::string version();

  using shared = lmdb_environment;
  using sync = lmdb_sync;
};

}  // namespace dbdyno
