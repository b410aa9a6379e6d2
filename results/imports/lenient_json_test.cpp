#include "results/imports/lenient_json.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "results/imports/import_examples.hpp"

using namespace dbdyno::results;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

namespace {

TEST(lenient_json, tells_the_outermost_keys_without_parsing) {
  EXPECT_THAT(top_level_keys(R"( {"a": {"b": [1, {"c": 2}]}, "d\"e": "f: g", "h": [)"),
              ElementsAre("a", R"(d\"e)", "h"));
  EXPECT_THAT(top_level_keys(R"([{"a": 1}])"), IsEmpty());
  EXPECT_THAT(top_level_keys("Running 1s test"), IsEmpty());
  EXPECT_THAT(top_level_keys(""), IsEmpty());
  EXPECT_THAT(top_level_keys("{\"a"), IsEmpty());
  EXPECT_THAT(top_level_keys("{\"a\\"), IsEmpty());
}

TEST(lenient_json, takes_words_for_what_is_not_finite_where_a_number_should_be) {
  for (const std::string word : {"NaN", "-NaN", "Infinity", "-Infinity", "nan", "-nan", "inf", "-inf"}) {
    bool seen = false;
    read_json("{\"a\": " + word + ", \"b\": 1e-5}", "x.json", [&](const node& root) {
      seen = root.at("a").is_not_finite() && !root.at("a").is_number() && !root.at("a").is_text();
      EXPECT_EQ(root.at("b").number(), 1e-5);
    });
    EXPECT_TRUE(seen) << word;
  }
}

TEST(lenient_json, leaves_such_words_alone_in_texts_and_elsewhere) {
  read_json(R"({"NaN": "-Infinity", "a": null, "b": "\"NaN"})", "x.json", [](const node& root) {
    EXPECT_EQ(root.at("NaN").text(), "-Infinity");
    EXPECT_EQ(root.at("b").text(), "\"NaN");
    EXPECT_FALSE(root.at("a").is_not_finite());
  });
  EXPECT_THAT(error_of([] { read_json("{\"a\": NaNo}", "x.json", [](const node&) {}); }),
              StartsWith("x.json: parse error at line 1, column 7"));
}

TEST(lenient_json, says_where_json_is_broken_behind_words_it_took) {
  EXPECT_THAT(
      error_of([] { read_json("{\"a\": -Infinity,\n \"b\": NaN, x}", "x.json", [](const node&) {}); }),
      StartsWith("x.json: parse error at line 2, column 12: "));
  EXPECT_EQ(
      error_of([] { read_json("{\"a\": NaN}", "x.json", [](const node& root) { root.at("a").number(); }); }),
      "x.json: not a result file: /a: expected a number, found NaN or Infinity");
}

}  // namespace
