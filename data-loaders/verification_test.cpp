#include "data-loaders/verification.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "data-loaders/with_thousands.hpp"
#include "fixtures/value_writer.hpp"

namespace dbdyno {
namespace {

std::string loaded_value(const data_set& data, std::uint32_t id) {
  std::string value(data.largest_value(), '\0');
  data.fill_value(id, value.data());
  return value;
}

TEST(verifier, finds_a_complete_data_set_as_loaded_in_any_order) {
  const data_set data(3, 100, 1);
  verifier forwards(data);
  verifier backwards(data);
  for (std::uint32_t id = 1; id <= 3; ++id) forwards.found(id, loaded_value(data, id));
  for (std::uint32_t id = 3; id >= 1; --id) backwards.found(id, loaded_value(data, id));
  const verification result = forwards.finish();
  EXPECT_TRUE(result.as_loaded());
  EXPECT_EQ(result.to_string(), "3 of 3 keys intact");
  EXPECT_NE(result.checksum, 0U);
  EXPECT_EQ(result.checksum, backwards.finish().checksum);
}

TEST(verifier, tells_what_a_set_wrote_from_what_is_wrong) {
  const data_set data(6, 100, 1);
  value_writer writer(data, 1);
  verifier check(data);
  check.found(1, loaded_value(data, 1));
  check.found(2, writer.next(data.make_key(2)));
  check.found(3, loaded_value(data, 4));
  std::string damaged = loaded_value(data, 4);
  damaged.back() = ' ';
  check.found(4, damaged);
  check.found(5, loaded_value(data, 5).substr(1));
  check.found_no_value(6);
  const verification result = check.finish();
  EXPECT_FALSE(result.as_loaded());
  EXPECT_EQ(
      result.to_string(),
      "1 of 6 keys intact, 1 overwritten by sets, 4 with a wrong value: run dbdyno-load again to restore");
}

TEST(verifier, counts_what_is_missing_and_what_is_beyond_the_data_set) {
  const data_set data(3000, 16, 1);
  verifier check(data);
  check.found(1, loaded_value(data, 1));
  check.found(0, "");
  check.found(3001, loaded_value(data, 3001));
  check.found(std::uint64_t{1} << 32 | 2, loaded_value(data, 2));
  check.found_unexpected(4);
  check.found_no_value(3002);
  const verification result = check.finish();
  EXPECT_FALSE(result.as_loaded());
  EXPECT_EQ(result.to_string(),
            "1 of 3,000 keys intact, 2,999 missing, 8 beyond the data set: run dbdyno-load again to restore");
}

TEST(verification, is_not_as_loaded_with_every_key_intact_and_one_more) {
  const data_set data(1, 16, 1);
  verifier check(data);
  check.found(1, loaded_value(data, 1));
  check.found_unexpected();
  EXPECT_FALSE(check.finish().as_loaded());
}

TEST(with_thousands, groups_digits_by_three) {
  EXPECT_EQ(with_thousands(0), "0");
  EXPECT_EQ(with_thousands(999), "999");
  EXPECT_EQ(with_thousands(1000), "1,000");
  EXPECT_EQ(with_thousands(123456), "123,456");
  EXPECT_EQ(with_thousands(18446744073709551615U), "18,446,744,073,709,551,615");
}

}  // namespace
}  // namespace dbdyno
