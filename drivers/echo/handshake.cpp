#include "drivers/echo/handshake.hpp"

#include <cstdint>
#include <string_view>

#include "drivers/echo/protocol.hpp"

namespace dbdyno {

void echo_handshake(wire_stream& stream) {
  constexpr std::string_view step = "open a session at";
  constexpr echo_header hello{
      .request_size = echo_header::size, .reply_size = echo_header::tag_size, .tag = 0x0123'4567'89ab'cdef};
  char request[echo_header::size];
  hello.write(request);
  stream.write(step, {request, sizeof request});
  while (stream.received().size() < hello.reply_size) stream.read_more(step);
  constexpr std::size_t before_tag = echo_header::size - echo_header::tag_size;
  if (!stream.received().starts_with(std::string_view(request + before_tag, echo_header::tag_size))) {
    stream.fail(step, "no echo server answers there");
  }
  stream.consume(hello.reply_size);
}

}  // namespace dbdyno
