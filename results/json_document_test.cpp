#include "results/json_document.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "results/run_file_reader.hpp"

using namespace dbdyno::results;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

namespace {

std::string error_for(std::string_view text) {
  try {
    read_document(text, "x.json", [](const node&) {});
  } catch (const result_file_error& error) {
    return error.what();
  }
  return "";
}

TEST(json_document, takes_whole_numbers_beyond_64_bits_as_other_numbers) {
  read_document(R"({"a": 18446744073709551615, "b": 18446744073709551616, "c": -9223372036854775809})",
                "x.json", [](const node& root) {
                  EXPECT_EQ(root.at("a").count<std::uint64_t>(), 18446744073709551615U);
                  EXPECT_EQ(root.at("b").number(), 18446744073709551616.0);
                  EXPECT_EQ(root.at("c").number(), -9223372036854775808.0);
                });
}

TEST(json_document, counts_what_is_whole_and_fits_alone) {
  read_document(R"({"a": 255, "b": 256, "c": -1, "d": 1.0})", "x.json", [](const node& root) {
    EXPECT_EQ(root.at("a").count<std::uint8_t>(), 255);
    for (const char* key : {"b", "c", "d"})
      EXPECT_THROW(root.at(key).count<std::uint8_t>(), value_error) << key;
  });
}

TEST(json_document, takes_a_byte_order_mark_for_none_of_the_text) {
  read_document("\xef\xbb\xbf{\"a\": 1}", "x.json",
                [](const node& root) { EXPECT_EQ(root.at("a").number(), 1); });
}

TEST(json_document, visits_members_in_their_order_and_knows_their_place) {
  std::vector<std::string> seen;
  read_document(R"({"b": 1, "a": [2, {"c": true}]})", "x.json", [&](const node& root) {
    root.for_each_member(
        [&](const std::string& key, const node& value) { seen.push_back(key + " at " + value.pointer()); });
    root.at("a").for_each_element([&](const node& value) { seen.push_back(value.pointer()); });
  });
  EXPECT_THAT(seen, ElementsAre("b at /b", "a at /a", "/a/0", "/a/1"));
  EXPECT_EQ(error_for("{}"), "");
}

TEST(json_document, says_what_is_wrong_and_where) {
  EXPECT_EQ(error_for(" \n\t"), "x.json: the file is empty");
  EXPECT_THAT(error_for("{\"a\": 1,\n \"b\": 1e999}"),
              StartsWith("x.json: parse error at line 2, column 7: "));
  EXPECT_THAT(error_for("{\"a\": 1} {"), StartsWith("x.json: parse error at line 1, column 10: "));
  EXPECT_THAT(error_for("{\"a\": \"\xff\"}"), StartsWith("x.json: parse error at line 1, column 8: "));
  EXPECT_EQ(error_for(std::string(2000, '[') + std::string(2000, ']')), "x.json: nested deeper than 1024");
  EXPECT_EQ(error_for(std::string(2'000'000, '[')), "x.json: nested deeper than 1024");
  EXPECT_EQ(error_for("[18446744073709551616," + std::string(400'000, '[') + std::string(400'000, ']') + "]"),
            "x.json: nested deeper than 1024");
  try {
    read_document(R"({"a": [0, null]})", "x.json", [](const node& root) {
      root.at("a").for_each_element([](const node& value) { value.number(); });
    });
    ADD_FAILURE();
  } catch (const result_file_error& error) {
    EXPECT_THAT(error.what(), HasSubstr("/a/1: expected a number, found null"));
  }
}

}  // namespace
