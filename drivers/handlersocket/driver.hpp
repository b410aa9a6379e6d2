#pragma once

#include <string>
#include <string_view>

#include "drivers/handlersocket/codec.hpp"
#include "drivers/wire/async.hpp"
#include "drivers/wire/pipeline.hpp"
#include "drivers/wire/sync.hpp"

namespace dbdyno {

/// The driver family handlersocket/native: our own HandlerSocket client.
struct handlersocket_native {
  static constexpr std::string_view storage = "handlersocket";
  static constexpr std::string_view name = "native";
  static constexpr bool set_creates = false;

  static std::string version();

  using sync = wire_sync<handlersocket_codec>;
  using pipeline = wire_pipeline<handlersocket_codec>;
  using async = wire_async<handlersocket_codec>;
};

}  // namespace dbdyno
