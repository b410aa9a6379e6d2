#include "drivers/redis/wire/codec.hpp"

#include <algorithm>

#include "drivers/redis/client.hpp"

namespace dbdyno {

void redis_codec::open(wire_stream& stream) const {
  redis_handshake(stream, where_);
}

decoded redis_codec::decode_get(char* begin, char* end) noexcept {
  return *begin == '$' ? decode_string(begin, end) : decode_other(op_kind::get, begin, end);
}

/// "$<length>\r\n<bytes>\r\n" or "$-1\r\n", of which the $ is there.
decoded redis_codec::decode_string(char* begin, char* end) noexcept {
  std::uint64_t length = 0;
  char* at = begin + 1;
  for (; at != end; ++at) {
    const auto digit = static_cast<unsigned>(*at - '0');
    if (digit > 9) break;
    length = length * 10 + digit;
    if (length > max_string) return broken(begin, end, "a string longer than 512 MB");
  }
  if (at == end) return {};
  if (at == begin + 1) return decode_other(op_kind::get, begin, end);
  if (end - at < 2) return {};
  if (!ends_line(at + 2)) return broken(begin, end, "a length that is no number");
  at += 2;
  if (static_cast<std::uint64_t>(end - at) < length + 2) return {};
  char* const after = at + length + 2;
  if (!ends_line(after)) return broken(begin, end, "a string longer than it says");

  const auto header_size = static_cast<std::size_t>(at - begin);
  const auto size = static_cast<std::size_t>(after - begin);
  if (size >= sizeof(std::uint64_t) && header_size <= sizeof(std::uint64_t)) {
    likely_ = likely_string(begin, header_size, size);
  }
  return {size, op_status::ok, {at, static_cast<std::size_t>(length)}};
}

decoded redis_codec::decode_other(op_kind kind, char* begin, char* end) noexcept {
  constexpr std::string_view nil = "$-1\r\n";
  const std::string_view bytes(begin, static_cast<std::size_t>(end - begin));
  if (std::string_view("+-:$*").find(bytes.front()) == std::string_view::npos) {
    return broken(begin, end, "a reply of no known type");
  }
  const auto line_end = bytes.find("\r\n");
  if (line_end == std::string_view::npos) {
    return bytes.size() > max_line ? broken(begin, end, "a line that does not end") : decoded{};
  }
  const std::string_view line = bytes.substr(0, line_end + 2);
  switch (line.front()) {
    case '-':
      keep_error(line.substr(1, line_end - 1));
      return {line.size(), op_status::refused, {error_, error_size_}};
    case '+':
    case ':':
      keep_error("a reply of another type than the request's");
      return {line.size(), op_status::wrong_reply, {}};
    case '$':
      if (kind == op_kind::get && line == nil) return {line.size(), op_status::not_found, {}};
      [[fallthrough]];
    default:
      // A string or nil for a SET, or an array: the request was not the one answered, so the stream cannot be
      // trusted.
      return broken(begin, end, "a reply of another type than the request's");
  }
}

decoded redis_codec::broken(const char* begin, const char* end, std::string_view what) noexcept {
  keep_error(what);
  return {static_cast<std::size_t>(end - begin), op_status::protocol, {}};
}

void redis_codec::keep_error(std::string_view text) noexcept {
  error_size_ = std::min(text.size(), sizeof error_);
  // The text ends up in terminals and in JSON: neither may meet control bytes, or half of a character.
  std::transform(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(error_size_), error_,
                 [](char c) { return c >= ' ' && c <= '~' ? c : '?'; });
}

}  // namespace dbdyno
