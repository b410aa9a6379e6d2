#pragma once

#include <cstdint>
#include <string>

namespace dbdyno {

/// 1234567 as "1,234,567". As results/figures.hpp has it, which this folder knows nothing of.
std::string with_thousands(std::uint64_t number);

}  // namespace dbdyno
