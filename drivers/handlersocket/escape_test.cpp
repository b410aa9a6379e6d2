#include "drivers/handlersocket/escape.hpp"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

namespace dbdyno::handlersocket {
namespace {

using namespace std::string_view_literals;

std::string escaped(std::string_view value) {
  std::string out(2 * value.size(), '#');
  out.resize(static_cast<std::size_t>(escape(out.data(), value) - out.data()));
  return out;
}

/// The decoded token, or "malformed".
std::string unescaped(std::string_view token) {
  // An allocation of the exact size, so that a sanitizer sees a read beyond an escape that is cut short.
  std::vector<char> bytes(token.begin(), token.end());
  const char* const end = unescape(bytes.data(), bytes.data() + bytes.size());
  if (end == nullptr) return "malformed";
  return {bytes.data(), static_cast<std::size_t>(end - bytes.data())};
}

TEST(escape, shifts_bytes_below_0x10_and_leaves_all_others) {
  for (int code = 0; code < 256; ++code) {
    const std::string value(1, static_cast<char>(code));
    const std::string expected = code < 0x10 ? std::string{'\x01', static_cast<char>(0x40 + code)} : value;
    EXPECT_EQ(escaped(value), expected) << code;
  }
}

TEST(escape, of_an_empty_value_is_an_empty_token) {
  EXPECT_EQ(escaped(""), "");
}

TEST(escape, doubles_a_value_of_control_bytes_and_no_more) {
  EXPECT_EQ(escaped(std::string(100, '\t')).size(), 200U);
}

TEST(unescape, gives_back_every_byte_at_every_place) {
  for (int code = 0; code < 256; ++code) {
    for (const std::size_t size : {1U, 2U, 15U, 16U, 17U, 64U, 100U, 150U}) {
      for (std::size_t place = 0; place < size; ++place) {
        std::string value(size, 'v');
        value[place] = static_cast<char>(code);
        ASSERT_EQ(unescaped(escaped(value)), value) << code << " at " << place << " of " << size;
      }
    }
  }
}

TEST(unescape, gives_back_all_bytes_together) {
  std::string value;
  for (int code = 0; code < 256; ++code) value += static_cast<char>(code);
  EXPECT_EQ(unescaped(escaped(value)), value);
}

TEST(unescape, refuses_what_no_escape_makes) {
  for (const std::string_view token : {"\x01"sv, "abc\x01"sv, "\x01\x3f"sv, "\x01\x50"sv, "\x01\x01"sv,
                                       "a\0b"sv, "a\tb"sv, "\x0f"sv, "\x01\xc1"sv}) {
    EXPECT_EQ(unescaped(token), "malformed") << testing::PrintToString(token);
  }
}

TEST(is_null, holds_for_a_lone_zero_byte_only) {
  EXPECT_TRUE(is_null("\0"sv));
  EXPECT_FALSE(is_null(""));
  EXPECT_FALSE(is_null("\0\0"sv));
  EXPECT_FALSE(is_null("0"));
}

struct finder {
  std::string name;
  const char* (*find)(const char*, const char*);
};

class find_control_variants : public testing::TestWithParam<finder> {
 protected:
  std::ptrdiff_t find(std::string_view bytes) const {
    // An allocation of the exact size, so that a sanitizer sees a read beyond it.
    const std::vector<char> exact(bytes.begin(), bytes.end());
    return GetParam().find(exact.data(), exact.data() + exact.size()) - exact.data();
  }
};

INSTANTIATE_TEST_SUITE_P(all, find_control_variants,
                         testing::Values(finder{"by_blocks", &find_control},
                                         finder{"by_words", &find_control_by_words}),
                         [](const auto& variant) { return variant.param.name; });

TEST_P(find_control_variants, finds_the_first_control_byte_at_every_place) {
  for (std::size_t size = 0; size <= 200; ++size) {
    for (std::size_t place = 0; place < size; ++place) {
      std::string bytes(size, '\x10');
      bytes[size - 1] = '\0';
      bytes[place] = '\x0f';
      ASSERT_EQ(find(bytes), static_cast<std::ptrdiff_t>(place)) << size;
    }
  }
}

TEST_P(find_control_variants, answers_the_end_where_there_is_none) {
  for (std::size_t size = 0; size <= 200; ++size) {
    for (const char filler : {'\x10', '\x7f', '\x80', '\xff'}) {
      ASSERT_EQ(find(std::string(size, filler)), static_cast<std::ptrdiff_t>(size))
          << static_cast<int>(filler);
    }
  }
}

TEST_P(find_control_variants, tells_all_256_bytes_apart) {
  for (int code = 0; code < 256; ++code) {
    std::string bytes(40, 'v');
    bytes[20] = static_cast<char>(code);
    ASSERT_EQ(find(bytes), code < 0x10 ? 20 : 40) << code;
  }
}

TEST(is_clean, sees_a_control_byte_at_every_place) {
  for (std::size_t size = 0; size <= 300; ++size) {
    std::vector<char> bytes(size, '\x10');
    const char* const begin = bytes.data();
    ASSERT_TRUE(is_clean(begin, begin + size)) << size;
    for (char& byte : bytes) {
      byte = '\x0f';
      ASSERT_FALSE(is_clean(begin, begin + size)) << size;
      byte = '\x10';
    }
  }
}

}  // namespace
}  // namespace dbdyno::handlersocket
