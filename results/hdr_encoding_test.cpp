#include "results/hdr_encoding.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include <cstddef>
#include <cstdint>
#include <random>
#include <stdexcept>
#include <string>
#include <string_view>

#include "results/base64.hpp"

using namespace dbdyno::results;
using testing::HasSubstr;

namespace {

/// The header before so many bytes of counts.
std::string header(std::size_t payload) {
  using std::string_view_literals::operator""sv;
  constexpr auto fixed =
      "\x00\x00\x00\x00\x00\x00\x00\x03\x00\x00\x00\x00\x00\x00\x00\x01"
      "\x00\x00\x00\x0d\xf8\x47\x58\x00\x3f\xf0\x00\x00\x00\x00\x00\x00"sv;
  std::string bytes = "\x1c\x84\x93\x13";
  for (const unsigned shift : {24U, 16U, 8U, 0U}) bytes += static_cast<char>(payload >> shift & 0xffU);
  return bytes.append(fixed);
}

std::string with_payload(const std::string& payload) {
  return header(payload.size()) + payload;
}

std::string in_base64(const std::string& plain) {
  uLongf size = compressBound(plain.size());
  std::string compressed(size, '\0');
  compress(reinterpret_cast<Bytef*>(compressed.data()), &size, reinterpret_cast<const Bytef*>(plain.data()),
           plain.size());
  compressed.resize(size);
  std::string bytes = "\x1c\x84\x93\x14";
  for (const unsigned shift : {24U, 16U, 8U, 0U}) bytes += static_cast<char>(size >> shift & 0xffU);
  return encode_base64(bytes + compressed);
}

template <class Decode>
std::string message_of(Decode decode) {
  try {
    decode();
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "no error";
}

std::string message_for(const std::string& plain) {
  return message_of([&] { decode_v2(plain); });
}

bool have_equal_buckets(const histogram& a, const histogram& b) {
  for (std::size_t i = 0; i < histogram::size; ++i) {
    if (a.count_at(i) != b.count_at(i)) return false;
  }
  return true;
}

histogram random_histogram(std::mt19937_64& random) {
  histogram h;
  for (std::uint64_t i = random() % 2000 + 1; i > 0; --i) {
    h.record(random() >> (random() % 64), random() % 3 == 0 ? random() % 100'000 : 1);
  }
  return h;
}

TEST(HdrEncoding, WritesKnownBytes) {
  histogram h;
  EXPECT_EQ(encode_v2(h), with_payload(std::string(1, '\0')));
  h.record(0, 63);
  EXPECT_EQ(encode_v2(h), with_payload("\x7e"));
  h.record(0, 1);
  EXPECT_EQ(encode_v2(h), with_payload("\x80\x01"));
  h.record(2, 5);
  EXPECT_EQ(encode_v2(h), with_payload(std::string("\x80\x01\x00\x0a", 4)));  // one zero is no run
  h.record(103, 1);
  EXPECT_EQ(encode_v2(h), with_payload(std::string("\x80\x01\x00\x0a\xc7\x01\x02", 7)));  // 100 zeros are
  h.clear();
  h.record(0, (std::uint64_t{1} << 63U) - 1);
  EXPECT_EQ(encode_v2(h), with_payload("\xfe\xff\xff\xff\xff\xff\xff\xff\xff"));
  h.record(0);
  EXPECT_THROW(encode_v2(h), std::runtime_error);
}

TEST(HdrEncoding, BucketsComeBack) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 100; ++i) {
    const auto h = random_histogram(random);
    EXPECT_TRUE(have_equal_buckets(decode_v2(encode_v2(h)), h));
    EXPECT_TRUE(have_equal_buckets(decode_compressed_base64(encode_compressed_base64(h)), h));
  }
  EXPECT_TRUE(decode_compressed_base64(encode_compressed_base64({})) == histogram());
}

TEST(HdrEncoding, RestoresMaximumAndSumAsWellAsTheBucketsAllow) {
  histogram h;
  h.record(1'000'000, 1000);
  h.record(2'000'001);
  const auto back = decode_v2(encode_v2(h));
  EXPECT_EQ(back.max(), histogram::highest_at(histogram::index_of(2'000'001)));
  EXPECT_NEAR(static_cast<double>(back.sum()), static_cast<double>(h.sum()),
              0.0005 * static_cast<double>(h.sum()));
  h.record(75'000'000'000);
  const auto clamped = decode_v2(encode_v2(h));
  EXPECT_EQ(clamped.max(), histogram::highest);
  EXPECT_EQ(clamped.clamped(), 0U);
}

TEST(HdrEncoding, SaysWhatIsWrong) {
  const auto good = with_payload("\x02");
  ASSERT_EQ(message_for(good), "no error");
  const auto changed = [&](std::size_t at, char byte) {
    auto bytes = good;
    bytes[at] = byte;
    return message_for(bytes);
  };
  EXPECT_THAT(message_for(""), HasSubstr("it is cut off"));
  EXPECT_THAT(changed(0, '\x1d'), HasSubstr("does not begin like one"));
  EXPECT_THAT(changed(7, 2), HasSubstr("announces 2 bytes of counts, 1 follow"));
  EXPECT_THAT(changed(11, 1), HasSubstr("scaled"));
  EXPECT_THAT(changed(15, 2), HasSubstr("2 significant digits"));
  EXPECT_THAT(changed(23, 2), HasSubstr("lowest duration is 2"));
  EXPECT_THAT(changed(33, '\x41'), HasSubstr("scaled"));
  EXPECT_THAT(message_for(good + "x"), HasSubstr("announces 1 bytes of counts, 2 follow"));
  for (std::size_t size = 0; size < good.size(); ++size) {
    EXPECT_NE(message_for(good.substr(0, size)), "no error") << size;
  }
  EXPECT_THAT(message_for(with_payload("\x80")), HasSubstr("it is cut off"));
}

TEST(HdrEncoding, RefusesCountsThatDoNotFit) {
  const std::string one = "\x02";
  // -27,388 zeros, then one at 60 s; one zero more is beyond.
  EXPECT_EQ(decode_v2(with_payload("\xf7\xab\x03" + one)).count(), 1U);
  EXPECT_THAT(message_for(with_payload("\xf9\xab\x03" + one)), HasSubstr("above 60 s"));
  const std::string lowest_word(9, '\xff');
  EXPECT_THAT(message_for(with_payload(lowest_word)), HasSubstr("above 60 s"));
  const std::string largest = "\xfe" + std::string(8, '\xff');
  EXPECT_EQ(decode_v2(with_payload(largest)).count(), (std::uint64_t{1} << 63U) - 1);
  EXPECT_THAT(message_for(with_payload(largest + largest + largest)), HasSubstr("larger than any run's"));
  EXPECT_THAT(message_for(with_payload(std::string(27'390, '\0'))), HasSubstr("above 60 s"));
}

TEST(HdrEncoding, RefusesDamagedCompressedText) {
  const auto refused = [](const std::string& text) {
    return message_of([&] { decode_compressed_base64(text); });
  };
  const auto plain = with_payload("\x02");
  ASSERT_EQ(refused(in_base64(plain)), "no error");
  EXPECT_THAT(refused(""), HasSubstr("it is cut off"));
  EXPECT_THAT(refused("?"), HasSubstr("not base64"));
  EXPECT_THAT(refused(encode_base64(plain)), HasSubstr("does not begin like one"));
  auto bytes = decode_base64(in_base64(plain));
  EXPECT_THAT(refused(encode_base64(bytes + "x")), HasSubstr("compressed bytes"));
  ++bytes[7];
  EXPECT_THAT(refused(encode_base64(bytes + "x")), HasSubstr("compressed part is damaged"));
  bytes.back() = static_cast<char>(bytes.back() + 1);
  --bytes[7];
  EXPECT_THAT(refused(encode_base64(bytes)), HasSubstr("compressed part is damaged"));
  // What would inflate to 100 MB is not inflated.
  EXPECT_THAT(refused(in_base64(std::string(std::size_t{100} << 20U, '\0'))),
              HasSubstr("compressed part is damaged"));
}

TEST(HdrEncoding, SurvivesWhateverBytes) {
  std::mt19937_64 random(2);
  int refused = 0;
  for (int i = 0; i < 1000; ++i) {
    auto bytes = encode_v2(random_histogram(random));
    for (std::uint64_t changes = random() % 8 + 1; changes > 0; --changes) {
      bytes[random() % bytes.size()] = static_cast<char>(random());
    }
    if (random() % 4 == 0) bytes.resize(random() % bytes.size());
    const auto plain_message = message_of([&] { decode_v2(bytes); });
    const auto compressed_message = message_of([&] { decode_compressed_base64(in_base64(bytes)); });
    EXPECT_EQ(plain_message, compressed_message);
    if (plain_message != "no error") ++refused;

    auto text = encode_compressed_base64(decode_v2(with_payload("\x02\x04\x06")));
    text[random() % text.size()] = static_cast<char>(random());
    message_of([&] { decode_compressed_base64(text); });
  }
  EXPECT_GT(refused, 200);
}

}  // namespace
