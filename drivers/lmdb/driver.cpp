#include "drivers/lmdb/driver.hpp"

#include <fmt/format.h>
#include <lmdb.h>

#include "drivers/lmdb/value_internal.hpp"

namespace dbdyno {

std::string lmdb_lmdb::version() {
  int major = 0;
  int minor = 0;
  int patch = 0;
  mdb_version(&major, &minor, &patch);
  return fmt::format("lmdb {}.{}.{}", major, minor, patch);
}

lmdb_sync::lmdb_sync(const connect_options& options, lmdb_environment& environment)
    : environment_(&environment),
      read_(environment.begin_read()),
      value_size_(options.value_size),
      block_(block_size(options.multiget_keys, options.value_size)) {
  mdb_txn_reset(read_.get());
}

op_status lmdb_sync::get(const key& k, std::string_view& out) noexcept {
  mdb_txn_reset(read_.get());
  if (const int code = mdb_txn_renew(read_.get()); code != 0) return refused(code);
  MDB_val name = lmdb_value(k.text());
  MDB_val found{};
  const int code = mdb_get(read_.get(), environment_->database(), &name, &found);
  if (code == MDB_NOTFOUND) return op_status::not_found;
  if (code != 0) return refused(code);
  out = lmdb_view(found);
  return op_status::ok;
}

op_status lmdb_sync::multiget(std::span<const key> keys, std::string_view& out) noexcept {
  mdb_txn_reset(read_.get());
  if (const int code = mdb_txn_renew(read_.get()); code != 0) return refused(code);
  block_.clear();
  for (const key& k : keys) {
    MDB_val name = lmdb_value(k.text());
    MDB_val found{};
    const int code = mdb_get(read_.get(), environment_->database(), &name, &found);
    if (code == MDB_NOTFOUND) continue;
    if (code != 0) return refused(code);
    // Longer than any value of the data set.
    if (!block_.append(lmdb_view(found))) return op_status::wrong_reply;
  }
  out = block_.view();
  return op_status::ok;
}

op_status lmdb_sync::set(const key& k, std::string_view value) noexcept {
  if (value.size() > value_size_) return op_status::too_large;
  // A snapshot of our own would keep the pages it views from being reused.
  mdb_txn_reset(read_.get());
  MDB_txn* begun = nullptr;
  if (const int code = mdb_txn_begin(environment_->handle(), nullptr, 0, &begun); code != 0)
    return refused(code);
  lmdb_transaction transaction(begun);
  MDB_val name = lmdb_value(k.text());
  MDB_val bytes = lmdb_value(value);
  if (const int code = mdb_put(begun, environment_->database(), &name, &bytes, 0); code != 0)
    return refused(code);
  const int code = mdb_txn_commit(transaction.release());
  return code == 0 ? op_status::ok : refused(code);
}

std::string lmdb_sync::last_error() const {
  return error_ == 0 ? std::string() : mdb_strerror(error_);
}

op_status lmdb_sync::refused(int code) noexcept {
  error_ = code;
  return op_status::refused;
}

}  // namespace dbdyno
