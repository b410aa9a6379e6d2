#include "drivers/value_sizes.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "drivers/errors.hpp"

namespace dbdyno {
namespace {

using ::testing::HasSubstr;

value_sizes parse(std::string_view text) {
  return value_sizes::parse("--value-size", text);
}

std::string complaint(std::string_view text) {
  try {
    parse(text);
  } catch (const usage_error& error) {
    return error.what();
  }
  return "accepted";
}

/// How many of 100,000 tags get which size.
std::map<std::size_t, int> histogram(const value_sizes& sizes) {
  std::map<std::size_t, int> out;
  for (std::uint64_t i = 0; i < 100'000; ++i) {
    // Text of 64 letters, as tags are.
    std::uint64_t tag = 0;
    for (int letter = 0; letter < 8; ++letter)
      tag |= (0x30 + ((i * 0x9e3779b97f4a7c15) >> (6 * letter + 8) & 63)) << (8 * letter);
    const std::size_t size = sizes.of(tag);
    EXPECT_TRUE(sizes.match(tag, size));
    EXPECT_FALSE(sizes.match(tag, size + 1));
    ++out[size];
  }
  return out;
}

TEST(value_sizes, are_all_the_same_where_one_number_is_given) {
  EXPECT_TRUE(value_sizes().is_fixed());
  EXPECT_EQ(value_sizes().to_string(), "100");
  const value_sizes sizes = parse("1024");
  EXPECT_TRUE(sizes.is_fixed());
  EXPECT_EQ(sizes.max(), 1024U);
  EXPECT_EQ(sizes.mean(), 1024);
  EXPECT_EQ(histogram(sizes), (std::map<std::size_t, int>{{1024, 100'000}}));
}

TEST(value_sizes, cover_a_range_evenly) {
  const value_sizes sizes = parse("16-35");
  EXPECT_FALSE(sizes.is_fixed());
  EXPECT_EQ(sizes.max(), 35U);
  EXPECT_EQ(sizes.mean(), 25.5);
  const auto found = histogram(sizes);
  EXPECT_EQ(found.size(), 20U);
  for (const auto& [size, count] : found) EXPECT_NEAR(count, 5000, 350) << size;
}

TEST(value_sizes, follow_weights) {
  const value_sizes sizes = parse("100:7,1000:2,16-17:1");
  EXPECT_EQ(sizes.max(), 1000U);
  EXPECT_NEAR(sizes.mean(), 271.65, 1e-9);
  auto found = histogram(sizes);
  EXPECT_NEAR(found[100], 70'000, 750);
  EXPECT_NEAR(found[1000], 20'000, 650);
  EXPECT_NEAR(found[16], 5000, 350);
  EXPECT_NEAR(found[17], 5000, 350);
}

TEST(value_sizes, are_spelled_as_they_are_typed) {
  for (const char* text : {"100", "16-1024", "100:9,1000:1", "16-64:3,1000:1"}) {
    EXPECT_EQ(parse(text).to_string(), text);
    EXPECT_EQ(parse(text), parse(text));
  }
  EXPECT_EQ(parse("100:7"), parse("100"));
  EXPECT_FALSE(parse("100") == parse("101"));
}

TEST(value_sizes, refuse_what_makes_no_sense_and_say_what_does) {
  EXPECT_THAT(complaint("1024-16"), HasSubstr("'1024-16' is upside down; did you mean 16-1024?"));
  EXPECT_THAT(complaint("100,200"), HasSubstr("100:9,1000:1"));
  EXPECT_THAT(complaint("100:1,200"), HasSubstr("'200' has no weight"));
  for (const char* text : {"", "15", "1025", "16-", "-16", "100:0", "100:", ":1", "100:1,", "100:-1", "1e2",
                           "16-20-30", "100:1,100:1,100:1,100:1,100:1,100:1,100:1,100:1,100:1"})
    EXPECT_THAT(complaint(text), HasSubstr("--value-size")) << text;
}

}  // namespace
}  // namespace dbdyno
