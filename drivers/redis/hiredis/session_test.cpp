#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <string>
#include <string_view>

#include "drivers/errors.hpp"
#include "drivers/redis/client.hpp"
#include "drivers/redis/hiredis/session_internal.hpp"
#include "fixtures/redis_server.hpp"

namespace dbdyno {
namespace {

using testing::HasSubstr;
using testing::Not;

connect_options small_values(const redis_server& server) {
  connect_options options;
  options.where = server.tcp();
  options.value_size = 10;
  return options;
}

/// Where a GET is refused.
key list_at(const redis_server& server) {
  const key k(1, 0);
  redis_client("test", server.tcp(), std::chrono::seconds{5}).command({"RPUSH", k.text(), "item"});
  return k;
}

template <class Driver>
op_status finish(Driver& driver) {
  op_status result = op_status::ok;
  const auto soon = std::chrono::steady_clock::now() + std::chrono::seconds{10};
  EXPECT_EQ(driver.poll(soon, [&](slot, op_status status, std::string_view) { result = status; }), 1U);
  return result;
}

TEST(hiredis_session, a_refusal_of_auth_is_told_without_the_password) {
  const target where = parse_target("redis://:sesame@127.0.0.1:1");
  std::string words = "ERR unknown command 'AUTH', with args beginning with: 'sesame' ";
  redisReply reply{};
  reply.type = REDIS_REPLY_ERROR;
  reply.str = words.data();
  reply.len = words.size();
  const auto failure = hiredis::judge(hiredis::opening_commands(where).front(), reply);
  EXPECT_EQ(failure.step, "authenticate at");
  EXPECT_EQ(failure.reason, "ERR unknown command 'AUTH'");

  words = "ERR 'sesame' is no way to begin";
  reply.str = words.data();
  reply.len = words.size();
  EXPECT_THAT(hiredis::judge(hiredis::opening_commands(where).front(), reply).reason,
              Not(HasSubstr("sesame")));
}

TEST(hiredis_session, a_user_without_a_password_has_to_be_known) {
  const redis_server server;
  connect_options options = small_values(server);
  options.where.user = "default";
  EXPECT_NO_THROW(hiredis_sync{options});
  options.where.user = "nobody";
  EXPECT_THROW(hiredis_sync{options}, setup_error);
}

TEST(hiredis_sync, a_value_too_large_has_a_text_of_its_own) {
  const redis_server server;
  const key list = list_at(server);
  hiredis_sync driver(small_values(server));
  std::string_view value;
  ASSERT_EQ(driver.get(list, value), op_status::refused);
  ASSERT_THAT(driver.last_error(), HasSubstr("WRONGTYPE"));
  EXPECT_EQ(driver.set(list, std::string(11, 'v')), op_status::too_large);
  EXPECT_EQ(driver.last_error(), hiredis::value_too_long);
}

TEST(hiredis_sync, knows_of_rows_and_multigets_that_were_not_written) {
  const redis_server server;
  connect_options options = small_values(server);
  options.multiget_keys = 1;
  const key k(1, 0);
  // As every program that uses hiredis has to: it writes to a closed socket.
  std::signal(SIGPIPE, SIG_IGN);
  for (const bool rows : {true, false}) {
    hiredis_sync driver(options);
    // The kernel takes nothing any more.
    driver.interrupt();
    std::string_view cells;
    EXPECT_EQ(rows ? driver.read_rows(cells) : driver.multiget({&k, 1}, cells), op_status::unsent) << rows;
    EXPECT_NE(driver.last_error(), "");
  }
}

template <class Driver>
class hiredis_in_flight : public testing::Test {};
using modes_in_flight = testing::Types<hiredis_pipeline, hiredis_async>;
TYPED_TEST_SUITE(hiredis_in_flight, modes_in_flight);

TYPED_TEST(hiredis_in_flight, a_value_too_large_has_a_text_of_its_own) {
  const redis_server server;
  const key list = list_at(server);
  TypeParam driver(small_values(server));
  ASSERT_EQ(driver.submit_get(0, list), submitted::queued);
  ASSERT_EQ(finish(driver), op_status::refused);
  ASSERT_THAT(driver.last_error(), HasSubstr("WRONGTYPE"));
  ASSERT_EQ(driver.submit_set(0, list, std::string(11, 'v')), submitted::queued);
  EXPECT_EQ(finish(driver), op_status::too_large);
  EXPECT_EQ(driver.last_error(), hiredis::value_too_long);
}

}  // namespace
}  // namespace dbdyno
