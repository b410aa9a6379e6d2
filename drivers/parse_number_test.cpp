#include "drivers/parse_number.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>

#include "drivers/errors.hpp"

namespace dbdyno {
namespace {

constexpr std::uint64_t largest = std::numeric_limits<std::uint64_t>::max();

std::string refusal_of_number(const std::string& text, std::uint64_t min, std::uint64_t max) {
  try {
    return "accepted as " + std::to_string(parse_whole_number("--keys", text, min, max));
  } catch (const usage_error& error) {
    return error.what();
  }
}

std::string refusal_of_seconds(const std::string& text) {
  try {
    return "accepted as " + std::to_string(parse_seconds("--timeout", text, 0.001, 3600));
  } catch (const usage_error& error) {
    return error.what();
  }
}

TEST(parse_whole_number, takes_every_number_of_its_range) {
  EXPECT_EQ(parse_whole_number("--keys", "1", 1, 100), 1U);
  EXPECT_EQ(parse_whole_number("--keys", "100", 1, 100), 100U);
  EXPECT_EQ(parse_whole_number("--keys", "007", 1, 100), 7U);
  EXPECT_EQ(parse_whole_number("--seed", "0", 0, largest), 0U);
  EXPECT_EQ(parse_whole_number("--seed", "18446744073709551615", 0, largest), largest);
}

TEST(parse_whole_number, refuses_what_is_out_of_range_naming_flag_text_and_range) {
  EXPECT_EQ(refusal_of_number("0", 1, 100), "--keys: '0' is not a whole number from 1 to 100");
  EXPECT_EQ(refusal_of_number("101", 1, 100), "--keys: '101' is not a whole number from 1 to 100");
  EXPECT_EQ(refusal_of_number("-1", 0, largest),
            "--keys: '-1' is not a whole number from 0 to 18446744073709551615");
  EXPECT_EQ(refusal_of_number("18446744073709551616", 0, largest),
            "--keys: '18446744073709551616' is not a whole number from 0 to 18446744073709551615");
}

TEST(parse_whole_number, refuses_what_is_not_digits_alone) {
  for (const char* text :
       {"", " 1", "1 ", "+1", "-0", "1.0", "1e3", "0x10", "1,000", "1_000", "1k", "many"}) {
    EXPECT_EQ(refusal_of_number(text, 0, 1000000),
              "--keys: '" + std::string(text) + "' is not a whole number from 0 to 1000000");
  }
}

TEST(parse_seconds, takes_whole_and_decimal_numbers) {
  EXPECT_EQ(parse_seconds("--timeout", "3", 0.001, 3600), 3.0);
  EXPECT_EQ(parse_seconds("--timeout", "0.25", 0.001, 3600), 0.25);
  EXPECT_EQ(parse_seconds("--timeout", ".5", 0.001, 3600), 0.5);
  EXPECT_EQ(parse_seconds("--timeout", "3600", 0.001, 3600), 3600.0);
}

TEST(parse_seconds, refuses_everything_else_naming_flag_text_and_range) {
  for (const char* text :
       {"", ".", "0", "3600.5", "-1", "+1", "1e3", "inf", "nan", "1.2.3", "3s", " 3", "0x1p2"}) {
    EXPECT_EQ(refusal_of_seconds(text),
              "--timeout: '" + std::string(text) + "' is not a number of seconds from 0.001 to 3600");
  }
}

}  // namespace
}  // namespace dbdyno
