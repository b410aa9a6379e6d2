#include "drivers/redis/wire/codec.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <new>
#include <string>
#include <vector>

#include "drivers/cell_block.hpp"

namespace {
std::size_t allocations = 0;
}  // namespace

// Counts allocations of the whole program. Not inlined, or else g++ 12 takes free() for a mismatched delete.
[[gnu::noinline]] void* operator new(std::size_t size) {
  ++allocations;
  if (void* bytes = std::malloc(size == 0 ? 1 : size)) return bytes;
  throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* bytes) noexcept {
  std::free(bytes);
}
[[gnu::noinline]] void operator delete(void* bytes, std::size_t) noexcept {
  std::free(bytes);
}

namespace dbdyno {
namespace {

constexpr std::uint32_t key_ids[] = {1, 9, 10, 999, key::max_id};
constexpr std::size_t value_sizes[] = {0, 9, 10, 100, 1024};

connect_options options_for(std::size_t value_size, bool writes = true) {
  connect_options options;
  options.where = {.storage = "redis", .via = transport::tcp, .host = "127.0.0.1", .port = 6379};
  options.writes = writes;
  options.value_size = value_size;
  return options;
}

std::string bulk(std::string_view bytes) {
  return "$" + std::to_string(bytes.size()) + "\r\n" + std::string(bytes) + "\r\n";
}

std::string expected_get(std::uint32_t id) {
  return "*2\r\n$3\r\nGET\r\n" + bulk("dbdyno:" + std::to_string(id));
}
std::string expected_set(std::uint32_t id, std::string_view value) {
  return "*3\r\n$3\r\nSET\r\n" + bulk("dbdyno:" + std::to_string(id)) + bulk(value);
}

std::string all_bytes() {
  std::string out;
  for (int byte = 0; byte < 256; ++byte) out += static_cast<char>(byte);
  return out;
}

/// Decodes from a heap block of exactly these bytes, so that AddressSanitizer sees every byte read too many.
class decoding {
 public:
  decoding(op_kind kind, std::string_view bytes) : bytes_(bytes.begin(), bytes.end()) {
    result_ = codec_.decode(kind, bytes_.data(), bytes_.data() + bytes_.size());
  }
  std::size_t consumed() const { return result_.consumed; }
  op_status status() const { return result_.status; }
  std::string_view value() const { return result_.value; }
  std::string error() const { return codec_.error_text(); }

 private:
  redis_codec codec_{options_for(1024)};
  std::vector<char> bytes_;
  decoded result_;
};

/// A block for a request with bytes behind it that must stay as they are.
class guarded_room {
 public:
  explicit guarded_room(std::size_t capacity)
      : capacity_(capacity), bytes_(std::make_unique<char[]>(capacity + guard_size)) {
    std::fill_n(bytes_.get(), capacity + guard_size, guard);
  }
  char* begin() { return bytes_.get(); }
  std::string_view written(const char* end) const {
    return {bytes_.get(), static_cast<std::size_t>(end - bytes_.get())};
  }
  bool guard_is_whole() const {
    return std::all_of(bytes_.get() + capacity_, bytes_.get() + capacity_ + guard_size,
                       [](char c) { return c == guard; });
  }

