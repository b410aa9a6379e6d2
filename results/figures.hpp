#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace dbdyno::results {

/// "12,345"
std::string with_thousands(std::uint64_t value);
/// The same of the nearest whole number. Not for negative values.
std::string whole(double value);
/// Three digits and a unit: "12.3 us". Units: nanoseconds.
std::string as_time(double nanoseconds);
/// "-" where there is none.
std::string as_time(const std::optional<double>& nanoseconds);

}  // namespace dbdyno::results
