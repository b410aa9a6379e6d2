#pragma once

#include <cstdint>
#include <string_view>

/// Numbers as users type them at a flag or in a variable: exact, or refused. Signs, blanks, separators,
/// exponents and other bases are no part of them.
namespace dbdyno {

/// `text` as a decimal whole number from `min` to `max`.
/// Errors: usage_error that names `flag`, the text and the range.
std::uint64_t parse_whole_number(std::string_view flag, std::string_view text, std::uint64_t min,
                                 std::uint64_t max);

/// `text` as seconds from `min` to `max`, with or without a decimal point: "3", "0.25".
/// Errors: usage_error that names `flag`, the text and the range.
double parse_seconds(std::string_view flag, std::string_view text, double min, double max);

/// `text` as a number from `min` to `max`, with or without a decimal point; `what` says of what: "requests
/// per second". Errors: as parse_seconds.
double parse_decimal(std::string_view flag, std::string_view text, std::string_view what, double min,
                     double max);

}  // namespace dbdyno
