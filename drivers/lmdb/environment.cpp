#include "drivers/lmdb/environment.hpp"

#include <lmdb.h>
#include <sys/stat.h>

#include <cerrno>
#include <filesystem>
#include <system_error>
#include <utility>

#include "drivers/errors.hpp"
#include "drivers/lmdb/durability.hpp"
#include "drivers/lmdb/value_internal.hpp"

namespace dbdyno {
namespace {

/// What lmdb_durability_name says: nothing waits for the disk, and a commit is in the kernel's hands.
constexpr unsigned durability = MDB_NOSYNC;

/// Address space, not disk: the file grows as pages are written. Holds 2^20 values of 1 KB six times over.
constexpr std::size_t map_size = std::size_t{8} << 30;

/// One for each thread of a row and then some; LMDB's default of 126 is less than a large row.
constexpr unsigned max_readers = 1024;

struct cursor_closer {
  void operator()(MDB_cursor* cursor) const noexcept { mdb_cursor_close(cursor); }
};

[[noreturn]] void fail(const std::string& directory, std::string_view step, std::string_view reason) {
  throw setup_error("lmdb/lmdb", step, "lmdb://" + directory, reason);
}

void require_room(const std::string& directory) {
  std::error_code error;
  if (std::filesystem::exists(directory + "/data.mdb", error)) return;
  const bool empty = std::filesystem::is_empty(directory, error);
  if (error) fail(directory, "open", error.message());
  if (!empty) fail(directory, "open", "the directory holds other files and no data.mdb");
}

}  // namespace

void lmdb_abort::operator()(MDB_txn* transaction) const noexcept {
  mdb_txn_abort(transaction);
}

void lmdb_environment::closer::operator()(MDB_env* env) const noexcept {
  mdb_env_close(env);
}

lmdb_environment::lmdb_environment(const connect_options& options)
    : lmdb_environment(options.where.path, missing_directory::refuse) {
}

lmdb_environment::lmdb_environment(const std::string& directory, missing_directory policy)
    : directory_(directory) {
  if (policy == missing_directory::create && ::mkdir(directory.c_str(), 0700) != 0 && errno != EEXIST) {
    check(errno, "create");
  }
  require_room(directory);
  MDB_env* made = nullptr;
  check(mdb_env_create(&made), "open");
  env_.reset(made);
  check(mdb_env_set_mapsize(made, map_size), "open");
  check(mdb_env_set_maxreaders(made, max_readers), "open");
  // Read transactions belong to their drivers, not to threads: a thread may hold several, and hand one over.
  check(mdb_env_open(made, directory.c_str(), durability | MDB_NOTLS, 0600), "open");
  // Slots of processes that were killed would keep old pages from being reused.
  check(mdb_reader_check(made, nullptr), "open");
  // The unnamed database is always there. A write transaction would wait for another process's to end.
  lmdb_transaction transaction = begin_read();
  check(mdb_dbi_open(transaction.get(), nullptr, 0, &database_), "open");
  commit(std::move(transaction));
}

std::optional<std::string> lmdb_environment::get(std::string_view key) const {
  const lmdb_transaction transaction = begin_read();
  MDB_val name = lmdb_value(key);
  MDB_val found{};
  const int code = mdb_get(transaction.get(), database_, &name, &found);
  if (code == MDB_NOTFOUND) return std::nullopt;
  check(code, "read from");
  return std::string(lmdb_view(found));
}

void lmdb_environment::for_each(
    const std::function<void(std::string_view key, std::string_view value)>& callback) const {
  const lmdb_transaction transaction = begin_read();
  MDB_cursor* opened = nullptr;
  check(mdb_cursor_open(transaction.get(), database_, &opened), "read from");
  const std::unique_ptr<MDB_cursor, cursor_closer> cursor(opened);
  MDB_val key{};
  MDB_val value{};
  int code = 0;
  while ((code = mdb_cursor_get(opened, &key, &value, MDB_NEXT)) == 0)
    callback(lmdb_view(key), lmdb_view(value));
  if (code != MDB_NOTFOUND) check(code, "read from");
}

std::size_t lmdb_environment::count() const {
  const lmdb_transaction transaction = begin_read();
  MDB_stat statistics{};
  check(mdb_stat(transaction.get(), database_, &statistics), "read from");
  return statistics.ms_entries;
}

lmdb_transaction lmdb_environment::begin_read() const {
  MDB_txn* begun = nullptr;
  check(mdb_txn_begin(env_.get(), nullptr, MDB_RDONLY, &begun), "read from");
  return lmdb_transaction(begun);
}

lmdb_transaction lmdb_environment::begin_write() {
  MDB_txn* begun = nullptr;
  check(mdb_txn_begin(env_.get(), nullptr, 0, &begun), "write to");
  return lmdb_transaction(begun);
}

void lmdb_environment::commit(lmdb_transaction transaction) const {
  // A commit ends the transaction, failed or not.
  check(mdb_txn_commit(transaction.release()), "write to");
}

void lmdb_environment::check(int code, std::string_view step) const {
  if (code != 0) fail(directory_, step, mdb_strerror(code));
}

lmdb_bulk_writer::lmdb_bulk_writer(lmdb_environment& environment, std::uint32_t batch)
    : environment_(&environment), batch_(batch) {
}

void lmdb_bulk_writer::clear() {
  begin();
  environment_->check(mdb_drop(transaction_.get(), environment_->database(), 0), "empty");
}

void lmdb_bulk_writer::put(std::string_view key, std::string_view value) {
  begin();
  MDB_val name = lmdb_value(key);
  MDB_val bytes = lmdb_value(value);
  environment_->check(mdb_put(transaction_.get(), environment_->database(), &name, &bytes, 0), "write to");
  count_change();
}

void lmdb_bulk_writer::remove(std::string_view key) {
  begin();
  MDB_val name = lmdb_value(key);
  const int code = mdb_del(transaction_.get(), environment_->database(), &name, nullptr);
  if (code != MDB_NOTFOUND) environment_->check(code, "write to");
  count_change();
}

void lmdb_bulk_writer::commit() {
  if (transaction_ == nullptr) return;
  uncommitted_ = 0;
  environment_->commit(std::move(transaction_));
}

void lmdb_bulk_writer::count_change() {
  if (++uncommitted_ == batch_) commit();
}

void lmdb_bulk_writer::begin() {
  if (transaction_ == nullptr) transaction_ = environment_->begin_write();
}

}  // namespace dbdyno
