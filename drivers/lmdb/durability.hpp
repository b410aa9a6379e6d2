#pragma once

#include <string_view>

namespace dbdyno {

/// The one place that says how durable LMDB's commits are here, for the result file: written, but not synced
/// to the disk. They survive the end of the process, not of the machine, as MariaDB's and Redis's do here.
inline constexpr std::string_view lmdb_durability_name = "MDB_NOSYNC";

}  // namespace dbdyno
