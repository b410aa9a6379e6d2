#include "drivers/wire/sync.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <latch>
#include <string>
#include <thread>

#include "drivers/redis/wire/codec.hpp"
#include "drivers/wire/redis_peer.hpp"

namespace dbdyno {
namespace {

using testing::ElementsAre;

using sync_client = wire_sync<redis_codec>;

TEST(wire_sync, takes_replies_that_come_byte_by_byte) {
  scripted_peer peer(greeting([](peer_connection& at) {
    for (const std::string& reply : {bulk("abc"), bulk(""), std::string(nil), std::string(ok)}) {
      at.read_commands(1);
      at.write_byte_by_byte(reply);
    }
  }));
  sync_client client(options_for(peer));
  std::string_view value = "untouched";
  EXPECT_EQ(client.get(key_of(1), value), op_status::ok);
  EXPECT_EQ(value, "abc");
  EXPECT_EQ(client.get(key_of(1), value), op_status::ok);
  EXPECT_EQ(value, "");
  value = "untouched";
  EXPECT_EQ(client.get(key_of(1), value), op_status::not_found);
  EXPECT_EQ(value, "untouched");
  EXPECT_EQ(client.set(key_of(1), "abc"), op_status::ok);
}

// Its first look at the socket finds nothing, when there is no latest reply to go by either.
TEST(wire_sync, spins_for_a_first_reply_that_is_yet_to_come) {
  scripted_peer peer(greeting([](peer_connection& at) {
    at.read_commands(1);
    at.write_byte_by_byte(bulk("abc"));
  }));
  connect_options options = options_for(peer);
  options.spin = true;
  sync_client client(options);
  std::string_view value = "untouched";
  EXPECT_EQ(client.get(key_of(1), value), op_status::ok);
  EXPECT_EQ(value, "abc");
}

TEST(wire_sync, sends_what_was_asked_for) {
  scripted_peer peer(greeting([](peer_connection& at) {
    EXPECT_THAT(at.next_command(), ElementsAre("GET", "dbdyno:7"));
    at.write(nil);
    EXPECT_THAT(at.next_command(), ElementsAre("SET", "dbdyno:2147483647", "v\r\n"));
    at.write(ok);
    EXPECT_THAT(at.next_command(), ElementsAre("SET", "dbdyno:1", ""));
    at.write(ok);
  }));
  sync_client client(options_for(peer));
  std::string_view value;
  EXPECT_EQ(client.get(key_of(7), value), op_status::not_found);
  EXPECT_EQ(client.set(key_of(key::max_id), "v\r\n"), op_status::ok);
  EXPECT_EQ(client.set(key_of(1), {}), op_status::ok);
}

TEST(wire_sync, grows_for_a_reply_larger_than_its_buffer) {
  const std::string large(1'000'000, 'v');
  scripted_peer peer(greeting([&](peer_connection& at) {
    for (const std::string& reply : {bulk(large), bulk("small")}) {
      at.read_commands(1);
      at.write(reply);
    }
  }));
  sync_client client(options_for(peer));
  std::string_view value;
  EXPECT_EQ(client.get(key_of(1), value), op_status::ok);
  EXPECT_TRUE(value == large);
  EXPECT_EQ(client.get(key_of(1), value), op_status::ok);
  EXPECT_EQ(value, "small");
}

TEST(wire_sync, goes_on_after_a_refusal_and_a_value_too_large) {
  scripted_peer peer(greeting([](peer_connection& at) {
    at.read_commands(1);
    at.write("-OOM command not allowed\r\n");
    EXPECT_THAT(at.next_command(), ElementsAre("SET", "dbdyno:2", "fits"));
    at.write(ok);
  }));
  sync_client client(options_for(peer));
  EXPECT_EQ(client.last_error(), "");
  EXPECT_EQ(client.set(key_of(1), "v"), op_status::refused);
  EXPECT_EQ(client.last_error(), "OOM command not allowed");
  EXPECT_EQ(client.set(key_of(1), std::string(1025, 'v')), op_status::too_large);
  EXPECT_EQ(client.set(key_of(2), "fits"), op_status::ok);
}

TEST(wire_sync, says_that_the_server_closed_and_sends_no_more) {
  scripted_peer peer(greeting([](peer_connection& at) {
    at.read_commands(1);
    at.write("$3\r\na");
  }));
  sync_client client(options_for(peer));
  std::string_view value = "untouched";
  EXPECT_EQ(client.get(key_of(1), value), op_status::disconnected);
  EXPECT_EQ(client.last_error(), "the server closed the connection");
  EXPECT_EQ(client.get(key_of(1), value), op_status::unsent);
  EXPECT_EQ(client.set(key_of(1), "v"), op_status::unsent);
  EXPECT_EQ(value, "untouched");
}

TEST(wire_sync, joins_the_end_of_a_connection_to_the_servers_last_words) {
  scripted_peer peer(greeting([](peer_connection& at) {
    at.read_commands(1);
    at.write("-ERR going down\r\n");
    at.read_commands(1);
  }));
  sync_client client(options_for(peer));
  std::string_view value;
  EXPECT_EQ(client.get(key_of(1), value), op_status::refused);
  EXPECT_EQ(client.get(key_of(1), value), op_status::disconnected);
  EXPECT_EQ(client.last_error(), "the server closed the connection: ERR going down");
}

TEST(wire_sync, trusts_no_broken_stream) {
  scripted_peer peer(greeting([](peer_connection& at) {
    at.read_commands(1);
    at.write("garbage\r\n");
    at.read_until_closed();
  }));
  sync_client client(options_for(peer));
  std::string_view value;
  EXPECT_EQ(client.get(key_of(1), value), op_status::protocol);
  EXPECT_EQ(client.last_error(), "a reply of no known type");
  EXPECT_EQ(client.get(key_of(1), value), op_status::unsent);
}

TEST(wire_sync, keeps_a_reply_with_more_behind_it_but_sends_no_more) {
  scripted_peer peer(greeting([](peer_connection& at) {
    at.read_commands(1);
    at.write("$3\r\nabc\r\nXY");
    at.read_until_closed();
  }));
  sync_client client(options_for(peer));
  std::string_view value;
  EXPECT_EQ(client.get(key_of(1), value), op_status::ok);
  EXPECT_EQ(value, "abc");
  EXPECT_EQ(client.get(key_of(1), value), op_status::unsent);
  EXPECT_EQ(client.last_error(), "2 bytes came that nothing asked for");
}

TEST(wire_sync, is_interrupted_from_another_thread) {
  std::latch asked(1);
  scripted_peer peer(greeting([&](peer_connection& at) {
    at.read_commands(1);
    asked.count_down();
    at.read_until_closed();
  }));
  sync_client client(options_for(peer));
  std::thread interrupter([&] {
    asked.wait();
    client.interrupt();
  });
  std::string_view value;
  EXPECT_EQ(client.get(key_of(1), value), op_status::disconnected);
  interrupter.join();
  EXPECT_EQ(client.get(key_of(1), value), op_status::unsent);
}

TEST(wire_sync, does_not_block_once_interrupted) {
  scripted_peer peer(greeting([](peer_connection& at) { at.read_until_closed(); }));
  sync_client client(options_for(peer));
  client.interrupt();
  std::string_view value;
  EXPECT_EQ(client.get(key_of(1), value), op_status::unsent);
}

}  // namespace
}  // namespace dbdyno
