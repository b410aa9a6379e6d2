#include "drivers/echo/exchange_sizes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "drivers/echo/protocol.hpp"
#include "drivers/errors.hpp"

namespace dbdyno {
namespace {

constexpr std::size_t resp_get_request =
    std::string_view("*2\r\n$3\r\nGET\r\n$12\r\ndbdyno:12345\r\n").size();
constexpr std::size_t resp_get_reply_overhead = std::string_view("$100\r\n\r\n").size();
constexpr std::size_t resp_set_request_overhead =
    std::string_view("*3\r\n$3\r\nSET\r\n$12\r\ndbdyno:12345\r\n$100\r\n\r\n").size();
constexpr std::size_t resp_set_reply = std::string_view("+OK\r\n").size();
static_assert(resp_get_request == 32 && resp_get_reply_overhead == 8);
static_assert(resp_set_request_overhead == 40 && resp_set_reply == 5);

std::uint16_t message_size(const connect_options& options, std::uint16_t wanted, std::size_t otherwise) {
  if (wanted != 0) return wanted;
  if (otherwise > echo_header::max_message) {
    throw setup_error("echo/socket", "measure", options.where.masked(),
                      fmt::format("a message has at most {} bytes, and a value of {} takes {}",
                                  echo_header::max_message, options.value_size, otherwise));
  }
  return static_cast<std::uint16_t>(otherwise);
}

exchange_size exchange(const connect_options& options, std::size_t request, std::size_t reply) {
  return {.request_bytes = std::max<std::uint16_t>(
              message_size(options, options.exchange.request_bytes, request), echo_header::size),
          .reply_bytes = message_size(options, options.exchange.reply_bytes, reply)};
}

}  // namespace

echo_exchange_sizes echo_sizes(const connect_options& options) {
  return {.get = exchange(options, resp_get_request, options.value_size + resp_get_reply_overhead),
          .set = exchange(options, options.value_size + resp_set_request_overhead, resp_set_reply)};
}

}  // namespace dbdyno
