#include "drivers/redis/wire/codec.hpp"

#include <algorithm>
#include <charconv>

#include "drivers/redis/client.hpp"

namespace dbdyno {

void redis_codec::open(wire_stream& stream) const {
  redis_handshake(stream, where_, bare_);
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

namespace {

/// Reads "<type><number>\r\n" at `at`, which it moves behind if the line is whole.
struct counted_line {
  enum class found : std::uint8_t { whole, part, broken };

  static found read(char type, const char*& at, const char* end, std::uint64_t& number) noexcept {
    const std::string_view bytes(at, static_cast<std::size_t>(end - at));
    const auto line_end = bytes.find("\r\n");
    if (line_end == std::string_view::npos) return bytes.size() > 24 ? found::broken : found::part;
    if (bytes.front() != type) return found::broken;
    const auto parsed = std::from_chars(at + 1, at + line_end, number);
    if (parsed.ec != std::errc() || parsed.ptr != at + line_end) return found::broken;
    at += line_end + 2;
    return found::whole;
  }
};

}  // namespace

/// One array of names and values, or an error, for each row; or one array of values. What is there of a reply
/// is parsed again when more of it has come.
decoded redis_codec::decode_block(char* begin, char* end) noexcept {
  using found = counted_line::found;
  constexpr const char* no_strings = "a reply that is no array of strings";
  constexpr std::string_view nil = "$-1\r\n";
  const std::size_t replies = is_multiget_ ? 1 : rows_read;
  const std::uint64_t strings_a_value = is_multiget_ ? 1 : 2;
  cells_.clear();
  const char* at = begin;
  op_status status = op_status::ok;
  for (std::size_t reply = 0; reply < replies; ++reply) {
    if (at == end) return {};
    if (*at == '-') {
      const std::string_view bytes(at, static_cast<std::size_t>(end - at));
      const auto line_end = bytes.find("\r\n");
      if (line_end == std::string_view::npos) {
        return bytes.size() > max_line ? broken(begin, end, "a line that does not end") : decoded{};
      }
      keep_error(bytes.substr(1, line_end - 1));
      status = op_status::refused;
      at += line_end + 2;
      continue;
    }
    std::uint64_t strings = 0;
    const found head = counted_line::read('*', at, end, strings);
    if (head == found::part) return {};
    if (head == found::broken || strings % strings_a_value != 0) return broken(begin, end, no_strings);
    for (std::uint64_t i = 0; i < strings; ++i) {
      if (at == end) return {};
      if (std::string_view(at, static_cast<std::size_t>(end - at)).starts_with(nil)) {
        at += nil.size();
        continue;
      }
      std::uint64_t length = 0;
      const found line = counted_line::read('$', at, end, length);
      if (line == found::part) return {};
      if (line == found::broken || length > max_string) return broken(begin, end, no_strings);
      if (static_cast<std::uint64_t>(end - at) < length + 2) return {};
      const std::string_view text(at, static_cast<std::size_t>(length));
      if (!ends_line(at + length + 2)) return broken(begin, end, "a string longer than it says");
      at += length + 2;
      const bool is_value = i % strings_a_value == strings_a_value - 1;
      if (is_value && status == op_status::ok && !cells_.append(text)) {
        keep_error("more values than there is room for");
        status = op_status::wrong_reply;
      }
    }
  }
  const auto size = static_cast<std::size_t>(at - begin);
  if (status == op_status::ok) return {size, status, cells_.view()};
  return {size, status,
          status == op_status::refused ? std::string_view(error_, error_size_) : std::string_view()};
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
