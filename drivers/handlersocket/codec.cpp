#include "drivers/handlersocket/codec.hpp"

#include <algorithm>
#include <charconv>

#include "drivers/handlersocket/handshake.hpp"

namespace dbdyno {
namespace {

/// Such as "lock_tables", "121": what a server may put in front of a text of ours.
bool is_word(std::string_view text) noexcept {
  constexpr std::size_t longest = 32;
  return !text.empty() && text.size() <= longest && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
  });
}

bool is_number(std::string_view token) noexcept {
  return !token.empty() && token.find_first_not_of("0123456789") == std::string_view::npos;
}

char* append(char* out, std::string_view text) noexcept {
  return std::copy(text.begin(), text.end(), out);
}

/// At most four bytes.
char* append_printable(char* out, char byte) noexcept {
  constexpr std::string_view digits = "0123456789abcdef";
  const auto code = static_cast<unsigned char>(byte);
  if (code >= 0x20 && code < 0x7f) {
    *out++ = byte;
  } else if (byte == '\t') {
    *out++ = ' ';
  } else {
    out = append(out, "\\x");
    *out++ = digits[code >> 4];
    *out++ = digits[code & 15];
  }
  return out;
}

}  // namespace

handlersocket_codec::handlersocket_codec(const connect_options& options)
    : max_value_(max_value(options)),
      max_reply_(max_reply * std::max<std::size_t>(1, options.multiget_keys)),
      cells_(block_size(options.multiget_keys, max_value(options))),
      database_(options.where.database.empty() ? default_database : options.where.database),
      secret_(options.where.password) {
}

void handlersocket_codec::open(wire_stream& stream) const {
  handlersocket::authenticate(stream, secret_);
  handlersocket::open_index(stream, 1, database_, "table_test", "PRIMARY", "str");
}

op_status handlersocket_codec::check_characters(std::string_view value) const noexcept {
  const auto characters = handlersocket::count_utf8mb3(value);
  if (!characters) return op_status::unstorable;
  return *characters > column_characters ? op_status::too_large : op_status::ok;
}

decoded handlersocket_codec::decode_get(char* begin, char* end) noexcept {
  if (static_cast<std::size_t>(end - begin) > row_prefix.size() && starts_with(begin, row_prefix)) {
    const char* const stop = handlersocket::find_control(begin + row_prefix.size(), end);
    if (stop != end && *stop == '\n') {
      likely_ = likely_row(static_cast<std::size_t>(stop + 1 - begin));
      return {likely_.size(), op_status::ok, likely_.value_at(begin)};
    }
  }
  return decode_rare(op_kind::get, begin, end);
}

char* handlersocket_codec::append_multiget(char* out, std::span<const key> keys) const noexcept {
  const auto count = [&](char* at) { return std::to_chars(at, at + 20, keys.size()).ptr; };
  out = append_find(out, keys.front());
  *out++ = '\t';
  // Limit and offset; a list for the first column of the key.
  out = append(count(out), "\t0\t@\t0\t");
  out = count(out);
  for (const key& k : keys) {
    *out++ = '\t';
    out = append(out, k.decimal());
  }
  *out++ = '\n';
  return out;
}

decoded handlersocket_codec::decode_block(char* begin, char* end) noexcept {
  const auto size = static_cast<std::size_t>(end - begin);
  char* const line_end = size == 0 ? nullptr : static_cast<char*>(std::memchr(begin, '\n', size));
  const bool has_rows = size > row_prefix.size() && starts_with(begin, row_prefix);
  cells_.clear();
  if (line_end == nullptr || !has_rows) {
    const decoded other = decode_rare(op_kind::get, begin, end);
    if (other.status != op_status::not_found) return other;
    return {other.consumed, op_status::ok, cells_.view()};
  }
  const std::size_t consumed = static_cast<std::size_t>(line_end - begin) + 1;
  const std::string_view line(begin, consumed - 1);
  for (char* token = begin + row_prefix.size(); token <= line_end;) {
    char* const token_end = std::find(token, line_end, '\t');
    const auto length = static_cast<std::size_t>(token_end - token);
    if (handlersocket::is_null({token, length}))
      return fault(consumed, op_status::wrong_reply, "a value is NULL", line);
    const char* const value_end = handlersocket::unescape(token, token_end);
    if (value_end == nullptr) return fault(consumed, op_status::protocol, "a malformed value", line);
    if (!cells_.append({token, static_cast<std::size_t>(value_end - token)}))
      return fault(consumed, op_status::wrong_reply, "more rows than keys, or longer ones", line);
    token = token_end + 1;
  }
  return {consumed, op_status::ok, cells_.view()};
}

