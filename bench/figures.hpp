#pragma once

#include <optional>
#include <string>

namespace dbdyno {

/// "12,345"
std::string whole(double value);
/// Three digits and a unit: "12.3 us". Units: nanoseconds.
std::string as_time(double nanoseconds);
/// "-" where there is none.
std::string as_time(const std::optional<double>& nanoseconds);

}  // namespace dbdyno
