#include "results/local_time.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <ctime>
#include <string>

using dbdyno::results::local_time;
using dbdyno::results::parse_local_time;

namespace {

std::string local_time_in(const char* zone, std::time_t moment) {
  setenv("TZ", zone, 1);
  tzset();
  auto text = local_time(moment);
  unsetenv("TZ");
  tzset();
  return text;
}

TEST(LocalTime, CarriesTheOffsetFromUtc) {
  constexpr std::time_t moment = 1717171449;
  EXPECT_EQ(local_time_in("UTC", moment), "2024-05-31T16:04:09+00:00");
  EXPECT_EQ(local_time_in("EAST-5:30", moment), "2024-05-31T21:34:09+05:30");
  EXPECT_EQ(local_time_in("WEST3:30", moment), "2024-05-31T12:34:09-03:30");
}

TEST(LocalTime, IsReadBackWhateverTheZone) {
  for (const auto* text :
       {"2024-05-31T16:04:09+00:00", "2024-05-31T21:34:09+05:30", "2024-05-31T12:34:09-03:30"}) {
    EXPECT_EQ(parse_local_time(text), 1717171449) << text;
  }
  for (const auto* text :
       {"", "yesterday", "2024-05-31", "2024-05-31T16:04:09", "2024-05-31T16:04:09+00:00 "}) {
    EXPECT_FALSE(parse_local_time(text)) << text;
  }
}

}  // namespace
