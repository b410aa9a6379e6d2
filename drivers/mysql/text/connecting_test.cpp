// A connection for every get, on an event loop: what becomes of it with a server that is silent, gone, or has
// no room.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "drivers/mysql/session.hpp"
#include "drivers/mysql/text/driver.hpp"
#include "drivers/wire/local_listener.hpp"
#include "fixtures/mariadb_server.hpp"

namespace dbdyno {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using std::chrono::steady_clock;
using ::testing::Each;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::SizeIs;

connect_options options_for(const target& where, std::uint32_t connections) {
  connect_options out;
  out.where = where;
  out.connections = connections;
  out.connect_timeout = seconds(30);
  out.value_size = 100;
  return out;
}

target at_port(std::uint16_t port) {
  return {.storage = "mysql",
          .via = transport::tcp,
          .host = "127.0.0.1",
          .port = port,
          .user = "somebody",
          .password = "hush"};
}

struct completion {
  slot which;
  op_status status;
  std::string value;
};

/// Polls until `count` are there, for 10 s at most.
std::vector<completion> complete(mysql_text::connecting& driver, std::size_t count) {
  std::vector<completion> out;
  const auto until = steady_clock::now() + seconds(10);
  while (out.size() < count && steady_clock::now() < until) {
    driver.poll(until, [&](slot s, op_status status, std::string_view value) {
      out.push_back({s, status, std::string(value)});
    });
  }
  return out;
}

std::vector<op_status> statuses_of(const std::vector<completion>& of) {
  std::vector<op_status> out;
  for (const completion& one : of) out.push_back(one.status);
  return out;
}

TEST(mysql_connecting, gives_up_the_one_it_is_told_to_on_a_silent_server) {
  const local_listener silent;
  mysql_text::connecting driver(options_for(at_port(silent.port()), 3));
  for (slot s = 0; s < 3; ++s) ASSERT_EQ(driver.submit_get(s, key(1, 0)), submitted::queued);
  EXPECT_EQ(driver.submit_get(1, key(2, 0)), submitted::busy);
  driver.give_up(1);
  const std::vector<completion> done = complete(driver, 1);
  ASSERT_THAT(done, SizeIs(1));
  EXPECT_EQ(done[0].which, 1U);
  EXPECT_EQ(done[0].status, op_status::disconnected);
  EXPECT_EQ(driver.last_error(), given_up_text);
  EXPECT_EQ(driver.submit_get(1, key(2, 0)), submitted::queued) << "which is a connection of its own";
}

TEST(mysql_connecting, ends_everything_when_interrupted_by_another_thread) {
  const local_listener silent;
  mysql_text::connecting driver(options_for(at_port(silent.port()), 3));
  for (slot s = 0; s < 3; ++s) ASSERT_EQ(driver.submit_get(s, key(1, 0)), submitted::queued);
  const auto begin = steady_clock::now();
  std::jthread other([&] { driver.interrupt(); });
  EXPECT_THAT(statuses_of(complete(driver, 3)), testing::AllOf(SizeIs(3), Each(op_status::disconnected)));
  EXPECT_LT(steady_clock::now() - begin, seconds(10)) << "the time that connecting may take is 30 s";
}

TEST(mysql_connecting, fails_where_a_server_says_nothing_for_as_long_as_connecting_may_take) {
  const local_listener silent;
  connect_options options = options_for(at_port(silent.port()), 2);
  // libmariadb counts in whole seconds.
  options.connect_timeout = seconds(1);
  mysql_text::connecting driver(options);
  for (slot s = 0; s < 2; ++s) ASSERT_EQ(driver.submit_get(s, key(1, 0)), submitted::queued);
  EXPECT_THAT(statuses_of(complete(driver, 2)), testing::AllOf(SizeIs(2), Each(op_status::connect)));
  EXPECT_THAT(driver.last_error(), Not(HasSubstr("hush")));
}

TEST(mysql_connecting, is_destroyed_at_once_with_requests_on_their_way) {
  const local_listener silent;
  const auto begin = steady_clock::now();
  {
    mysql_text::connecting driver(options_for(at_port(silent.port()), 3));
    for (slot s = 0; s < 3; ++s) ASSERT_EQ(driver.submit_get(s, key(1, 0)), submitted::queued);
  }
  EXPECT_LT(steady_clock::now() - begin, seconds(10));
}

TEST(mysql_connecting, tells_the_servers_own_words_where_it_has_no_room) {
  const mariadb_server server;
  mysql_session session("test", server.mysql_tcp(), seconds(5));
  session.execute("SET GLOBAL max_connections=10");
  std::vector<std::unique_ptr<mysql_session>> others;
  // One more than that is taken from who may administer it.
  while (others.size() < 10)
    others.push_back(std::make_unique<mysql_session>("test", server.mysql_tcp(), seconds(5)));
  mysql_text::connecting driver(options_for(server.mysql_tcp(), 1));
  ASSERT_EQ(driver.submit_get(0, key(1, 0)), submitted::queued);
  EXPECT_THAT(statuses_of(complete(driver, 1)), testing::ElementsAre(op_status::connect));
  EXPECT_THAT(driver.last_error(), HasSubstr("1040"));
}

TEST(mysql_connecting, fails_for_the_password_without_telling_it) {
  const mariadb_server server;
  target where = server.mysql_tcp();
  where.password = "no-such-thing";
  mysql_text::connecting driver(options_for(where, 1));
  ASSERT_EQ(driver.submit_get(0, key(1, 0)), submitted::queued);
  EXPECT_THAT(statuses_of(complete(driver, 1)), testing::ElementsAre(op_status::connect));
  EXPECT_THAT(driver.last_error(), testing::AllOf(HasSubstr("1045"), Not(HasSubstr("no-such-thing"))));
}

}  // namespace
}  // namespace dbdyno
