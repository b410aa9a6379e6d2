#pragma once

#include <string>

namespace dbdyno {

/// "debug" or "release": what the loaded Google Benchmark says of itself. Debian's says debug, for want of
/// NDEBUG.
std::string google_benchmark_build_type();

}  // namespace dbdyno
