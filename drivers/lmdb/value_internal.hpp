#pragma once

#include <lmdb.h>

#include <string_view>

/// Views as LMDB takes and gives them. Includes lmdb.h: for this folder's sources only.
namespace dbdyno {

inline MDB_val lmdb_value(std::string_view bytes) noexcept {
  // LMDB takes void* for what it only reads, too.
  return {bytes.size(), const_cast<char*>(bytes.data())};
}

inline std::string_view lmdb_view(const MDB_val& value) noexcept {
  return {static_cast<const char*>(value.mv_data), value.mv_size};
}

}  // namespace dbdyno
