#include "drivers/echo/codec.hpp"

#include "drivers/echo/handshake.hpp"

namespace dbdyno {

echo_codec::echo_codec(const connect_options& options)
    : sizes_(echo_sizes(options)), value_size_(options.value_size) {
  if (sizes_.get.reply_bytes >= value_size_) {
    likely_size_ = sizes_.get.reply_bytes;
  } else {
    short_values_ = std::make_unique<short_values>(options.window, value_size_);
  }
}

void echo_codec::open(wire_stream& stream) const {
  echo_handshake(stream);
}

}  // namespace dbdyno
