#include "drivers/parse_number.hpp"

#include <fmt/format.h>

#include <charconv>

#include "drivers/errors.hpp"

namespace dbdyno {
namespace {

template <class Number, class... Format>
bool parse_whole(std::string_view text, Number& out, Format... format) {
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, out, format...);
  return error == std::errc{} && stop == end;
}

}  // namespace

std::uint64_t parse_whole_number(std::string_view flag, std::string_view text, std::uint64_t min,
                                 std::uint64_t max) {
  std::uint64_t number = 0;
  if (parse_whole(text, number) && number >= min && number <= max) return number;
  throw usage_error(fmt::format("{}: '{}' is not a whole number from {} to {}", flag, text, min, max));
}

double parse_seconds(std::string_view flag, std::string_view text, double min, double max) {
  return parse_decimal(flag, text, "seconds", min, max);
}

double parse_decimal(std::string_view flag, std::string_view text, std::string_view what, double min,
                     double max) {
  double number = 0;
  // from_chars would also take a sign, "inf" and "nan".
  const bool plain = text.find_first_not_of("0123456789.") == std::string_view::npos;
  if (plain && parse_whole(text, number, std::chars_format::fixed) && number >= min && number <= max)
    return number;
  throw usage_error(fmt::format("{}: '{}' is not a number of {} from {} to {}", flag, text, what, min, max));
}

}  // namespace dbdyno
