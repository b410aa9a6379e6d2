#include "results/cell_name.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>

namespace dbdyno::results {
namespace {

constexpr std::string_view timer_suffix = "/manual_time";
constexpr std::size_t fixed_parts = 4;

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

std::vector<std::string_view> parts_of(std::string_view name) {
  std::vector<std::string_view> parts;
  for (std::size_t begin = 0; begin <= name.size();) {
    const std::size_t end = std::min(name.find('/', begin), name.size());
    parts.push_back(name.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

/// The run of digits that the text begins with, without leading zeros; it is taken off the text.
std::string_view take_number(std::string_view& text) {
  const auto size =
      static_cast<std::size_t>(std::find_if_not(text.begin(), text.end(), is_digit) - text.begin());
  auto number = text.substr(0, size);
  text.remove_prefix(size);
  number.remove_prefix(std::min(number.find_first_not_of('0'), number.size()));
  return number;
}

}  // namespace

cell_name take_apart(std::string_view name) {
  // It may stand before Google Benchmark's threads:N.
  std::string text(name);
  const auto timer = text.find(timer_suffix);
  const auto after = timer + timer_suffix.size();
  if (timer != std::string::npos && (after == text.size() || text[after] == '/'))
    text.erase(timer, timer_suffix.size());

  cell_name foreign{.text = text, .workload = text};
  const auto parts = parts_of(text);
  if (parts.size() < fixed_parts) return foreign;
  for (std::size_t i = 0; i < fixed_parts; ++i) {
    if (parts[i].empty() || parts[i].find(':') != std::string_view::npos) return foreign;
  }
  static constexpr std::string_view modes[] = {"sync", "pipeline", "async"};
  if (std::find(std::begin(modes), std::end(modes), parts[3]) == std::end(modes)) return foreign;
  cell_name out{.text = text,
                .workload = std::string(parts[0]),
                .storage = std::string(parts[1]),
                .driver = std::string(parts[2]),
                .mode = std::string(parts[3])};
  for (std::size_t i = fixed_parts; i < parts.size(); ++i) {
    const auto colon = parts[i].find(':');
    if (colon == std::string_view::npos || colon == 0) return foreign;
    out.parameters.emplace_back(parts[i].substr(0, colon), parts[i].substr(colon + 1));
  }
  return out;
}

std::optional<std::string> part_of(const cell_name& name, std::string_view part) {
  if (name.mode.empty()) return std::nullopt;
  if (part == "workload") return name.workload;
  if (part == "storage") return name.storage;
  if (part == "driver") return name.storage + "/" + name.driver;
  if (part == "mode") return name.mode;
  for (const auto& [key, value] : name.parameters) {
    if (key == part) return value;
  }
  return std::nullopt;
}

std::string without_part(const cell_name& name, std::string_view part) {
  const auto masked = [part](std::string_view which, const std::string& value) {
    return which == part ? std::string("*") : value;
  };
  std::string out = masked("workload", name.workload) + "/";
  out += part == "driver" ? "*" : masked("storage", name.storage) + "/" + name.driver;
  out += "/" + masked("mode", name.mode);
  for (const auto& [key, value] : name.parameters) out += "/" + key + ":" + masked(key, value);
  return out;
}

bool comes_before(std::string_view a, std::string_view b) {
  while (!a.empty() && !b.empty()) {
    if (is_digit(a.front()) && is_digit(b.front())) {
      const auto left = take_number(a);
      const auto right = take_number(b);
      if (left.size() != right.size()) return left.size() < right.size();
      if (left != right) return left < right;
    } else {
      if (a.front() != b.front()) return a.front() < b.front();
      a.remove_prefix(1);
      b.remove_prefix(1);
    }
  }
  return a.empty() && !b.empty();
}

}  // namespace dbdyno::results
