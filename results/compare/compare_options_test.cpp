#include "results/compare/compare_options.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace dbdyno::results {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

parsed_compare_command parse(std::vector<const char*> arguments) {
  arguments.insert(arguments.begin(), "dbdyno-compare");
  return parse_compare_command(static_cast<int>(arguments.size()), arguments.data());
}

std::string complaint(const std::vector<const char*>& arguments) {
  try {
    parse(arguments);
  } catch (const command_line_error& error) {
    return error.what();
  }
  return "none";
}

TEST(compare_options, are_what_was_typed) {
  const compare_options options = parse({"a.json", "--metric", "ops,p99", "b.json", "--fail-above", "5%",
                                         "--same-within", "3%", "--format", "csv", "--earlier", "x.json",
                                         "--earlier", "y.json", "--normalise", "--force", "--baseline", "b"})
                                      .options;
  EXPECT_THAT(options.files, ElementsAre("a.json", "b.json"));
  EXPECT_THAT(options.earlier, ElementsAre("x.json", "y.json"));
  ASSERT_EQ(options.metrics.size(), 2U);
  EXPECT_EQ(options.metrics[1]->name, "p99");
  EXPECT_DOUBLE_EQ(*options.fail_above, 0.05);
  EXPECT_DOUBLE_EQ(options.margin, 0.03);
  EXPECT_EQ(options.format, comparison_format::csv);
  EXPECT_EQ(options.baseline, "b");
  EXPECT_TRUE(options.normalise && options.force);
  EXPECT_THAT(parse({"a", "b", "--by", "driver"}).options.files, ElementsAre("a", "b"));
  EXPECT_EQ(parse({"a", "b", "--metric", "all"}).options.metrics.size(), all_metrics().size());
}

TEST(compare_options, say_what_is_wrong) {
  EXPECT_THAT(complaint({}), HasSubstr("no result file"));
  EXPECT_THAT(complaint({"a.json"}), HasSubstr("--by driver"));
  EXPECT_THAT(complaint({"a", "b", "--by", "driver", "--earlier", "c"}), HasSubstr("--earlier"));
  EXPECT_THAT(complaint({"a", "b", "--metric", "speed"}), HasSubstr("no 'speed'; there are ops, p99"));
  EXPECT_THAT(complaint({"a", "b", "--fail-above", "much"}), HasSubstr("'much' is no percentage"));
  EXPECT_THAT(complaint({"a", "b", "--fail-above", "0.05"}), HasSubstr("'0.05' is no percentage such as 5%"));
  EXPECT_THAT(complaint({"a", "b", "--fail-above", "-5%"}), HasSubstr("--fail-above"));
  EXPECT_THAT(complaint({"a", "b", "--format", "xml"}), HasSubstr("'xml' is none of table"));
  EXPECT_THAT(complaint({"a", "b", "--frob"}), HasSubstr("unknown flag --frob"));
  EXPECT_THAT(complaint({"a", "b", "--filter", "("}), HasSubstr("not a regular expression"));
  EXPECT_THAT(complaint({"a", "--by", "driver", "--normalise"}), HasSubstr("--normalise"));
  EXPECT_THAT(complaint({"a", "b", "--metric="}), HasSubstr("--metric needs a value"));
}

TEST(compare_options, have_a_help_and_a_version) {
  EXPECT_THAT(parse({"--help"}).text.value_or(""), HasSubstr("Exit codes"));
  EXPECT_THAT(parse({"--version"}).text.value_or(""), HasSubstr("dbdyno-compare"));
}

}  // namespace
}  // namespace dbdyno::results
