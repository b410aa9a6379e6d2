#include "results/imports/lenient_json.hpp"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <optional>

#include "results/json_document.hpp"

namespace dbdyno::results {
namespace {

/// The length of a text in quotes that begins at `begin`, quotes included.
std::size_t quoted_length(std::string_view text, std::size_t begin) {
  auto end = text.find('"', begin + 1);
  const auto is_escaped = [&] {
    const auto before = text.substr(begin + 1, end - begin - 1);
    const auto last = before.find_last_not_of('\\');
    return (before.size() - (last == std::string_view::npos ? 0 : last + 1)) % 2 != 0;
  };
  while (end != std::string_view::npos && is_escaped()) end = text.find('"', end + 1);
  return std::min(end, text.size() - 1) + 1 - begin;
}

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

/// The length of a word that stands for no finite number; 0 if there is none.
std::size_t not_finite_length(std::string_view text) {
  const std::size_t sign = text.starts_with('-') ? 1 : 0;
  for (const std::string_view word : {"NaN", "nan", "Infinity", "inf"}) {
    const auto end = sign + word.size();
    if (text.substr(sign).starts_with(word) && (end == text.size() || !is_word(text[end]))) return end;
  }
  return 0;
}

/// The text with each such word replaced by a text in quotes of the same length, so that places stay what
/// they are; none if there is no such word.
std::optional<std::string> with_marks(std::string_view text) {
  std::optional<std::string> marked;
  for (std::size_t i = 0; i < text.size();) {
    if (text[i] == '"') {
      i += quoted_length(text, i);
    } else if (is_word(text[i]) || text[i] == '-') {
      if (const auto length = not_finite_length(text.substr(i)); length != 0) {
        if (!marked) marked.emplace(text);
        (*marked)[i] = (*marked)[i + length - 1] = '"';
        (*marked)[i + 1] = not_finite_mark;
        i += length;
      }
      while (i < text.size() && (is_word(text[i]) || text[i] == '-' || text[i] == '+' || text[i] == '.')) ++i;
    } else {
      ++i;
    }
  }
  return marked;
}

}  // namespace

std::vector<std::string_view> top_level_keys(std::string_view text) {
  std::vector<std::string_view> keys;
  int depth = 0;
  for (std::size_t i = 0; i < text.size();) {
    const char c = text[i];
    if (c == '"') {
      const auto length = quoted_length(text, i);
      const auto next = text.find_first_not_of(" \t\r\n", i + length);
      if (depth == 1 && length >= 2 && next != std::string_view::npos && text[next] == ':') {
        keys.push_back(text.substr(i + 1, length - 2));
      }
      i += length;
      continue;
    }
    if (c == '{' || c == '[') {
      if (depth == 0 && c == '[') return {};
      ++depth;
    } else if (c == '}' || c == ']') {
      --depth;
    } else if (depth == 0 && std::isspace(static_cast<unsigned char>(c)) == 0) {
      return keys;
    }
    ++i;
  }
  return keys;
}

void read_json(std::string_view text, std::string_view name, const std::function<void(const node&)>& read) {
  const auto marked = with_marks(text);
  read_document(marked ? std::string_view(*marked) : text, name, read);
}

}  // namespace dbdyno::results
