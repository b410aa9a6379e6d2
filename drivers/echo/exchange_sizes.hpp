#pragma once

#include "drivers/connect_options.hpp"

namespace dbdyno {

/// The bytes of each kind of request and of its reply on an echo connection.
struct echo_exchange_sizes {
  exchange_size get;
  exchange_size set;
};

/// What options.exchange says, for both kinds. Where it says 0: what Redis's protocol takes for a key of five
/// digits and a value whose size has three, which is get 32 and value_size + 8, set value_size + 40 and 5.
/// A request of fewer than the 12 bytes that an echo header takes becomes 12.
///
/// Errors: setup_error where a value is too long for a message's 65,535 bytes.
echo_exchange_sizes echo_sizes(const connect_options& options);

}  // namespace dbdyno
