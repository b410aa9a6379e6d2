#include "drivers/echo/codec.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "drivers/errors.hpp"
#include "drivers/redis/wire/codec.hpp"

namespace dbdyno {
namespace {

constexpr std::uint64_t tag = 0x1122'3344'5566'7788;

connect_options options_for(std::size_t value_size, exchange_size exchange = {}, std::uint32_t window = 1) {
  connect_options options;
  options.where = {.storage = "echo", .via = transport::tcp, .host = "127.0.0.1", .port = 40123};
  options.window = window;
  options.value_size = value_size;
  options.exchange = exchange;
  return options;
}

std::string bytes_of(std::uint64_t number) {
  std::string bytes(sizeof number, '\0');
  std::memcpy(bytes.data(), &number, sizeof number);
  return bytes;
}

/// A request written to a heap block of exactly the capacity told, for AddressSanitizer.
std::string written(const connect_options& options, op_kind kind, const key& k, std::string_view value = {}) {
  const echo_codec codec(options);
  const auto room = std::make_unique<char[]>(echo_codec::request_capacity(options));
  const char* const end =
      kind == op_kind::get ? codec.append_get(room.get(), k) : codec.append_set(room.get(), k, value);
  std::string request(static_cast<const char*>(room.get()), end);
  return request;
}

std::size_t bytes_of_redis(const connect_options& options, op_kind kind, std::string_view value = {}) {
  const redis_codec codec(options);
  std::vector<char> room(redis_codec::request_capacity(options));
  const key five_digits(12345, tag);
  const char* const end = kind == op_kind::get ? codec.append_get(room.data(), five_digits)
                                               : codec.append_set(room.data(), five_digits, value);
  return static_cast<std::size_t>(end - room.data());
}

TEST(echo_codec, asks_for_as_many_bytes_as_redis_takes) {
  for (const std::size_t value_size : {std::size_t{100}, std::size_t{999}}) {
    const connect_options options = options_for(value_size);
    const echo_exchange_sizes sizes = echo_sizes(options);
    EXPECT_EQ(sizes.get.request_bytes, bytes_of_redis(options, op_kind::get));
    EXPECT_EQ(sizes.get.reply_bytes, value_size + 8);
    EXPECT_EQ(sizes.set.request_bytes, bytes_of_redis(options, op_kind::set, std::string(value_size, 'v')));
    EXPECT_EQ(sizes.set.reply_bytes, 5);
  }
}

TEST(echo_codec, asks_for_as_many_bytes_as_it_is_told_to) {
  const echo_exchange_sizes both = echo_sizes(options_for(100, {.request_bytes = 77, .reply_bytes = 222}));
  for (const exchange_size one : {both.get, both.set}) {
    EXPECT_EQ(one.request_bytes, 77);
    EXPECT_EQ(one.reply_bytes, 222);
  }
  EXPECT_EQ(echo_sizes(options_for(100, {.request_bytes = 3, .reply_bytes = 3})).get.request_bytes, 12)
      << "the header's";
  EXPECT_EQ(echo_sizes(options_for(100, {.request_bytes = 50})).get.reply_bytes, 108);
  EXPECT_EQ(echo_sizes(options_for(100, {.reply_bytes = 50})).set.request_bytes, 140);
}

TEST(echo_codec, has_no_messages_longer_than_a_header_can_tell) {
  EXPECT_EQ(echo_sizes(options_for(65495)).set.request_bytes, 65535);
  try {
    const echo_codec codec(options_for(65496));
    FAIL() << "no setup_error";
  } catch (const setup_error& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("at most 65535 bytes, and a value of 65496 takes 65536"));
    EXPECT_EQ(error.target(), "echo://127.0.0.1:40123");
  }
  EXPECT_EQ(echo_sizes(options_for(100'000, {.request_bytes = 50, .reply_bytes = 60})).set.request_bytes, 50);
}

TEST(echo_codec, writes_requests_of_the_size_their_header_tells) {
  for (const exchange_size exchange : {exchange_size{}, exchange_size{1, 1}, exchange_size{65535, 65535}}) {
    for (const op_kind kind : {op_kind::get, op_kind::set}) {
      const connect_options options = options_for(100, exchange);
      const exchange_size size = kind == op_kind::get ? echo_sizes(options).get : echo_sizes(options).set;
      const std::string request = written(options, kind, key(1, tag), std::string(100, 'v'));
      ASSERT_EQ(request.size(), size.request_bytes);
      const echo_header header = echo_header::read(request.data());
      EXPECT_TRUE(header.well_formed());
      EXPECT_EQ(header.request_size, size.request_bytes);
      EXPECT_EQ(header.reply_size, size.reply_bytes);
      EXPECT_EQ(header.tag, tag);
    }
  }
}

TEST(echo_codec, takes_values_up_to_the_size_agreed) {
  const echo_codec codec(options_for(100));
  EXPECT_EQ(codec.check(std::string(100, 'v')), op_status::ok);
  EXPECT_EQ(codec.check({}), op_status::ok);
  EXPECT_EQ(codec.check(std::string(101, 'v')), op_status::too_large);
}

/// Decodes from a heap block of exactly these bytes.
class decoding {
 public:
  decoding(echo_codec& codec, op_kind kind, std::string_view bytes) : bytes_(bytes.begin(), bytes.end()) {
    result_ = codec.decode(kind, bytes_.data(), bytes_.data() + bytes_.size());
  }
  std::size_t consumed() const { return result_.consumed; }
  op_status status() const { return result_.status; }
  std::string_view value() const { return result_.value; }

 private:
  std::vector<char> bytes_;
  decoded result_;
};

TEST(echo_codec, gives_the_front_of_a_reply_for_a_value) {
  echo_codec codec(options_for(100));
  const std::string reply = bytes_of(tag) + std::string(100, 'x');
  const decoding d(codec, op_kind::get, reply);
  EXPECT_EQ(d.consumed(), 108U);
  EXPECT_EQ(d.status(), op_status::ok);
  EXPECT_EQ(d.value(), reply.substr(0, 100));
}

TEST(echo_codec, consumes_one_of_two_replies) {
  echo_codec codec(options_for(100));
  EXPECT_EQ(decoding(codec, op_kind::get, std::string(216, 'x')).consumed(), 108U);
  const decoding set(codec, op_kind::set, std::string(10, 'x'));
  EXPECT_EQ(set.consumed(), 5U);
  EXPECT_EQ(set.status(), op_status::ok);
  EXPECT_EQ(set.value(), "");
}

TEST(echo_codec, waits_for_the_last_byte_of_every_reply) {
  for (const exchange_size exchange : {exchange_size{}, exchange_size{40, 30}, exchange_size{40, 300}}) {
    for (const op_kind kind : {op_kind::get, op_kind::set}) {
      const connect_options options = options_for(100, exchange);
      const std::size_t whole =
          kind == op_kind::get ? echo_sizes(options).get.reply_bytes : echo_sizes(options).set.reply_bytes;
      echo_codec codec(options);
      for (std::size_t size = 1; size < whole; ++size) {
        EXPECT_EQ(decoding(codec, kind, std::string(size, 'x')).consumed(), 0U) << size << " of " << whole;
      }
      EXPECT_EQ(decoding(codec, kind, std::string(whole, 'x')).consumed(), whole);
    }
  }
}

TEST(echo_codec, guesses_every_reply_to_a_get) {
  const echo_codec codec(options_for(100));
  const std::string reply = bytes_of(tag) + std::string(100, 'x');
  ASSERT_EQ(codec.likely_get().size(), reply.size());
  EXPECT_TRUE(codec.likely_get().is_at(reply.data()));
  EXPECT_EQ(codec.likely_get().value_at(reply.data()), reply.substr(0, 100));
}

/// Tags that differ in the byte that the shortest replies leave out.
std::uint64_t nth_tag(std::uint64_t n) {
  return tag + (n << 56);
}

TEST(echo_codec, makes_values_of_its_own_where_replies_are_too_short) {
  for (const std::uint16_t reply_size :
       {std::uint16_t{1}, std::uint16_t{7}, std::uint16_t{8}, std::uint16_t{99}}) {
    constexpr std::uint32_t window = 5;
    const connect_options options = options_for(100, {.reply_bytes = reply_size}, window);
    echo_codec codec(options);
    EXPECT_EQ(codec.likely_get().size(), no_likely_size) << "no view of a reply will do";
    std::vector<char> room(echo_codec::request_capacity(options));
    for (std::uint64_t round = 0; round < 4; ++round) {
      for (std::uint64_t i = 0; i < window; ++i) {
        codec.append_get(room.data(), key(1, nth_tag(round + i)));
        codec.append_set(room.data(), key(1, 0), {});
      }
      for (std::uint64_t i = 0; i < window; ++i) {
        const std::string expected = bytes_of(nth_tag(round + i));
        const std::string reply = (expected + std::string(200, 'x')).substr(0, reply_size);
        const decoding d(codec, op_kind::get, reply);
        EXPECT_EQ(d.consumed(), reply_size);
        ASSERT_EQ(d.value().size(), 100U);
        EXPECT_EQ(d.value().substr(0, 8), expected);
        EXPECT_EQ(decoding(codec, op_kind::set, reply).value(), "");
      }
    }
  }
}

TEST(echo_codec, shows_a_wrong_tag_in_a_short_reply) {
  const connect_options options = options_for(100, {.reply_bytes = 2});
  echo_codec codec(options);
  std::vector<char> room(echo_codec::request_capacity(options));
  codec.append_get(room.data(), key(1, tag));
  EXPECT_EQ(decoding(codec, op_kind::get, "xy").value().substr(0, 8), "xy" + bytes_of(tag).substr(2));
}

}  // namespace
}  // namespace dbdyno
