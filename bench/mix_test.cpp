#include "bench/mix.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "bench/fake_driver.hpp"
#include "bench/run_row.hpp"
#include "bench/run_thread.hpp"
#include "drivers/errors.hpp"

namespace dbdyno {
namespace {

using ::testing::HasSubstr;

class mix_test : public ::testing::Test {
 protected:
  mix_test() { fake_sync::script = &script_; }

  template <class Driver>
  row_result run(mode how, const mix_ratio& ratio) {
    row_plan plan;
    plan.what.mode = how;
    plan.what.depth = 8;
    plan.data = script_.data;
    plan.ratio = ratio;
    plan.requests = 1000;
    watchdog dog(std::chrono::seconds(60));
    return run_row(&run_thread<fake_family, Driver, mix_workload>, plan, dog);
  }

  fake_script script_;
};

TEST_F(mix_test, sends_gets_and_sets_by_the_ratio_exactly) {
  for (const auto& [ratio, sets] :
       {std::pair{mix_ratio{9, 1}, 100U}, std::pair{mix_ratio{1, 1}, 500U}, std::pair{mix_ratio{3, 2}, 400U},
        std::pair{mix_ratio{0, 1}, 1000U}, std::pair{mix_ratio{5, 0}, 0U}}) {
    for (const mode how : {mode::sync, mode::async}) {
      script_.gets = script_.sets = 0;
      const row_result result =
          how == mode::sync ? run<fake_sync>(how, ratio) : run<fake_in_flight>(how, ratio);
      EXPECT_EQ(result.error, "");
      EXPECT_EQ(script_.sets, sets) << to_string(ratio);
      EXPECT_EQ(script_.gets, 1000 - sets) << to_string(ratio);
      EXPECT_EQ(result.counts.operations(), 1000U);
    }
  }
}

TEST_F(mix_test, checks_the_tags_of_its_gets) {
  script_.special_at = 10;
  script_.special_has_wrong_tag = true;
  EXPECT_EQ(run<fake_sync>(mode::sync, {}).counts.of(op_status::wrong_reply), 1U);
  script_.gets = 0;
  EXPECT_EQ(run<fake_in_flight>(mode::async, {}).counts.of(op_status::wrong_reply), 1U);
}

TEST_F(mix_test, takes_a_lost_get_for_disconnected_and_a_lost_set_for_unknown) {
  script_.special_at = 10;
  script_.special = op_status::disconnected;
  EXPECT_EQ(run<fake_sync>(mode::sync, {}).counts.of(op_status::disconnected), 1U);
  EXPECT_TRUE(mix_workload::is_write(0));
  EXPECT_FALSE(mix_workload::is_write(script_.data.make_key(1).tag()));
}

TEST(mix_ratio, is_typed_with_a_colon_and_named_without) {
  EXPECT_EQ(parse_ratio("--ratio", "9:1"), (mix_ratio{9, 1}));
  EXPECT_EQ(parse_ratio("--ratio", "4"), (mix_ratio{4, 1}));
  EXPECT_EQ(to_string(mix_ratio{9, 1}), "9");
  EXPECT_EQ(to_string(mix_ratio{3, 2}), "3-2");
  for (const char* text : {"0:0", "", "1:", ":1", "1:-1", "a", "1:2:3"}) {
    try {
      parse_ratio("--ratio", text);
      ADD_FAILURE() << text;
    } catch (const usage_error& error) {
      EXPECT_THAT(error.what(), HasSubstr("--ratio")) << text;
    }
  }
}

}  // namespace
}  // namespace dbdyno
