#pragma once

#include <ctime>
#include <optional>
#include <string>

namespace dbdyno::results {

/// The moment as local time with its offset from UTC, as Google Benchmark writes dates:
/// 2024-05-31T18:04:09+02:00.
std::string local_time(std::time_t moment);

/// The moment that local_time was given; none if it did not write the text.
std::optional<std::time_t> parse_local_time(const std::string& text);

}  // namespace dbdyno::results
