#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <latch>
#include <string>

#include "drivers/errors.hpp"
#include "drivers/redis/wire/codec.hpp"
#include "drivers/wire/async.hpp"
#include "drivers/wire/redis_peer.hpp"
#include "drivers/wire/sync.hpp"

namespace dbdyno {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

using sync_client = wire_sync<redis_codec>;
using async_client = wire_async<redis_codec>;

std::string failure_to_connect(const connect_options& options) {
  try {
    const sync_client client(options);
  } catch (const setup_error& error) {
    return error.what();
  }
  return "connected";
}

TEST(wire_setup, authenticates_and_selects_before_it_pings) {
  std::latch done(1);
  scripted_peer peer([&](peer_connection& at) {
    EXPECT_THAT(at.next_command(), ElementsAre("AUTH", "me", "sesame"));
    at.write(ok);
    EXPECT_THAT(at.next_command(), ElementsAre("SELECT", "3"));
    at.write(ok);
    shake_hands(at);
    done.count_down();
    at.read_until_closed();
  });
  connect_options options = options_for(peer);
  options.where.user = "me";
  options.where.password = "sesame";
  options.where.database = "3";
  const async_client client(options);
  done.wait();
}

TEST(wire_setup, says_why_it_was_not_let_in_without_the_password) {
  for (const std::string_view words :
       {"-WRONGPASS invalid username-password pair\r\n",
        "-ERR unknown command 'AUTH', with args beginning with: 'open sesame' \r\n",
        "-ERR unknown command 'AUTH', with args beginning with: 'open se\r\n",
        "-ERR I do not know open sesame\r\n", ":1\r\n", "open sesame\r\n"}) {
    scripted_peer peer([&](peer_connection& at) {
      at.read_commands(1);
      at.write(words);
      at.read_until_closed();
    });
    connect_options options = options_for(peer);
    options.where.password = "open sesame";
    EXPECT_THAT(failure_to_connect(options),
                AllOf(HasSubstr("redis/wire: cannot authenticate at redis://:***@127.0.0.1:"),
                      Not(HasSubstr("open"))));
  }
}

TEST(wire_setup, names_the_target_that_refuses_closes_or_says_too_much) {
  connect_options options;
  {
    scripted_peer peer([](peer_connection& at) { at.read_commands(1); });
    options = options_for(peer);
    EXPECT_THAT(failure_to_connect(options),
                AllOf(HasSubstr("cannot open a session at " + peer.where().masked()),
                      HasSubstr("closed the connection")));
  }
  EXPECT_THAT(failure_to_connect(options), AllOf(HasSubstr("cannot connect to " + options.where.masked()),
                                                 HasSubstr("Connection refused")));
  {
    scripted_peer peer([](peer_connection& at) {
      at.read_commands(1);
      at.write("+PONG\r\n+PONG\r\n");
      at.read_until_closed();
    });
    EXPECT_THAT(failure_to_connect(options_for(peer)), HasSubstr("7 bytes came that nothing asked for"));
  }
}

TEST(wire_setup, waits_for_a_silent_server_no_longer_than_it_was_told) {
  scripted_peer peer([](peer_connection& at) { at.read_until_closed(); });
  connect_options options = options_for(peer);
  options.connect_timeout = std::chrono::milliseconds(30);
  const auto before = std::chrono::steady_clock::now();
  EXPECT_THAT(failure_to_connect(options), HasSubstr("timed out"));
  EXPECT_GE(std::chrono::steady_clock::now() - before, options.connect_timeout);
}

TEST(wire_setup, refuses_a_socket_path_that_is_too_long) {
  connect_options options;
  options.where = {.storage = "redis", .via = transport::unix_socket, .path = "/" + std::string(107, 'p')};
  EXPECT_THAT(failure_to_connect(options), HasSubstr("may have 107 bytes, this one has 108"));
}

}  // namespace
}  // namespace dbdyno
