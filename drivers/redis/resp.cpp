#include "drivers/redis/resp.hpp"

#include <fmt/format.h>

#include <charconv>

namespace dbdyno {
namespace {

constexpr int max_nesting = 8;
constexpr std::int64_t max_string = 512LL * 1024 * 1024;
constexpr std::int64_t max_elements = 0xffffffff;

std::int64_t parse_integer(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) {
    throw resp_error(fmt::format("'{}' is not a RESP number", text.substr(0, 32)));
  }
  return value;
}

std::optional<parsed_reply> parse_nested(std::string_view bytes, int nesting);

std::optional<parsed_reply> parse_string(std::string_view bytes, std::size_t header, std::int64_t length) {
  if (length == -1) return parsed_reply{{}, header};
  if (length < 0 || length > max_string) throw resp_error(fmt::format("a RESP string of {} bytes", length));
  const std::size_t size = header + static_cast<std::size_t>(length) + 2;
  if (bytes.size() < size) return std::nullopt;
  if (bytes.substr(size - 2, 2) != "\r\n") throw resp_error("a RESP string does not end where it says");
  return parsed_reply{{.kind = resp_reply::type::string,
                       .text = std::string(bytes.substr(header, static_cast<std::size_t>(length)))},
                      size};
}

std::optional<parsed_reply> parse_array(std::string_view bytes, std::size_t header, std::int64_t length,
                                        int nesting) {
  if (length == -1) return parsed_reply{{}, header};
  if (length < 0 || length > max_elements)
    throw resp_error(fmt::format("a RESP array of {} elements", length));
  if (nesting == max_nesting) throw resp_error("RESP arrays nested too deep");
  parsed_reply whole{{.kind = resp_reply::type::array}, header};
  for (std::int64_t i = 0; i < length; ++i) {
    auto element = parse_nested(bytes.substr(whole.consumed), nesting + 1);
    if (!element) return std::nullopt;
    whole.consumed += element->consumed;
    whole.reply.elements.push_back(std::move(element->reply));
  }
  return whole;
}

std::optional<parsed_reply> parse_nested(std::string_view bytes, int nesting) {
  if (bytes.empty()) return std::nullopt;
  const char type = bytes.front();
  if (std::string_view("+-:$*").find(type) == std::string_view::npos) {
    throw resp_error(
        fmt::format("no RESP reply starts with byte 0x{:02x}", static_cast<unsigned char>(type)));
  }
  const auto line_end = bytes.find("\r\n");
  if (line_end == std::string_view::npos) return std::nullopt;
  const std::string_view line = bytes.substr(1, line_end - 1);
  const std::size_t header = line_end + 2;
  switch (type) {
    case '+':
      return parsed_reply{{.kind = resp_reply::type::status, .text = std::string(line)}, header};
    case '-':
      return parsed_reply{{.kind = resp_reply::type::error, .text = std::string(line)}, header};
    case ':':
      return parsed_reply{{.kind = resp_reply::type::integer, .integer = parse_integer(line)}, header};
    case '$':
      return parse_string(bytes, header, parse_integer(line));
    default:
      return parse_array(bytes, header, parse_integer(line), nesting);
  }
}

}  // namespace

std::optional<parsed_reply> parse_reply(std::string_view bytes) {
  return parse_nested(bytes, 0);
}

void append_command(std::string& out, std::initializer_list<std::string_view> words) {
  fmt::format_to(std::back_inserter(out), "*{}\r\n", words.size());
  for (const std::string_view word : words)
    fmt::format_to(std::back_inserter(out), "${}\r\n{}\r\n", word.size(), word);
}

}  // namespace dbdyno
