#pragma once

#include "drivers/wire/stream.hpp"

namespace dbdyno {

/// One small exchange on a fresh connection: whether an echo server answers there.
/// Errors: setup_error.
void echo_handshake(wire_stream& stream);

}  // namespace dbdyno
