#pragma once

#include <string>
#include <string_view>

#include "drivers/driver.hpp"
#include "drivers/redis/wire/codec.hpp"
#include "drivers/wire/async.hpp"
#include "drivers/wire/pipeline.hpp"
#include "drivers/wire/sync.hpp"

namespace dbdyno {

/// This project's own minimal Redis client.
struct redis_wire {
  static constexpr std::string_view storage = "redis";
  static constexpr std::string_view name = "wire";
  static constexpr bool set_creates = true;
  static std::string version();

  using sync = wire_sync<redis_codec>;
  using pipeline = wire_pipeline<redis_codec>;
  using async = wire_async<redis_codec>;
};

}  // namespace dbdyno
