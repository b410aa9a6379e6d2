#include "data-loaders/marker.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <limits>

#include "drivers/errors.hpp"
#include "drivers/parse_number.hpp"

namespace dbdyno::marker {
namespace {

constexpr std::string_view family = "dbdyno ";
constexpr std::string_view version = "dbdyno 1 ";
constexpr std::size_t longest_quoted = 80;

[[noreturn]] void refuse(std::string_view text, std::string_view problem) {
  throw usage_error(fmt::format("the marker '{}' {}", text.substr(0, longest_quoted), problem));
}

std::string_view take_value(std::string_view& rest, std::string_view name) {
  if (!rest.starts_with(name)) throw usage_error(fmt::format("no {} where it belongs", name));
  rest.remove_prefix(name.size());
  const auto blank = rest.find(' ');
  const std::string_view value = rest.substr(0, blank);
  rest.remove_prefix(blank == std::string_view::npos ? rest.size() : blank + 1);
  return value;
}

}  // namespace

std::string format(const data_set& data) {
  return fmt::format("{}seed={} keys={} value_size={}", version, data.seed(), data.keys(),
                     data.sizes().to_string());
}

std::optional<data_set> parse(std::string_view text) {
  if (text == loading) return std::nullopt;
  if (!text.starts_with(family)) refuse(text, "is not one of dbdyno-load's");
  if (!text.starts_with(version)) refuse(text, "is of another version of dbdyno-load");
  constexpr std::uint64_t any = std::numeric_limits<std::uint64_t>::max();
  std::string_view rest = text.substr(version.size());
  try {
    const std::uint64_t seed = parse_whole_number("seed", take_value(rest, "seed="), 0, any);
    const std::uint64_t keys = parse_whole_number("keys", take_value(rest, "keys="), 1, key::max_id);
    const data_set data(keys, value_sizes::parse("value_size", take_value(rest, "value_size=")), seed);
    // Anything more, or written differently, was not written by format().
    if (format(data) == text) return data;
  } catch (const usage_error& error) {
    refuse(text, fmt::format("is damaged: {}", error.what()));
  }
  refuse(text, "is damaged: it holds more than seed, keys and value_size");
}

}  // namespace dbdyno::marker
