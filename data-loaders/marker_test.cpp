#include "data-loaders/marker.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <optional>
#include <string>

#include "drivers/errors.hpp"

namespace dbdyno {
namespace {

using testing::HasSubstr;

std::string refusal_of(const std::string& text) {
  try {
    marker::parse(text);
  } catch (const usage_error& error) {
    return error.what();
  }
  return "accepted";
}

TEST(marker, reads_as_one_line_that_people_understand) {
  EXPECT_EQ(marker::format(data_set(100'000, 100, 1)), "dbdyno 1 seed=1 keys=100000 value_size=100");
}

TEST(marker, tells_the_data_set_it_was_made_from) {
  constexpr std::uint64_t largest_seed = std::numeric_limits<std::uint64_t>::max();
  for (const data_set& data :
       {data_set(100'000, 100, 1), data_set(1, 16, 0), data_set(key::max_id, 1024, largest_seed)}) {
    EXPECT_EQ(marker::parse(marker::format(data)), data);
  }
}

TEST(marker, fits_the_column_it_is_kept_in) {
  const data_set longest(key::max_id, 1024, std::numeric_limits<std::uint64_t>::max());
  EXPECT_LE(marker::format(longest).size(), 255U);
}

TEST(marker, is_refused_when_somebody_else_wrote_it) {
  EXPECT_EQ(refusal_of("hello"), "the marker 'hello' is not one of dbdyno-load's");
  EXPECT_EQ(refusal_of(""), "the marker '' is not one of dbdyno-load's");
  EXPECT_EQ(refusal_of("dbdyno 2 seed=1"),
            "the marker 'dbdyno 2 seed=1' is of another version of dbdyno-load");
}

TEST(marker, is_refused_when_damaged_naming_the_part) {
  EXPECT_THAT(refusal_of("dbdyno 1 keys=1"), HasSubstr("is damaged: no seed= where it belongs"));
  EXPECT_THAT(refusal_of("dbdyno 1 seed=x keys=1 value_size=100"),
              HasSubstr("seed: 'x' is not a whole number"));
  EXPECT_THAT(refusal_of("dbdyno 1 seed=1 keys=0 value_size=100"),
              HasSubstr("keys: '0' is not a whole number"));
  EXPECT_THAT(refusal_of("dbdyno 1 seed=1 keys=1 value_size=15"), HasSubstr("value_size: '15'"));
  EXPECT_THAT(refusal_of("dbdyno 1 seed=1 keys=1 value_size=1025"), HasSubstr("value_size: '1025'"));
  EXPECT_THAT(refusal_of("dbdyno 1 seed=1 keys=1 value_size=100 "), HasSubstr("it holds more than"));
  EXPECT_THAT(refusal_of("dbdyno 1 seed=01 keys=1 value_size=100"), HasSubstr("it holds more than"));
}

TEST(marker, of_a_load_under_way_tells_of_no_data_set) {
  EXPECT_EQ(marker::parse(marker::loading), std::nullopt);
}

}  // namespace
}  // namespace dbdyno
