#pragma once

#include <chrono>
#include <memory>

#include "data-loaders/loader.hpp"

namespace dbdyno {

/// table_test of the target's database (hs_test if it names none), and the marker in dbdyno_marker beside it.
/// Database and tables are created where they are missing. Never truncates or alters, since an open
/// HandlerSocket index would block that.
std::unique_ptr<loader> make_mysql_loader(const target& where, std::chrono::milliseconds connect_timeout);

}  // namespace dbdyno
