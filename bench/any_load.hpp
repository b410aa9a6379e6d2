#pragma once

#include <variant>

#include "bench/load.hpp"
#include "bench/queued_load.hpp"

namespace dbdyno {

/// What a window's requests come from.
using any_load = std::variant<closed_load, open_load, queued_load>;

}  // namespace dbdyno
