#include "data-loaders/data_key.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <optional>

namespace dbdyno {
namespace {

TEST(parse_data_key, finds_the_id_of_what_a_driver_asks_for) {
  for (const std::uint32_t id : {1U, 10U, 100'000U, key::max_id})
    EXPECT_EQ(parse_data_key(key(id, 0).text()), id);
}

TEST(parse_data_key, takes_no_other_key_for_one_of_ours) {
  for (const char* text : {"", "dbdyno", "dbdyno:", "dbdyno:marker", "dbdyno:1x", "dbdyno:-1", "dbdyno:1 ",
                           "x:1", "1", "Dbdyno:1", "xdbdyno:1"}) {
    EXPECT_EQ(parse_data_key(text), std::nullopt) << text;
  }
}

TEST(parse_data_key, puts_ids_that_no_data_set_has_beyond_all_others) {
  constexpr std::uint64_t beyond_any = std::numeric_limits<std::uint64_t>::max();
  for (const char* text : {"dbdyno:0", "dbdyno:01", "dbdyno:99999999999999999999"}) {
    EXPECT_EQ(parse_data_key(text), beyond_any) << text;
  }
}

}  // namespace
}  // namespace dbdyno
