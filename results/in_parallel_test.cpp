#include "results/in_parallel.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <vector>

namespace dbdyno::results {
namespace {

TEST(in_parallel, does_everything_once) {
  for (const std::size_t count : {0U, 1U, 2U, 1000U}) {
    std::vector<int> done(count);
    in_parallel(count, [&](std::size_t i) { ++done[i]; });
    EXPECT_EQ(done, std::vector<int>(count, 1));
  }
}

TEST(in_parallel, says_what_went_wrong_first_in_order) {
  std::vector<int> done(100);
  try {
    in_parallel(done.size(), [&](std::size_t i) {
      ++done[i];
      if (i % 30 == 20) throw std::runtime_error(std::to_string(i));
    });
    FAIL() << "it went well";
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "20");
  }
  EXPECT_EQ(done, std::vector<int>(100, 1));
}

}  // namespace
}  // namespace dbdyno::results
