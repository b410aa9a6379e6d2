#include "drivers/handlersocket/utf8mb3.hpp"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace dbdyno::handlersocket {
namespace {

using namespace std::string_view_literals;

TEST(is_ascii, sees_a_high_bit_at_every_place) {
  for (std::size_t size = 0; size <= 40; ++size) {
    EXPECT_TRUE(is_ascii(std::string(size, '\x7f'))) << size;
    for (std::size_t place = 0; place < size; ++place) {
      std::string text(size, '\0');
      text[place] = '\x80';
      ASSERT_FALSE(is_ascii(text)) << place << " of " << size;
    }
  }
}

TEST(count_utf8mb3, counts_characters_of_one_to_three_bytes) {
  EXPECT_EQ(count_utf8mb3(""), 0U);
  EXPECT_EQ(count_utf8mb3("a\0b"sv), 3U);
  EXPECT_EQ(count_utf8mb3("\xc2\x80\xdf\xbf"), 2U);
  EXPECT_EQ(count_utf8mb3("\xe0\xa0\x80\xef\xbf\xbf"), 2U);
  EXPECT_EQ(count_utf8mb3("a\xc3\xa9\xe2\x82\xac"), 3U);
}

TEST(count_utf8mb3, passes_encoded_surrogates_as_the_server_does) {
  EXPECT_EQ(count_utf8mb3("\xed\xa0\x80\xed\xbf\xbf"), 2U);
}

TEST(count_utf8mb3, refuses_what_the_server_replaces_by_question_marks) {
  for (const std::string_view text : {
           "\x80"sv,
           "\xbf"sv,  // a continuation byte alone
           "\xc0\x80"sv,
           "\xc1\xbf"sv,  // overlong forms
           "\xe0\x80\x80"sv,
           "\xe0\x9f\xbf"sv,  //
           "\xc2"sv,
           "\xe2\x82"sv,
           "abc\xe2"sv,  // cut short
           "\xc2!"sv,
           "\xe2!\x82"sv,
           "\xe2\x82!"sv,  // no continuation
           "\xf0\x90\x80\x80"sv,
           "\xf4\x8f\xbf\xbf"sv,  // four bytes
           "\xf8\x88\x80\x80\x80"sv,
           "\xfe"sv,
           "\xff"sv,
       }) {
    EXPECT_EQ(count_utf8mb3(text), std::nullopt) << testing::PrintToString(text);
  }
}

TEST(count_utf8mb3, never_reads_beyond_the_end) {
  const std::string cut = "\xe2\x82\xac";
  EXPECT_EQ(count_utf8mb3(std::string_view(cut).substr(0, 2)), std::nullopt);
  EXPECT_EQ(count_utf8mb3(std::string_view(cut).substr(0, 1)), std::nullopt);
}

}  // namespace
}  // namespace dbdyno::handlersocket
