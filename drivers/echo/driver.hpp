#pragma once

#include <string>
#include <string_view>

#include "drivers/driver.hpp"
#include "drivers/echo/codec.hpp"
#include "drivers/wire/async.hpp"
#include "drivers/wire/pipeline.hpp"
#include "drivers/wire/sync.hpp"

namespace dbdyno {

/// A bare socket ping-pong against dbdyno-echo: what the wire itself costs. Nothing is stored.
struct echo_socket {
  static constexpr std::string_view storage = "echo";
  static constexpr std::string_view name = "socket";
  static constexpr bool set_creates = true;
  static std::string version();

  using sync = wire_sync<echo_codec>;
  using pipeline = wire_pipeline<echo_codec>;
  using async = wire_async<echo_codec>;
};

}  // namespace dbdyno
