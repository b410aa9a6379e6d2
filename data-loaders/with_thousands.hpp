#pragma once

#include <cstdint>
#include <string>

namespace dbdyno {

/// 1234567 as "1,234,567".
std::string with_thousands(std::uint64_t number);

}  // namespace dbdyno
