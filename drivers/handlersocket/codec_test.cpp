#include "drivers/handlersocket/codec.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "drivers/cell_block.hpp"

namespace dbdyno {
namespace {

using namespace std::string_view_literals;
using testing::HasSubstr;

static_assert(wire_codec<handlersocket_codec>);

connect_options options_for(std::size_t value_size) {
  return {.where = parse_target("handlersocket://:s3cret@127.0.0.1:9998/hs_test?wr=9999"),
          .value_size = value_size};
}

class handlersocket_codec_test : public testing::Test {
 protected:
  struct outcome {
    std::size_t consumed;
    op_status status;
    std::string value;
    bool operator==(const outcome&) const = default;
    friend std::ostream& operator<<(std::ostream& out, const outcome& o) {
      return out << "{" << o.consumed << ", " << to_string(o.status) << ", "
                 << testing::PrintToString(o.value) << "}";
    }
  };

  outcome decode(op_kind kind, std::string_view bytes) {
    // A vector of the exact size, so that a sanitizer sees a read beyond it.
    std::vector<char> input(bytes.begin(), bytes.end());
    // As the drivers do it: the guess first.
    const auto likely = codec.likely_get();
    if (kind == op_kind::get && input.size() >= likely.size() && likely.is_at(input.data())) {
      return {likely.size(), op_status::ok, std::string(likely.value_at(input.data()))};
    }
    const decoded out = codec.decode(kind, input.data(), input.data() + input.size());
    return {out.consumed, out.status, std::string(out.value)};
  }

  std::string get_request(std::uint32_t id) const {
    std::string out(handlersocket_codec::request_capacity(options), '#');
    out.resize(static_cast<std::size_t>(codec.append_get(out.data(), key(id, 0)) - out.data()));
    return out;
  }

  std::string set_request(std::uint32_t id, std::string_view value) const {
    std::string out(handlersocket_codec::request_capacity(options), '#');
    out.resize(static_cast<std::size_t>(codec.append_set(out.data(), key(id, 0), value) - out.data()));
    return out;
  }

