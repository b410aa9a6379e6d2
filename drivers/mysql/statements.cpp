#include "drivers/mysql/statements.hpp"

#include <cstdint>
#include <cstring>

namespace dbdyno {
namespace {

constexpr std::string_view select_head = "SELECT str FROM table_test WHERE id=";
constexpr std::string_view multiget_head = "SELECT str FROM table_test WHERE id IN (";
constexpr std::string_view update_head = "UPDATE table_test SET str='";
constexpr std::string_view update_middle = "' WHERE id=";
constexpr std::size_t longest_id = 10;

constexpr std::uint64_t every_byte(std::uint8_t value) {
  return 0x0101010101010101U * value;
}

// Nonzero where a byte of `word` equals `value`.
constexpr std::uint64_t find_byte(std::uint64_t word, std::uint8_t value) {
  const std::uint64_t zero_where_equal = word ^ every_byte(value);
  return (zero_where_equal - every_byte(1)) & ~zero_where_equal & every_byte(0x80);
}

char* append(char* out, std::string_view text) noexcept {
  std::memcpy(out, text.data(), text.size());
  return out + text.size();
}

char* escape_byte(char* out, char byte) noexcept {
  if (byte == '\'' || byte == '\\') *out++ = '\\';
  // A NUL would do as it is; escaped, the statement survives a log or a proxy that takes it for the end.
  if (byte == '\0') {
    *out++ = '\\';
    byte = '0';
  }
  *out++ = byte;
  return out;
}

}  // namespace

char* escape_mysql_literal(char* out, std::string_view text) noexcept {
  const char* from = text.data();
  const char* const end = from + text.size();
  // Values rarely hold anything to escape, so eight bytes are looked at together.
  for (std::uint64_t word = 0; end - from >= static_cast<std::ptrdiff_t>(sizeof word); from += sizeof word) {
    std::memcpy(&word, from, sizeof word);
    if ((find_byte(word, '\'') | find_byte(word, '\\') | find_byte(word, '\0')) == 0) {
      std::memcpy(out, &word, sizeof word);
      out += sizeof word;
    } else {
      for (std::size_t i = 0; i < sizeof word; ++i) out = escape_byte(out, from[i]);
    }
  }
  for (; from != end; ++from) out = escape_byte(out, *from);
  return out;
}

std::size_t mysql_statements::capacity(std::size_t value_size) noexcept {
  return update_head.size() + 2 * value_size + update_middle.size() + longest_id;
}

mysql_statements::mysql_statements(std::size_t value_size, std::size_t multiget_keys)
    : value_size_(value_size),
      get_(std::make_unique<char[]>(select_head.size() + longest_id)),
      set_(std::make_unique<char[]>(capacity(value_size))),
      multiget_(std::make_unique<char[]>(multiget_head.size() + multiget_keys * (longest_id + 1))) {
  append(multiget_.get(), multiget_head);
  append(get_.get(), select_head);
  append(set_.get(), update_head);
}

std::string_view mysql_statements::get(const key& k) noexcept {
  const char* const end = append(get_.get() + select_head.size(), k.decimal());
  return {get_.get(), static_cast<std::size_t>(end - get_.get())};
}

std::string_view mysql_statements::set(const key& k, std::string_view value) noexcept {
  char* end = escape_mysql_literal(set_.get() + update_head.size(), value);
  end = append(append(end, update_middle), k.decimal());
  return {set_.get(), static_cast<std::size_t>(end - set_.get())};
}

std::string_view mysql_statements::multiget(std::span<const key> keys) noexcept {
  char* end = multiget_.get() + multiget_head.size();
  for (const key& k : keys) {
    end = append(end, k.decimal());
    *end++ = ',';
  }
  // In place of the last comma.
  end[-1] = ')';
  return {multiget_.get(), static_cast<std::size_t>(end - multiget_.get())};
}

}  // namespace dbdyno
