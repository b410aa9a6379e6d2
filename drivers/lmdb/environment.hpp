#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "drivers/connect_options.hpp"

struct MDB_env;
struct MDB_txn;

namespace dbdyno {

struct lmdb_abort {
  void operator()(MDB_txn* transaction) const noexcept;
};
/// Aborts unless released to mdb_txn_commit.
using lmdb_transaction = std::unique_ptr<MDB_txn, lmdb_abort>;

/// One LMDB environment: a directory with one unnamed database in it.
///
/// Durability: commits survive the end of this process, however it ends, but not a power cut (MDB_NOSYNC
/// without MDB_WRITEMAP), as the throwaway SQL server's do. Lifetime: LMDB forbids two environments of one
/// directory in one process at a time, and use of one after fork(). Errors: every member throws setup_error
/// naming lmdb/lmdb, the step and the directory. Threads: may be shared; each needs transactions of its own.
class lmdb_environment {
 public:
  enum class missing_directory : std::uint8_t { refuse, create };

  /// Opens options.where.path, which must be there.
  explicit lmdb_environment(const connect_options& options);
  /// Makes an empty environment in an empty directory, but none among other files. `create` makes the
  /// directory, mode 0700, not its parents.
  lmdb_environment(const std::string& directory, missing_directory policy);

  std::optional<std::string> get(std::string_view key) const;
  /// Calls back for every pair, ordered by the keys' bytes, as of one moment. The views end with the call.
  void for_each(const std::function<void(std::string_view key, std::string_view value)>& callback) const;
  std::size_t count() const;

  lmdb_transaction begin_read() const;
  lmdb_transaction begin_write();
  void commit(lmdb_transaction transaction) const;

  MDB_env* handle() const noexcept { return env_.get(); }
  unsigned database() const noexcept { return database_; }

  /// Throws unless code is 0.
  void check(int code, std::string_view step) const;

 private:
  struct closer {
    void operator()(MDB_env* env) const noexcept;
  };

  std::string directory_;
  std::unique_ptr<MDB_env, closer> env_;
  unsigned database_ = 0;
};

/// Writes many pairs, some thousands a transaction.
///
/// Lifetime: the environment must outlive it. What was not committed when it ends is dropped.
/// Threads: stays in one, which must not write in another way between put and commit: LMDB lets one writer in
/// at a time and makes all others wait.
class lmdb_bulk_writer {
 public:
  static constexpr std::uint32_t default_batch = 10'000;

  explicit lmdb_bulk_writer(lmdb_environment& environment, std::uint32_t batch = default_batch);

  /// Drops every pair of the environment.
  void clear();
  /// Commits by itself after each full batch.
  void put(std::string_view key, std::string_view value);
  /// As put; a key that is not there is none of its errors.
  void remove(std::string_view key);
  void commit();

 private:
  void begin();
  void count_change();

  lmdb_environment* environment_;
  lmdb_transaction transaction_;
  std::uint32_t batch_;
  std::uint32_t uncommitted_ = 0;
};

}  // namespace dbdyno
