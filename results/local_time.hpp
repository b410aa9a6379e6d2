#pragma once

#include <ctime>
#include <string>

namespace dbdyno::results {

/// The moment as local time with its offset from UTC, as Google Benchmark writes dates:
/// 2024-05-31T18:04:09+02:00.
std::string local_time(std::time_t moment);

}  // namespace dbdyno::results