 private:
  static constexpr std::size_t guard_size = 64;
  static constexpr char guard = '\x5a';
  std::size_t capacity_;
  std::unique_ptr<char[]> bytes_;
};

TEST(redis_codec, writes_the_bytes_of_get) {
  EXPECT_EQ(expected_get(10), "*2\r\n$3\r\nGET\r\n$9\r\ndbdyno:10\r\n");
  for (const std::uint32_t id : key_ids) {
    const connect_options options = options_for(0, false);
    guarded_room room(redis_codec::request_capacity(options));
    const char* const end = redis_codec(options).append_get(room.begin(), key(id, 0));
    EXPECT_EQ(room.written(end), expected_get(id));
    EXPECT_TRUE(room.guard_is_whole());
  }
}

TEST(redis_codec, writes_the_bytes_of_set) {
  EXPECT_EQ(expected_set(1, "v"), "*3\r\n$3\r\nSET\r\n$8\r\ndbdyno:1\r\n$1\r\nv\r\n");
  for (const std::uint32_t id : key_ids) {
    for (const std::size_t size : value_sizes) {
      const std::string value(size, 'v');
      const connect_options options = options_for(size);
      guarded_room room(redis_codec::request_capacity(options));
      const char* const end = redis_codec(options).append_set(room.begin(), key(id, 0), value);
      EXPECT_EQ(room.written(end), expected_set(id, value));
      EXPECT_TRUE(room.guard_is_whole());
    }
  }
}

TEST(redis_codec, has_room_for_a_get_where_there_are_sets) {
  const connect_options options = options_for(0);
  guarded_room room(redis_codec::request_capacity(options));
  const char* const end = redis_codec(options).append_get(room.begin(), key(key::max_id, 0));
  EXPECT_EQ(room.written(end), expected_get(key::max_id));
  EXPECT_TRUE(room.guard_is_whole());
}

TEST(redis_codec, sends_any_bytes_and_an_empty_value_that_points_nowhere) {
  const connect_options options = options_for(256);
  guarded_room room(redis_codec::request_capacity(options));
  const redis_codec codec(options);
  EXPECT_EQ(room.written(codec.append_set(room.begin(), key(1, 0), all_bytes())),
            expected_set(1, all_bytes()));
  EXPECT_EQ(room.written(codec.append_set(room.begin(), key(1, 0), {})), expected_set(1, ""));
}

TEST(redis_codec, takes_values_up_to_the_size_it_made_room_for) {
  const redis_codec codec(options_for(100));
  EXPECT_EQ(codec.check(std::string(100, 'v')), op_status::ok);
  EXPECT_EQ(codec.check({}), op_status::ok);
  EXPECT_EQ(codec.check(std::string(101, 'v')), op_status::too_large);
}

TEST(redis_codec, decodes_strings_of_any_bytes) {
  for (const std::string& value :
       {std::string(), std::string("x"), std::string("\r\n"), std::string("$-1\r\n"), std::string(9, '9'),
        std::string(1024, 'v'), all_bytes()}) {
    const std::string reply = bulk(value);
    const decoding d(op_kind::get, reply);
    EXPECT_EQ(d.consumed(), reply.size());
    EXPECT_EQ(d.status(), op_status::ok);
    EXPECT_EQ(d.value(), value);
  }
}

TEST(redis_codec, decodes_whatever_else_answers_a_request) {
  const struct {
    op_kind kind;
    std::string_view reply;
    op_status status;
    std::string_view error;
  } cases[] = {
      {op_kind::set, "+OK\r\n", op_status::ok, ""},
      {op_kind::get, "$-1\r\n", op_status::not_found, ""},
      {op_kind::get, "-ERR no\r\n", op_status::refused, "ERR no"},
      {op_kind::set, "-OOM no\r\n", op_status::refused, "OOM no"},
      {op_kind::set, "-\x1b[31m\xc3\r\n", op_status::refused, "?[31m?"},
      {op_kind::get, "+OK\r\n", op_status::wrong_reply, "a reply of another type than the request's"},
      {op_kind::get, ":1\r\n", op_status::wrong_reply, "a reply of another type than the request's"},
      {op_kind::set, ":1\r\n", op_status::wrong_reply, "a reply of another type than the request's"},
      {op_kind::set, "+QUEUED\r\n", op_status::wrong_reply, "a reply of another type than the request's"},
      {op_kind::set, "+OKAY\r\n", op_status::wrong_reply, "a reply of another type than the request's"},
  };
  for (const auto& c : cases) {
    const decoding d(c.kind, c.reply);
    EXPECT_EQ(d.consumed(), c.reply.size()) << c.reply;
    EXPECT_EQ(d.status(), c.status) << c.reply;
    EXPECT_EQ(d.value(), c.status == op_status::refused ? c.error : "") << c.reply;
    EXPECT_EQ(d.error(), c.error) << c.reply;
  }
}

TEST(redis_codec, keeps_the_front_of_a_long_error) {
  const decoding d(op_kind::get, "-ERR " + std::string(1000, 'e') + "\r\n");
  EXPECT_EQ(d.status(), op_status::refused);
  EXPECT_THAT(d.error(), testing::StartsWith("ERR eeee"));
}

TEST(redis_codec, waits_for_the_last_byte_of_every_reply) {
  for (const op_kind kind : {op_kind::get, op_kind::set}) {
    for (const std::string& reply :
         {bulk(""), bulk("a\r\nb"), bulk(std::string(1024, 'v')), std::string("$-1\r\n"),
          std::string("+OK\r\n"), std::string("-ERR no\r\n"), std::string(":12\r\n")}) {
      if (kind == op_kind::set && reply.front() == '$') continue;
      for (std::size_t size = 1; size < reply.size(); ++size) {
        EXPECT_EQ(decoding(kind, std::string_view(reply).substr(0, size)).consumed(), 0U)
            << reply << " cut to " << size;
      }
      EXPECT_EQ(decoding(kind, reply).consumed(), reply.size());
    }
  }
}

TEST(redis_codec, consumes_one_of_two_replies) {
  const decoding d(op_kind::get, bulk("first") + bulk("second"));
  EXPECT_EQ(d.value(), "first");
  EXPECT_EQ(d.consumed(), bulk("first").size());
  EXPECT_EQ(decoding(op_kind::set, "+OK\r\n+OK\r\n").consumed(), 5U);
  EXPECT_EQ(decoding(op_kind::get, "$-1\r\n$-1\r\n").consumed(), 5U);
}

TEST(redis_codec, guesses_that_the_next_string_is_as_long_as_the_latest) {
  redis_codec codec(options_for(1024));
  EXPECT_EQ(codec.likely_get().size(), no_likely_size) << "there was none yet";
  for (const std::size_t size : {std::size_t{2}, std::size_t{9}, std::size_t{10}, std::size_t{1024}}) {
    std::string latest = bulk(std::string(size, 'v'));
    const std::string next = bulk(std::string(size, '\n'));
    codec.decode(op_kind::get, latest.data(), latest.data() + latest.size());
    const auto guess = codec.likely_get();
    ASSERT_EQ(guess.size(), latest.size());
    // A heap block of exactly these bytes, for AddressSanitizer.
    const std::vector<char> bytes(next.begin(), next.end());
    EXPECT_TRUE(guess.is_at(bytes.data()));
    EXPECT_EQ(guess.value_at(bytes.data()), std::string(size, '\n'));
  }
}

TEST(redis_codec, takes_nothing_else_for_the_string_it_guessed) {
  redis_codec codec(options_for(1024));
  std::string latest = bulk(std::string(100, 'v'));
  codec.decode(op_kind::get, latest.data(), latest.data() + latest.size());
  const std::string two_more = std::string(2, 'v') + "\r\n";
  for (std::string other :
       {bulk(std::string(101, 'v')), "$102\r\n" + std::string(98, 'v') + two_more,
        bulk(std::string(99, '\n')) + "$-", "$100\r\n" + std::string(98, 'v') + "\r\nvv",
        "$100\n\r" + std::string(98, 'v') + two_more, "$-1\r\n$" + std::string(98, 'v') + two_more,
        "-ERR n" + std::string(98, 'v') + two_more, "+100\r\n" + std::string(98, 'v') + two_more}) {
    ASSERT_GE(other.size(), codec.likely_get().size());
    EXPECT_FALSE(codec.likely_get().is_at(other.data())) << other;
  }
}

TEST(redis_codec, trusts_no_stream_that_breaks_the_protocol) {
  for (const std::string& bytes : {
           std::string("x"),
           std::string("\r\n"),
           std::string(1, '\0'),
           std::string("HTTP/1.1 400 Bad Request\r\n"),
           std::string("$\r\n\r\n"),
           std::string("$-2\r\n"),
           std::string("$-\r\n"),
           std::string("$ 1\r\na\r\n"),
           std::string("$1x\r\na\r\n"),
           std::string("$1\n\na\r\n"),
           std::string("$536870913\r\n"),
           std::string("$18446744073709551616\r\n"),
           std::string("$18446744073709551617\r\na\r\n"),
           "$" + std::string(1000, '9'),
           std::string("$1\r\nab\r\n"),
           std::string("$1\r\na\n\r"),
           std::string("*1\r\n$1\r\na\r\n"),
           std::string("*-1\r\n"),
           "-" + std::string(100'000, 'x'),
           "$x" + std::string(100'000, 'x'),
       }) {
    const decoding d(op_kind::get, bytes);
    EXPECT_EQ(d.consumed(), bytes.size()) << bytes.substr(0, 40);
    EXPECT_EQ(d.status(), op_status::protocol) << bytes.substr(0, 40);
    EXPECT_EQ(d.value(), "");
    EXPECT_NE(d.error(), "");
  }
  for (const std::string_view bytes : {"x", "$1\r\na\r\n", "$-1\r\n", "*0\r\n"}) {
    EXPECT_EQ(decoding(op_kind::set, bytes).status(), op_status::protocol) << bytes;
  }
}

TEST(redis_codec, allocates_nothing_for_a_request_or_a_reply) {
  const connect_options options = options_for(1024);
  redis_codec codec(options);
  const std::string value(1024, 'v');
  std::vector<char> room(redis_codec::request_capacity(options));
  std::string replies[] = {bulk(value), "$-1\r\n", "-ERR " + std::string(1000, 'e') + "\r\n", ":1\r\n",
                           "garbage"};

  ASSERT_NE(std::make_unique<int>(1), nullptr);
  ASSERT_GT(allocations, 0U) << "nothing counts the allocations";
  const std::size_t before = allocations;
  for (const std::uint32_t id : key_ids) {
    codec.append_get(room.data(), key(id, 0));
    codec.append_set(room.data(), key(id, 0), value);
  }
  std::size_t decoded_bytes = 0;
  for (std::string& reply : replies) {
    decoded_bytes += codec.decode(op_kind::get, reply.data(), reply.data() + reply.size()).consumed;
    decoded_bytes += codec.decode(op_kind::set, reply.data(), reply.data() + reply.size()).consumed;
  }
  const std::size_t after = allocations;
  EXPECT_EQ(after - before, 0U);
  EXPECT_GT(decoded_bytes, 0U);
}

connect_options multiget_options(std::uint32_t keys) {
  connect_options options = options_for(100, false);
  options.multiget_keys = keys;
  return options;
}

std::string cells_of(std::initializer_list<std::string_view> cells) {
  std::string out;
  for (const std::string_view cell : cells) append_cell(out, cell);
  return out;
}

/// Nothing is consumed before the reply is whole, wherever it is cut.
void expect_block(redis_codec& codec, const std::string& reply, op_status status, std::string_view value) {
  std::string bytes = reply;
  for (std::size_t size = 1; size < bytes.size(); ++size)
    ASSERT_EQ(codec.decode(op_kind::block, bytes.data(), bytes.data() + size).consumed, 0U) << size;
  bytes += "+OK\r\n";
  const decoded whole = codec.decode(op_kind::block, bytes.data(), bytes.data() + bytes.size());
  EXPECT_EQ(whole.consumed, reply.size());
  EXPECT_EQ(whole.status, status);
  EXPECT_EQ(whole.value, value);
}

TEST(redis_codec, asks_for_several_keys_with_one_mget) {
  std::vector<key> keys;
  std::string expected = "*" + std::to_string(std::size(key_ids) + 1) + "\r\n" + bulk("MGET");
  for (const std::uint32_t id : key_ids) {
    keys.emplace_back(id, 0);
    expected += bulk("dbdyno:" + std::to_string(id));
  }
  const connect_options options = multiget_options(static_cast<std::uint32_t>(keys.size()));
  const redis_codec codec(options);
  std::string out(redis_codec::request_capacity(options), '?');
  out.resize(static_cast<std::size_t>(codec.append_multiget(out.data(), keys) - out.data()));
  EXPECT_EQ(out, expected);
}

TEST(redis_codec, takes_the_values_of_an_mget_that_are_there) {
  redis_codec codec(multiget_options(3));
  expect_block(codec, "*3\r\n" + bulk("one") + "$-1\r\n" + bulk(""), op_status::ok, cells_of({"one", ""}));
  expect_block(codec, "*0\r\n", op_status::ok, "");
  expect_block(codec, "-ERR no\r\n", op_status::refused, "ERR no");
  expect_block(codec, "*1\r\n" + bulk(std::string(400, 'x')), op_status::wrong_reply, "");
}

TEST(redis_codec, takes_the_values_of_hashes_and_leaves_their_names) {
  connect_options options = options_for(100, false);
  options.rows_from = rows_source::table;
  redis_codec codec(options);
  const std::string row = "*4\r\n" + bulk("name") + bulk("a") + bulk("other") + bulk("b\r\n");
  expect_block(codec, row + row + row, op_status::ok, cells_of({"a", "b\r\n", "a", "b\r\n", "a", "b\r\n"}));
  expect_block(codec, row + "-WRONGTYPE x\r\n" + row, op_status::refused, "WRONGTYPE x");
  expect_block(codec, "*0\r\n*0\r\n*0\r\n", op_status::ok, "");
}

TEST(redis_codec, trusts_no_stream_whose_arrays_are_broken) {
  for (const std::string bytes :
       {"+OK\r\n", "*x\r\n", "*-1\r\n", "*1\r\n:1\r\n", "*1\r\n$1\r\nabc\r\n", "$3\r\nabc\r\n"}) {
    redis_codec codec(multiget_options(1));
    std::string copy = bytes;
    const decoded found = codec.decode(op_kind::block, copy.data(), copy.data() + copy.size());
    EXPECT_EQ(found.status, op_status::protocol) << bytes;
    EXPECT_EQ(found.consumed, bytes.size()) << bytes;
  }
}

}  // namespace
}  // namespace dbdyno
