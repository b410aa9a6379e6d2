#include "data-loaders/redis_bulk_writer.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <string>

#include "drivers/errors.hpp"
#include "drivers/redis/client.hpp"
#include "fixtures/redis_server.hpp"

namespace dbdyno {
namespace {

constexpr std::chrono::seconds timeout{10};

class bulk_writer : public testing::Test {
 protected:
  resp_reply run(std::initializer_list<std::string_view> words) const {
    return redis_client("test", server_.tcp(), timeout).command(words);
  }

  /// How often the server ran a command.
  unsigned long calls(const std::string& command) const {
    const std::string told = run({"INFO", "commandstats"}).text;
    const auto at = told.find("cmdstat_" + command + ":calls=");
    return at == std::string::npos ? 0 : std::stoul(told.substr(told.find('=', at) + 1));
  }

  redis_server server_{};
};

TEST_F(bulk_writer, stores_every_pair_once_with_many_to_a_command) {
  constexpr unsigned keys = 20'000;
  redis_bulk_writer to("test", server_.tcp(), timeout);
  for (unsigned i = 0; i < keys; ++i) {
    const std::string text = std::to_string(i);
    to.add("key:" + text, text + std::string(100, 'v'));
  }
  to.finish();
  EXPECT_EQ(to.stored(), keys);
  EXPECT_EQ(run({"DBSIZE"}).integer, keys);
  for (const char* each : {"0", "1", "9999", "19999"})
    EXPECT_EQ(run({"GET", std::string("key:") + each}).text, each + std::string(100, 'v'));
  EXPECT_EQ(calls("set"), 0U);
  EXPECT_GT(calls("mset"), 0U);
  EXPECT_LT(calls("mset"), keys / 50);
}

TEST_F(bulk_writer, stores_one_small_pair_and_ones_larger_than_any_buffer) {
  for (const std::size_t size :
       {std::size_t{0}, std::size_t{1}, std::size_t{20'000}, std::size_t{3'000'000}}) {
    redis_bulk_writer to("test", server_.tcp(), timeout);
    to.add("first", std::string(size, 'a'));
    to.add("second", std::string(size, 'b'));
    to.finish();
    EXPECT_EQ(to.stored(), 2U);
    EXPECT_EQ(run({"GET", "first"}).text, std::string(size, 'a'));
    EXPECT_EQ(run({"GET", "second"}).text, std::string(size, 'b'));
  }
}

TEST_F(bulk_writer, stops_at_the_first_refusal_with_the_servers_words) {
  redis_bulk_writer to("test loader", server_.tcp(), timeout);
  run({"CONFIG", "SET", "min-replicas-to-write", "1"});
  try {
    for (unsigned i = 0; i < 100'000; ++i) to.add("key:" + std::to_string(i), std::string(100, 'v'));
    FAIL() << "a server without replicas took them all";
  } catch (const setup_error& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("test loader"), std::string::npos) << text;
    EXPECT_NE(text.find("NOREPLICAS"), std::string::npos) << text;
  }
  EXPECT_EQ(to.stored(), 0U);
}

TEST_F(bulk_writer, says_so_when_the_server_goes_away) {
  redis_bulk_writer to("test loader", server_.tcp(), timeout);
  to.add("key", "value");
  run({"CLIENT", "KILL", "TYPE", "normal"});
  EXPECT_THROW(to.finish(), setup_error);
}

}  // namespace
}  // namespace dbdyno