decoded handlersocket_codec::decode_rare(op_kind kind, char* begin, char* end) noexcept {
  const auto size = static_cast<std::size_t>(end - begin);
  char* const line_end = size == 0 ? nullptr : static_cast<char*>(std::memchr(begin, '\n', size));
  if (line_end == nullptr) {
    if (size <= max_reply_) return {};
    return fault(size, op_status::protocol, "a line without end", {begin, size});
  }
  const std::size_t consumed = static_cast<std::size_t>(line_end - begin) + 1;
  const std::string_view line(begin, consumed - 1);

  const std::size_t tab = line.find('\t');
  const std::string_view code = line.substr(0, tab);
  if (!is_number(code) || tab == std::string_view::npos) {
    return fault(consumed, op_status::protocol, "a malformed reply", line);
  }
  const std::string_view rest = line.substr(tab + 1);
  const std::size_t second_tab = rest.find('\t');
  const std::string_view columns = rest.substr(0, second_tab);
  if (!is_number(columns)) return fault(consumed, op_status::protocol, "a malformed reply", line);
  if (code != "0") {
    if (columns != "1") return fault(consumed, op_status::protocol, "a malformed error", line);
    // Its word for what is wrong comes first, so that refusals can be told apart by it.
    const std::string_view word = second_tab == std::string_view::npos ? "" : rest.substr(second_tab + 1);
    return fault(consumed, op_status::refused, is_word(word) ? word : code, line);
  }
  if (columns != "1")
    return fault(consumed, op_status::wrong_reply, "a reply of another number of columns", line);

  const bool empty = second_tab == std::string_view::npos;
  if (kind == op_kind::get) {
    if (empty) return {consumed, op_status::not_found, {}};
    return decode_row(consumed, begin, line_end);
  }
  if (empty) return fault(consumed, op_status::wrong_reply, "a reply without the number of rows", line);
  return decode_modified(consumed, line, rest.substr(second_tab + 1));
}

decoded handlersocket_codec::decode_row(std::size_t consumed, char* begin, char* end) noexcept {
  const std::string_view line(begin, static_cast<std::size_t>(end - begin));
  char* const value = begin + row_prefix.size();
  const std::string_view token = line.substr(row_prefix.size());
  if (token.find('\t') != std::string_view::npos) {
    return fault(consumed, op_status::wrong_reply, "a reply of more than one row", line);
  }
  if (handlersocket::is_null(token))
    return fault(consumed, op_status::wrong_reply, "the value is NULL", line);
  const char* const value_end = handlersocket::unescape(value, end);
  if (value_end == nullptr) return fault(consumed, op_status::protocol, "a malformed value", line);
  return {consumed, op_status::ok, {value, static_cast<std::size_t>(value_end - value)}};
}

decoded handlersocket_codec::decode_modified(std::size_t consumed, std::string_view line,
                                             std::string_view count) noexcept {
  if (count == "1") return {consumed, op_status::ok, {}};
  if (count == "0") return {consumed, op_status::not_found, {}};
  if (!is_number(count)) return fault(consumed, op_status::protocol, "a malformed number of rows", line);
  return fault(consumed, op_status::wrong_reply, "another number of rows than one was modified", line);
}

decoded handlersocket_codec::fault(std::size_t consumed, op_status status, std::string_view what,
                                   std::string_view line) noexcept {
  char* out = std::copy_n(what.data(), std::min(what.size(), max_fault), fault_);
  if (!line.empty()) out = append(out, ": ");
  for (const char byte : line.substr(0, max_fault)) out = append_printable(out, byte);
  fault_size_ = static_cast<std::size_t>(out - fault_);
  const bool refused = status == op_status::refused;
  return {consumed, status, refused ? std::string_view(fault_, fault_size_) : std::string_view{}};
}

}  // namespace dbdyno
