#include "results/clean_text.hpp"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

using dbdyno::results::clean_text;

namespace {

const std::string bad = "\xEF\xBF\xBD";

TEST(CleanText, LeavesUtf8Alone) {
  const std::string text = "plain, \"quoted\", \xC3\xA4, \xE2\x82\xAC, \xF0\x9F\x98\x80, \xF4\x8F\xBF\xBF";
  EXPECT_EQ(clean_text(text), text);
  EXPECT_EQ(clean_text(""), "");
}

TEST(CleanText, TurnsAsciiControlBytesIntoSpaces) {
  EXPECT_EQ(clean_text(std::string_view("a\0b\nc\x1b[0m\x7f", 10)), "a b c [0m ");
}

TEST(CleanText, ReplacesC1ControlCharacters) {
  EXPECT_EQ(clean_text("a\xC2\x9B"
                       "b"),
            "a" + bad + "b");
  EXPECT_EQ(clean_text("\xC2\xA0"), "\xC2\xA0");
}

TEST(CleanText, ReplacesWhatIsNotUtf8) {
  EXPECT_EQ(clean_text("a\xFF"
                       "b"),
            "a" + bad + "b");
  EXPECT_EQ(clean_text("\xE2\x82"), bad + bad) << "cut short";
  EXPECT_EQ(clean_text("\xC0\xAF"), bad + bad) << "overlong";
  EXPECT_EQ(clean_text("\xE0\x80\xAF"), bad + bad + bad) << "overlong";
  EXPECT_EQ(clean_text("\xF0\x80\x80\xAF"), bad + bad + bad + bad) << "overlong";
  EXPECT_EQ(clean_text("\xED\xA0\x80"), bad + bad + bad) << "surrogate";
  EXPECT_EQ(clean_text("\xF4\x90\x80\x80"), bad + bad + bad + bad) << "above U+10FFFF";
  EXPECT_EQ(clean_text("\xC3x"), bad + "x") << "the byte after a broken sequence is kept";
  EXPECT_EQ(clean_text("\xE2\x82x"), bad + bad + "x");
}

}  // namespace
