#include "drivers/redis/resp.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace dbdyno {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;
using type = resp_reply::type;

std::string bulk(std::string_view bytes) {
  return "$" + std::to_string(bytes.size()) + "\r\n" + std::string(bytes) + "\r\n";
}

std::string all_bytes() {
  std::string out;
  for (int byte = 0; byte < 256; ++byte) out += static_cast<char>(byte);
  return out;
}

TEST(resp, parses_every_type_of_reply) {
  const auto status = parse_reply("+OK\r\n");
  ASSERT_TRUE(status);
  EXPECT_EQ(status->reply.kind, type::status);
  EXPECT_EQ(status->reply.text, "OK");
  EXPECT_EQ(status->consumed, 5U);

  const auto error = parse_reply("-ERR no\r\n");
  ASSERT_TRUE(error);
  EXPECT_EQ(error->reply.kind, type::error);
  EXPECT_EQ(error->reply.text, "ERR no");

  const auto integer = parse_reply(":-9223372036854775808\r\n");
  ASSERT_TRUE(integer);
  EXPECT_EQ(integer->reply.kind, type::integer);
  EXPECT_EQ(integer->reply.integer, INT64_MIN);

  const auto string = parse_reply("$4\r\na\r\nb\r\nrest");
  ASSERT_TRUE(string);
  EXPECT_EQ(string->reply.kind, type::string);
  EXPECT_EQ(string->reply.text, "a\r\nb");
  EXPECT_EQ(string->consumed, 10U);

  for (const std::string_view nil : {"$-1\r\n", "*-1\r\n"}) {
    const auto parsed = parse_reply(nil);
    ASSERT_TRUE(parsed);
    EXPECT_EQ(parsed->reply.kind, type::nil);
    EXPECT_EQ(parsed->consumed, nil.size());
  }
}

TEST(resp, parses_strings_of_any_bytes) {
  for (const std::string& value :
       {std::string(), std::string("\r\n"), std::string("$3\r\nabc\r\n"), all_bytes()}) {
    const std::string reply = bulk(value);
    const auto parsed = parse_reply(reply);
    ASSERT_TRUE(parsed);
    EXPECT_EQ(parsed->reply.kind, type::string);
    EXPECT_EQ(parsed->reply.text, value);
    EXPECT_EQ(parsed->consumed, reply.size());
  }
}

TEST(resp, parses_nested_arrays) {
  const std::string_view reply = "*3\r\n*2\r\n:1\r\n$-1\r\n*0\r\n$1\r\nx\r\n";
  const auto parsed = parse_reply(reply);
  ASSERT_TRUE(parsed);
  EXPECT_EQ(parsed->consumed, reply.size());
  ASSERT_EQ(parsed->reply.elements.size(), 3U);
  const resp_reply& inner = parsed->reply.elements[0];
  ASSERT_EQ(inner.elements.size(), 2U);
  EXPECT_EQ(inner.elements[0].integer, 1);
  EXPECT_EQ(inner.elements[1].kind, type::nil);
  EXPECT_EQ(parsed->reply.elements[1].kind, type::array);
  EXPECT_TRUE(parsed->reply.elements[1].elements.empty());
  EXPECT_EQ(parsed->reply.elements[2].text, "x");
}

TEST(resp, waits_for_the_last_byte_of_every_reply) {
  for (const std::string& reply : {std::string("+OK\r\n"), std::string("-ERR a\r\n"), std::string(":12\r\n"),
                                   std::string("$-1\r\n"), bulk(""), bulk("a\r\nb"), bulk(all_bytes()),
                                   std::string("*0\r\n"), std::string("*2\r\n*1\r\n:1\r\n$2\r\nab\r\n")}) {
    for (std::size_t size = 0; size < reply.size(); ++size) {
      EXPECT_FALSE(parse_reply(std::string_view(reply).substr(0, size))) << reply << " cut to " << size;
    }
    const auto whole = parse_reply(reply);
    ASSERT_TRUE(whole) << reply;
    EXPECT_EQ(whole->consumed, reply.size());
  }
}

TEST(resp, consumes_one_of_two_replies) {
  const auto first = parse_reply("$1\r\na\r\n+OK\r\n");
  ASSERT_TRUE(first);
  EXPECT_EQ(first->reply.text, "a");
  EXPECT_EQ(first->consumed, 7U);
}

TEST(resp, refuses_what_is_no_reply) {
  const struct {
    std::string_view bytes;
    std::string_view problem;
  } cases[] = {
      {"x", "0x78"},
      {"\r\n", "0x0d"},
      {"\xff", "0xff"},
      {"HTTP/1.1 400 Bad Request\r\n", "0x48"},
      {":\r\n", "not a RESP number"},
      {":1x\r\n", "not a RESP number"},
      {":9223372036854775808\r\n", "not a RESP number"},
      {"$\r\n", "not a RESP number"},
      {"$ 1\r\na\r\n", "not a RESP number"},
      {"$99999999999999999999\r\n", "not a RESP number"},
      {"$9223372036854775807\r\n", "a RESP string of 9223372036854775807 bytes"},
      {"$536870913\r\n", "a RESP string of 536870913 bytes"},
      {"$-2\r\n", "a RESP string of -2 bytes"},
      {"$1\r\nabc\r\n", "does not end where it says"},
      {"*-2\r\n", "a RESP array of -2 elements"},
      {"*9223372036854775807\r\n", "a RESP array of 9223372036854775807 elements"},
      {"*x\r\n", "not a RESP number"},
      {"*1\r\nx\r\n", "0x78"},
  };
  for (const auto& c : cases) {
    EXPECT_THAT([&] { parse_reply(c.bytes); }, ThrowsMessage<resp_error>(HasSubstr(std::string(c.problem))))
        << c.bytes;
  }
}

TEST(resp, accepts_the_longest_string_redis_knows) {
  EXPECT_FALSE(parse_reply("$536870912\r\n"));
}

TEST(resp, refuses_arrays_nested_without_end) {
  std::string reply;
  for (int i = 0; i < 100'000; ++i) reply += "*1\r\n";
  EXPECT_THAT([&] { parse_reply(reply); }, ThrowsMessage<resp_error>(HasSubstr("nested too deep")));
}

TEST(resp, writes_requests_as_arrays_of_strings) {
  std::string out = "x";
  append_command(out, {"SET", "k", ""});
  EXPECT_EQ(out, "x*3\r\n$3\r\nSET\r\n$1\r\nk\r\n$0\r\n\r\n");
  out.clear();
  append_command(out, {"PING"});
  EXPECT_EQ(out, "*1\r\n$4\r\nPING\r\n");
  const std::string value = all_bytes();
  out.clear();
  append_command(out, {value});
  EXPECT_EQ(out, "*1\r\n" + bulk(value));
}

}  // namespace
}  // namespace dbdyno
