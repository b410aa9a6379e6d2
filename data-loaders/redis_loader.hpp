#pragma once

#include <chrono>
#include <memory>

#include "data-loaders/loader.hpp"

namespace dbdyno {

/// Keys "dbdyno:<id>" of the target's database, and the marker under "dbdyno:marker". No other key is ever
/// touched.
std::unique_ptr<loader> make_redis_loader(const target& where, std::chrono::milliseconds connect_timeout);

}  // namespace dbdyno
