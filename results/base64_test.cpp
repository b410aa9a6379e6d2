#include "results/base64.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <random>
#include <stdexcept>
#include <string>
#include <utility>

using namespace dbdyno::results;

namespace {

TEST(Base64, TestVectorsOfRfc4648) {
  for (const auto& [bytes, text] : {std::pair<std::string, std::string>{"", ""},
                                    {"f", "Zg=="},
                                    {"fo", "Zm8="},
                                    {"foo", "Zm9v"},
                                    {"foob", "Zm9vYg=="},
                                    {"fooba", "Zm9vYmE="},
                                    {"foobar", "Zm9vYmFy"},
                                    {std::string("\0\xff\xfb\xff", 4), "AP/7/w=="}}) {
    EXPECT_EQ(encode_base64(bytes), text);
    EXPECT_EQ(decode_base64(text), bytes);
  }
}

TEST(Base64, RandomBytesComeBack) {
  std::mt19937 random(1);
  for (std::size_t size = 0; size < 300; ++size) {
    std::string bytes(size, '\0');
    for (char& byte : bytes) byte = static_cast<char>(random());
    EXPECT_EQ(decode_base64(encode_base64(bytes)), bytes);
  }
}

TEST(Base64, RefusesWhatItDoesNotWrite) {
  for (const char* text : {"Zg=", "Zg", "Z", "Zm9v\n", "Zm 9", "Zm9-", "Zm9\xff",
                           "====", "Z===", "=g==", "Zg=v", "Zg==Zm9v", "Zh==", "Zm9="}) {
    EXPECT_THROW(decode_base64(text), std::runtime_error) << text;
  }
}

}  // namespace