  connect_options options = options_for(4096);
  handlersocket_codec codec{options};
};

TEST_F(handlersocket_codec_test, asks_for_a_key_with_find) {
  EXPECT_EQ(get_request(1), "1\t=\t1\t1\n");
  EXPECT_EQ(get_request(100'000), "1\t=\t1\t100000\n");
  EXPECT_EQ(get_request(key::max_id), "1\t=\t1\t2147483647\n");
}

TEST_F(handlersocket_codec_test, overwrites_one_row_with_find_modify) {
  EXPECT_EQ(set_request(42, "value"), "1\t=\t1\t42\t1\t0\tU\tvalue\n");
  EXPECT_EQ(set_request(42, ""), "1\t=\t1\t42\t1\t0\tU\t\n");
  EXPECT_EQ(set_request(key::max_id, "a\tb\nc\0"sv), "1\t=\t1\t2147483647\t1\t0\tU\ta\x01Ib\x01Jc\x01@\n");
}

TEST_F(handlersocket_codec_test, stays_inside_its_request_capacity) {
  const std::size_t sizes[] = {0, 1, 100, 1024};
  for (const std::size_t size : sizes) {
    options = options_for(size);
    codec = handlersocket_codec(options);
    const std::size_t capacity = handlersocket_codec::request_capacity(options);
    std::string out(capacity + 16, '#');
    codec.append_set(out.data(), key(key::max_id, 0), std::string(size, '\n'));
    EXPECT_EQ(out.substr(capacity), std::string(16, '#')) << size;
  }
}

TEST_F(handlersocket_codec_test, writes_through_the_port_for_writes) {
  EXPECT_EQ(handlersocket_codec::port(options), 9998);
  options.writes = true;
  EXPECT_EQ(handlersocket_codec::port(options), 9999);
}

struct reply_case {
  op_kind kind;
  std::string_view reply;
  op_status status;
  std::string value = {};
};

std::vector<reply_case> replies() {
  static const std::string long_value(1024, 'v');
  static const std::string long_reply = "0\t1\t" + long_value + "\n";
  return {
      {op_kind::get, "0\t1\tvalue\n", op_status::ok, "value"},
      {op_kind::get, "0\t1\t\n", op_status::ok, ""},
      {op_kind::get, long_reply, op_status::ok, long_value},
      {op_kind::get, "0\t1\ta\x01Ib\x01J\x01@\n", op_status::ok, std::string("a\tb\n\0", 5)},
      {op_kind::get, "0\t1\t\x01@\n", op_status::ok, std::string(1, '\0')},
      {op_kind::get, "0\t1\t\x10\xff\n", op_status::ok, "\x10\xff"},
      {op_kind::get, "0\t1\n", op_status::not_found},
      {op_kind::get, "0\t1\t\0\n"sv, op_status::wrong_reply},
      {op_kind::get, "0\t1\ta\tb\n", op_status::wrong_reply},
      {op_kind::get, "0\t2\ta\tb\n", op_status::wrong_reply},
      {op_kind::get, "0\t1\ta\x01\n", op_status::protocol},
      {op_kind::get, "0\t1\ta\0b\n"sv, op_status::protocol},
      {op_kind::set, "0\t1\t1\n", op_status::ok},
      {op_kind::set, "0\t1\t0\n", op_status::not_found},
      {op_kind::set, "0\t1\t2\n", op_status::wrong_reply},
      {op_kind::set, "0\t1\t10\n", op_status::wrong_reply},
      {op_kind::set, "0\t1\n", op_status::wrong_reply},
      {op_kind::set, "0\t2\t1\t1\n", op_status::wrong_reply},
      {op_kind::set, "0\t1\tx\n", op_status::protocol},
      {op_kind::set, "0\t1\t\n", op_status::protocol},
      {op_kind::get, "1\t1\tlock_tables\n", op_status::refused, "lock_tables: 1 1 lock_tables"},
      {op_kind::set, "1\t1\t121\n", op_status::refused, "121: 1 1 121"},
      {op_kind::get, "2\t1\tstmtnum\n", op_status::refused, "stmtnum: 2 1 stmtnum"},
      {op_kind::set, "2\t1\treadonly\n", op_status::refused, "readonly: 2 1 readonly"},
      {op_kind::get, "3\t1\tunauth\n", op_status::refused, "unauth: 3 1 unauth"},
      {op_kind::set, "3\t1\tunauth\n", op_status::refused, "unauth: 3 1 unauth"},
      {op_kind::get, "1\t1\n", op_status::refused, "1: 1 1"},
      {op_kind::get, "\n", op_status::protocol},
      {op_kind::get, "0\n", op_status::protocol},
      {op_kind::get, "0\t\n", op_status::protocol},
      {op_kind::get, "\t1\tvalue\n", op_status::protocol},
      {op_kind::get, "00x\t1\n", op_status::protocol},
      {op_kind::get, "0 1 value\n", op_status::protocol},
      {op_kind::get, "1\t2\tcmd\n", op_status::protocol},
      {op_kind::get, "-1\t1\tcmd\n", op_status::protocol},
      {op_kind::set, "+OK\r\n", op_status::protocol},
      {op_kind::get, "HTTP/1.1 400 Bad Request\r\n", op_status::protocol},
      {op_kind::get, "\xff\xfe\0\0\n"sv, op_status::protocol},
  };
}

TEST_F(handlersocket_codec_test, decodes_every_kind_of_reply) {
  for (const reply_case& c : replies()) {
    EXPECT_EQ(decode(c.kind, c.reply), (outcome{c.reply.size(), c.status, c.value}))
        << testing::PrintToString(c.reply);
  }
}

TEST_F(handlersocket_codec_test, decodes_no_prefix_of_a_reply) {
  for (const reply_case& c : replies()) {
    for (std::size_t size = 0; size < c.reply.size(); ++size) {
      ASSERT_EQ(decode(c.kind, c.reply.substr(0, size)).consumed, 0U)
          << testing::PrintToString(c.reply) << size;
    }
  }
}

TEST_F(handlersocket_codec_test, leaves_bytes_alone_that_it_does_not_consume) {
  std::string bytes = "0\t1\ta\x01Ib\x01J";
  const std::string before = bytes;
  EXPECT_EQ(codec.decode(op_kind::get, bytes.data(), bytes.data() + bytes.size()).consumed, 0U);
  EXPECT_EQ(bytes, before);
}

TEST_F(handlersocket_codec_test, decodes_the_first_of_two_replies) {
  for (const reply_case& first : replies()) {
    for (const reply_case& second : replies()) {
      const std::string both = std::string(first.reply) + std::string(second.reply);
      ASSERT_EQ(decode(first.kind, both), (outcome{first.reply.size(), first.status, first.value}))
          << testing::PrintToString(both);
    }
  }
}

TEST_F(handlersocket_codec_test, decodes_values_of_every_length) {
  for (std::size_t size = 0; size <= 300; ++size) {
    const std::string value(size, 'v');
    const std::string reply = "0\t1\t" + value + "\n";
    ASSERT_EQ(decode(op_kind::get, reply), (outcome{reply.size(), op_status::ok, value})) << size;
    ASSERT_EQ(decode(op_kind::get, reply + reply), (outcome{reply.size(), op_status::ok, value})) << size;
  }
}

TEST_F(handlersocket_codec_test, expects_no_length_that_an_earlier_reply_had) {
  const std::string hundred = "0\t1\t" + std::string(100, 'v') + "\n";
  for (const reply_case& c : replies()) {
    // Fill up to where the reply of 100 bytes ended, so that an LF stands there as well.
    std::string bytes(c.reply);
    if (bytes.size() < hundred.size()) bytes += std::string(hundred.size() - bytes.size() - 1, 'x') + "\n";
    ASSERT_EQ(decode(op_kind::get, hundred).value.size(), 100U);
    ASSERT_EQ(decode(c.kind, bytes), (outcome{c.reply.size(), c.status, c.value}))
        << testing::PrintToString(c.reply);
  }
}

TEST_F(handlersocket_codec_test, guesses_that_the_next_row_is_as_long_as_the_latest) {
  for (const std::size_t size :
       {std::size_t{0}, std::size_t{1}, std::size_t{63}, std::size_t{64}, std::size_t{1024}}) {
    const std::string latest = "0\t1\t" + std::string(size, 'v') + "\n";
    const std::string next = "0\t1\t" + std::string(size, 'w') + "\n";
    decode(op_kind::get, latest);
    EXPECT_EQ(codec.likely_get().size(), latest.size());
    EXPECT_TRUE(codec.likely_get().is_at(next.data()));
    EXPECT_EQ(codec.likely_get().value_at(next.data()), std::string(size, 'w'));
    for (const char control : "\t\n\x01\x0f"sv) {
      for (std::size_t at = 4; at < 4 + size; ++at) {
        std::string other = next;
        other[at] = control;
        ASSERT_FALSE(codec.likely_get().is_at(other.data())) << size << " " << at;
      }
    }
  }
}

TEST_F(handlersocket_codec_test, gives_back_every_byte_value_of_a_set) {
  std::string value;
  for (int code = 0; code < 256; ++code) value += static_cast<char>(code);
  const std::string request = set_request(7, value);
  const std::string token = request.substr("1\t=\t1\t7\t1\t0\tU\t"sv.size());
  EXPECT_EQ(decode(op_kind::get, "0\t1\t" + token).value, value);
}

TEST_F(handlersocket_codec_test, takes_the_largest_value_of_the_column_and_gives_up_on_an_endless_line) {
  std::string largest;
  for (int i = 0; i < 1024; ++i) largest += "\xe2\x82\xac";
  EXPECT_EQ(decode(op_kind::get, "0\t1\t" + largest).consumed, 0U);
  EXPECT_EQ(decode(op_kind::get, "0\t1\t" + largest + "\n").value, largest);
  EXPECT_EQ(decode(op_kind::get, std::string(handlersocket_codec::max_reply, 'x')).consumed, 0U);
  const outcome endless = decode(op_kind::get, std::string(handlersocket_codec::max_reply + 1, 'x'));
  EXPECT_EQ(endless, (outcome{handlersocket_codec::max_reply + 1, op_status::protocol, ""}));
  EXPECT_THAT(codec.error_text(), HasSubstr("a line without end: xxx"));
}

TEST_F(handlersocket_codec_test, keeps_what_the_server_said) {
  EXPECT_EQ(codec.error_text(), "");
  decode(op_kind::set, "2\t1\treadonly\n");
  EXPECT_EQ(codec.error_text(), "readonly: 2 1 readonly");
  decode(op_kind::get, "0\t1\tvalue\n");
  EXPECT_EQ(codec.error_text(), "readonly: 2 1 readonly");
  decode(op_kind::get, "0\t1\t\0\n"sv);
  EXPECT_EQ(codec.error_text(), "the value is NULL: 0 1 \\x00");
  decode(op_kind::get, "\n");
  EXPECT_EQ(codec.error_text(), "a malformed reply");
}

TEST_F(handlersocket_codec_test, keeps_the_front_of_a_long_error_in_printable_form) {
  decode(op_kind::get, "1\t1\t\x1b[31m" + std::string(1000, '\xff') + "\n");
  const std::string text = codec.error_text();
  EXPECT_THAT(text, HasSubstr("1 1 \\x1b[31m\\xff"));
  EXPECT_LT(text.size(), 300U);
  for (const char byte : text) EXPECT_TRUE(byte >= ' ' && byte <= '~') << static_cast<int>(byte);
}

std::string repeated(std::string_view text, int times) {
  std::string out;
  for (int i = 0; i < times; ++i) out += text;
  return out;
}

TEST_F(handlersocket_codec_test, refuses_values_that_the_column_would_damage) {
  const std::string euro = "\xe2\x82\xac";
  const std::pair<std::string, op_status> cases[] = {
      {"", op_status::ok},
      {std::string(1024, 'x'), op_status::ok},
      {std::string(1024, '\0'), op_status::ok},
      {std::string(1025, 'x'), op_status::too_large},
      {std::string(1024, 'x') + " ", op_status::too_large},
      {repeated(euro, 1024), op_status::ok},
      {repeated(euro, 1025), op_status::too_large},
      {repeated("\xc3\xa9", 1024), op_status::ok},
      {repeated("\xc3\xa9", 1025), op_status::too_large},
      {"\xed\xa0\x80", op_status::ok},
      {"\xf0\x9f\x98\x80", op_status::unstorable},
      {"abc\xff", op_status::unstorable},
      {"\x80", op_status::unstorable},
      {std::string(100, 'x') + "\xe2\x82", op_status::unstorable},
      {"\xc0\x80", op_status::unstorable},
  };
  for (const auto& [value, status] : cases) {
    EXPECT_EQ(codec.check(value), status)
        << testing::PrintToString(value.substr(0, 20)) << " " << value.size();
  }
}

TEST_F(handlersocket_codec_test, refuses_values_larger_than_the_options_say) {
  const handlersocket_codec small(options_for(100));
  EXPECT_EQ(small.check(std::string(100, 'x')), op_status::ok);
  EXPECT_EQ(small.check(std::string(101, 'x')), op_status::too_large);
}

TEST(handlersocket_multiget, asks_for_several_keys_with_one_find_and_takes_what_is_there) {
  connect_options options = options_for(100);
  options.multiget_keys = 3;
  handlersocket_codec codec(options);
  const std::vector<key> keys{key(7, 0), key(100'000, 0), key(key::max_id, 0)};
  std::string request(handlersocket_codec::request_capacity(options), '#');
  request.resize(static_cast<std::size_t>(codec.append_multiget(request.data(), keys) - request.data()));
  EXPECT_EQ(request, "1\t=\t1\t7\t3\t0\t@\t0\t3\t7\t100000\t2147483647\n");

  const auto expect = [&](std::string_view reply, op_status status,
                          std::initializer_list<std::string_view> cells) {
    for (std::size_t size = 1; size < reply.size(); ++size) {
      std::vector<char> part(reply.begin(), reply.begin() + static_cast<std::ptrdiff_t>(size));
      EXPECT_EQ(codec.decode(op_kind::block, part.data(), part.data() + part.size()).consumed, 0U) << size;
    }
    std::vector<char> whole(reply.begin(), reply.end());
    const decoded found = codec.decode(op_kind::block, whole.data(), whole.data() + whole.size());
    std::string block;
    for (const std::string_view cell : cells) append_cell(block, cell);
    EXPECT_EQ(found.consumed, reply.size()) << reply;
    EXPECT_EQ(found.status, status) << reply;
    if (status == op_status::ok) {
      EXPECT_EQ(found.value, block) << reply;
    }
  };
  expect("0\t1\tone\ttwo\t\n"sv, op_status::ok, {"one", "two", ""});
  expect("0\t1\ta\1Jb\n"sv, op_status::ok, {"a\nb"});
  expect("0\t1\n"sv, op_status::ok, {});
  expect("0\t1\tone\t\0\n"sv, op_status::wrong_reply, {});
  expect("0\t2\tone\ttwo\n"sv, op_status::wrong_reply, {});
  expect("2\t1\tstmtnum\n"sv, op_status::refused, {});
  expect("0\t1\ta\1\n"sv, op_status::protocol, {});
}

}  // namespace
}  // namespace dbdyno
