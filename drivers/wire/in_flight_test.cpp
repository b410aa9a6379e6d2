#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <atomic>
#include <latch>
#include <memory>
#include <string>
#include <thread>
#include <type_traits>
#include <vector>

#include "drivers/errors.hpp"
#include "drivers/redis/wire/codec.hpp"
#include "drivers/wire/async.hpp"
#include "drivers/wire/pipeline.hpp"
#include "drivers/wire/redis_peer.hpp"
#include "drivers/wire/sync.hpp"

namespace dbdyno {
namespace {

using testing::Each;
using testing::ElementsAre;

using sync_client = wire_sync<redis_codec>;
using pipeline_client = wire_pipeline<redis_codec>;
using async_client = wire_async<redis_codec>;

template <class Client>
class in_flight : public testing::Test {};
using in_flight_clients = testing::Types<pipeline_client, async_client>;
struct client_names {
  template <class Client>
  static std::string GetName(int) {
    return std::is_same_v<Client, pipeline_client> ? "pipeline" : "async";
  }
};
TYPED_TEST_SUITE(in_flight, in_flight_clients, client_names);

TYPED_TEST(in_flight, polls_nothing_at_once_when_nothing_is_in_flight) {
  scripted_peer peer(greeting([](peer_connection& at) { at.read_until_closed(); }));
  TypeParam client(options_for(peer, 4));
  EXPECT_EQ(client.poll(whenever, [](slot, op_status, std::string_view) {}), 0U);
}

TYPED_TEST(in_flight, takes_replies_that_come_byte_by_byte) {
  scripted_peer peer(greeting([](peer_connection& at) {
    at.read_commands(5);
    at.write_byte_by_byte(bulk("abc") + std::string(nil) + std::string(ok) + bulk("") + "-ERR no\r\n");
    at.read_until_closed();
  }));
  TypeParam client(options_for(peer, 5));
  client.submit_get(4, key_of(1));
  client.submit_get(3, key_of(2));
  client.submit_set(2, key_of(3), "v");
  client.submit_get(1, key_of(4));
  client.submit_get(0, key_of(5));
  const auto done = complete(client, 5);
  EXPECT_THAT(slots_of(done), ElementsAre(4, 3, 2, 1, 0));
  EXPECT_THAT(statuses_of(done), ElementsAre(op_status::ok, op_status::not_found, op_status::ok,
                                             op_status::ok, op_status::refused));
  EXPECT_EQ(done[0].value, "abc");
  for (const std::size_t i : {1, 2, 3}) EXPECT_EQ(done[i].value, "");
  EXPECT_EQ(done[4].value, "ERR no") << "what the server said";
  EXPECT_EQ(client.last_error(), "ERR no");
}

TYPED_TEST(in_flight, completes_a_thousand_in_order) {
  scripted_peer peer(greeting(answer_everything));
  TypeParam client(options_for(peer, 1000));
  for (int round = 0; round < 3; ++round) {
    for (slot s = 0; s < 1000; ++s) ASSERT_EQ(client.submit_get(s, key_of(s + 1)), submitted::queued);
    const auto done = complete(client, 1000);
    ASSERT_EQ(done.size(), 1000U);
    for (slot s = 0; s < 1000; ++s) {
      ASSERT_EQ(done[s].which, s);
      ASSERT_EQ(done[s].status, op_status::ok);
      ASSERT_EQ(done[s].value, value_of(s + 1));
    }
  }
}

TYPED_TEST(in_flight, refills_its_window_as_requests_complete) {
  constexpr slot window = 7;
  constexpr std::uint32_t requests = 5000;
  scripted_peer peer(greeting(answer_everything));
  TypeParam client(options_for(peer, window));
  std::vector<std::uint32_t> key_in(window);
  std::uint32_t next = 1;
  std::uint32_t expected = 1;
  const std::string value(1024, 'v');
  const auto submit = [&](slot s) {
    key_in[s] = next;
    // Requests of different sizes, so that they meet the end of the buffer everywhere.
    if (next % 3 == 0) {
      client.submit_set(s, key_of(next), std::string_view(value).substr(next % 1024));
    } else {
      client.submit_get(s, key_of(next));
    }
    ++next;
  };
  for (slot s = 0; s < window; ++s) submit(s);
  while (expected <= requests) {
    std::vector<slot> idle;
    const unsigned done = client.poll(whenever, [&](slot s, op_status status, std::string_view got) {
      EXPECT_EQ(status, op_status::ok);
      EXPECT_EQ(key_in[s], expected);
      EXPECT_EQ(got, expected % 3 == 0 ? "" : value_of(expected));
      ++expected;
      idle.push_back(s);
    });
    ASSERT_GT(done, 0U);
    ASSERT_FALSE(this->HasFailure());
    for (const slot s : idle) submit(s);
  }
}

TYPED_TEST(in_flight, tells_answered_from_unanswered_when_the_server_closes) {
  scripted_peer peer(greeting([](peer_connection& at) {
    at.read_commands(5);
    at.write(bulk("a") + std::string(nil) + "$5\r\nab");
  }));
  TypeParam client(options_for(peer, 6));
  for (slot s = 0; s < 5; ++s) client.submit_get(s, key_of(s + 1));
  const auto done = complete(client, 5);
  EXPECT_THAT(slots_of(done), ElementsAre(0, 1, 2, 3, 4));
  EXPECT_THAT(statuses_of(done), ElementsAre(op_status::ok, op_status::not_found, op_status::disconnected,
                                             op_status::disconnected, op_status::disconnected));
  EXPECT_EQ(client.last_error(), "the server closed the connection");

  EXPECT_EQ(client.submit_get(5, key_of(1)), submitted::queued);
  EXPECT_EQ(client.submit_set(0, key_of(1), "v"), submitted::queued);
  const auto late = complete(client, 2);
  EXPECT_THAT(slots_of(late), ElementsAre(5, 0));
  EXPECT_THAT(statuses_of(late), Each(op_status::unsent));
  EXPECT_EQ(client.poll(whenever, [](slot, op_status, std::string_view) {}), 0U);
}

TYPED_TEST(in_flight, counts_replies_that_came_before_a_failed_send) {
  std::latch polled(1);
  std::latch answered(1);
  auto peer = std::make_unique<scripted_peer>(greeting([&](peer_connection& at) {
    at.read_commands(3);
    at.write(ok);
    polled.wait();
    at.write(ok);
    at.write(ok);
    at.reset_at_end();
    answered.count_down();
  }));
  TypeParam client(options_for(*peer, 4));
  for (slot s = 0; s < 3; ++s) client.submit_set(s, key_of(s + 1), "v");
  auto done = complete(client, 1);
  polled.count_down();
  answered.wait();
  // Joins the script's thread, so the reset is on its way.
  peer.reset();
  client.submit_set(3, key_of(4), "v");
  const auto rest = complete(client, 3);
  done.insert(done.end(), rest.begin(), rest.end());
  EXPECT_THAT(slots_of(done), ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(statuses_of(done), ElementsAre(op_status::ok, op_status::ok, op_status::ok,
                                             testing::AnyOf(op_status::unsent, op_status::disconnected)));
}

TYPED_TEST(in_flight, tells_written_from_unwritten_when_the_server_never_reads) {
  constexpr slot window = 16384;
  scripted_peer peer(greeting([](peer_connection& at) {
                       at.read_commands(1);
                       at.write(ok);
                       at.reset_at_end();
                     }),
                     scripted_peer::buffers::small);
  TypeParam client(options_for(peer, window));
  const std::string value(1024, 'v');
  for (slot s = 0; s < window; ++s) client.submit_set(s, key_of(1), value);
  const auto done = complete(client, window);
  ASSERT_EQ(done.size(), window);
  for (slot s = 0; s < window; ++s) ASSERT_EQ(done[s].which, s);
  EXPECT_EQ(done.front().status, op_status::ok);
  EXPECT_EQ(done[1].status, op_status::disconnected);
  EXPECT_EQ(done.back().status, op_status::unsent);
  const auto order = statuses_of(done);
  EXPECT_TRUE(std::is_partitioned(order.begin() + 1, order.end(),
                                  [](op_status status) { return status == op_status::disconnected; }));
}

TYPED_TEST(in_flight, does_not_lock_up_with_a_server_that_writes_before_it_reads) {
  // 16 MB of requests and as much of replies, through sockets that hold neither.
  constexpr slot window = 16384;
  scripted_peer peer(greeting([](peer_connection& at) {
                       const std::string reply = "-ERR " + std::string(1000, 'e') + "\r\n";
                       while (!at.next_command().empty()) at.write(reply);
                     }),
                     scripted_peer::buffers::small);
  TypeParam client(options_for(peer, window));
  const std::string value(1024, 'v');
  // With a limit the pipeline waits in another way.
  for (const time_point limit : {whenever, std::chrono::steady_clock::now() + std::chrono::minutes(5)}) {
    for (slot s = 0; s < window; ++s) client.submit_set(s, key_of(1), value);
    const auto done = complete(client, window, limit);
    ASSERT_EQ(done.size(), window);
    for (slot s = 0; s < window; ++s) ASSERT_EQ(done[s].which, s);
    EXPECT_THAT(statuses_of(done), Each(op_status::refused));
  }
}

TYPED_TEST(in_flight, trusts_no_server_that_answers_what_was_not_written) {
  constexpr slot window = 16384;
  scripted_peer peer(greeting([](peer_connection& at) {
                       at.read_commands(1);
                       for (slot s = 0; s < window; ++s) at.write(ok);
                       at.read_until_closed();
                     }),
                     scripted_peer::buffers::small);
  std::vector<op_status> order;
  {
    TypeParam client(options_for(peer, window));
    const std::string value(1024, 'v');
    for (slot s = 0; s < window; ++s) client.submit_set(s, key_of(1), value);
    // Keeps the window full: with room for `window` requests only, this would write past its end.
    while (order.size() < 3 * window && (order.empty() || order.back() == op_status::ok)) {
      std::vector<slot> idle;
      ASSERT_GT(client.poll(whenever,
                            [&](slot s, op_status status, std::string_view) {
                              order.push_back(status);
                              idle.push_back(s);
                            }),
                0U);
      for (const slot s : idle) client.submit_set(s, key_of(1), value);
    }
    EXPECT_EQ(client.last_error(), "a reply came before its request was written");
  }
  EXPECT_EQ(order.front(), op_status::ok);
  EXPECT_EQ(order.back(), op_status::unsent);
}

TYPED_TEST(in_flight, trusts_no_broken_stream) {
  scripted_peer peer(greeting([](peer_connection& at) {
    at.read_commands(5);
    at.write(bulk("a") + bulk("b") + "garbage\r\n" + bulk("d") + bulk("e"));
    at.read_until_closed();
  }));
  TypeParam client(options_for(peer, 6));
  for (slot s = 0; s < 5; ++s) client.submit_get(s, key_of(s + 1));
  const auto done = complete(client, 5);
  EXPECT_THAT(slots_of(done), ElementsAre(0, 1, 2, 3, 4));
  EXPECT_THAT(statuses_of(done), ElementsAre(op_status::ok, op_status::ok, op_status::protocol,
                                             op_status::disconnected, op_status::disconnected));
  EXPECT_EQ(client.last_error(), "a reply of no known type");
  client.submit_get(5, key_of(1));
  EXPECT_THAT(statuses_of(complete(client, 1)), ElementsAre(op_status::unsent));
}

TYPED_TEST(in_flight, goes_on_in_order_after_a_value_too_large) {
  scripted_peer peer(greeting([](peer_connection& at) {
    EXPECT_THAT(at.next_command(), ElementsAre("SET", "dbdyno:1", "fits"));
    EXPECT_THAT(at.next_command(), ElementsAre("SET", "dbdyno:3", "fits, too"));
    at.write(std::string(ok) + std::string(ok));
    at.read_until_closed();
  }));
  TypeParam client(options_for(peer, 3));
  client.submit_set(0, key_of(1), "fits");
  client.submit_set(1, key_of(2), std::string(1025, 'v'));
  client.submit_set(2, key_of(3), "fits, too");
  const auto done = complete(client, 3);
  // What is not sent may overtake replies; the replies keep their order.
  EXPECT_THAT(slots_of(done), ElementsAre(1, 0, 2));
  EXPECT_THAT(statuses_of(done), ElementsAre(op_status::too_large, op_status::ok, op_status::ok));
}

TYPED_TEST(in_flight, writes_what_is_queued_even_when_something_completes_at_once) {
  std::latch seen(1);
  scripted_peer peer(greeting([&](peer_connection& at) {
    at.read_commands(1);
    seen.count_down();
    at.read_until_closed();
  }));
  TypeParam client(options_for(peer, 2));
  client.submit_set(0, key_of(1), "fits");
  client.submit_set(1, key_of(2), std::string(1025, 'v'));
  EXPECT_THAT(slots_of(complete(client, 1)), ElementsAre(1));
  seen.wait();
}

TYPED_TEST(in_flight, is_interrupted_from_another_thread) {
  std::latch asked(1);
  scripted_peer peer(greeting([&](peer_connection& at) {
    at.read_commands(2);
    asked.count_down();
    at.read_until_closed();
  }));
  TypeParam client(options_for(peer, 2));
  std::thread interrupter([&] {
    asked.wait();
    client.interrupt();
  });
  client.submit_get(0, key_of(1));
  client.submit_get(1, key_of(2));
  unsigned polls = 0;
  std::vector<op_status> statuses;
  // One poll may return for the wake-up alone, before it looks at the sockets.
  while (statuses.empty() && polls < 10) {
    client.poll(whenever, [&](slot, op_status status, std::string_view) { statuses.push_back(status); });
    ++polls;
  }
  interrupter.join();
  EXPECT_THAT(statuses, ElementsAre(op_status::disconnected, op_status::disconnected));
}

TYPED_TEST(in_flight, does_not_block_once_interrupted) {
  scripted_peer peer(greeting([](peer_connection& at) { at.read_until_closed(); }));
  TypeParam client(options_for(peer, 2));
  client.interrupt();
  client.submit_get(0, key_of(1));
  EXPECT_THAT(statuses_of(complete(client, 1)), ElementsAre(op_status::unsent));
}

TYPED_TEST(in_flight, completes_what_is_in_flight_on_a_connection_given_up) {
  std::latch asked(1);
  scripted_peer peer(greeting([&](peer_connection& at) {
    at.read_commands(3);
    at.write(bulk("a") + "$5\r\nab");
    asked.count_down();
    at.read_until_closed();
  }));
  TypeParam client(options_for(peer, 4));
  for (slot s = 0; s < 3; ++s) client.submit_get(s, key_of(s + 1));
  EXPECT_THAT(statuses_of(complete(client, 1)), ElementsAre(op_status::ok));
  asked.wait();
  client.submit_get(3, key_of(4));
  client.give_up(0);
  const auto done = complete(client, 3);
  EXPECT_THAT(slots_of(done), ElementsAre(1, 2, 3));
  EXPECT_THAT(statuses_of(done),
              ElementsAre(op_status::disconnected, op_status::disconnected, op_status::unsent));
  EXPECT_EQ(client.last_error(), given_up_text);
  client.submit_get(0, key_of(1));
  EXPECT_THAT(statuses_of(complete(client, 1)), ElementsAre(op_status::unsent));
}

TYPED_TEST(in_flight, shows_its_sockets_until_they_are_lost) {
  scripted_peer peer(greeting([](peer_connection& at) { at.read_until_closed(); }));
  TypeParam client(options_for(peer));
  ASSERT_EQ(client.sockets().size(), 1U);
  sockaddr_in there{};
  socklen_t size = sizeof there;
  EXPECT_EQ(::getpeername(client.sockets()[0], reinterpret_cast<sockaddr*>(&there), &size), 0);
  EXPECT_EQ(ntohs(there.sin_port), peer.where().port);
  client.submit_get(0, key_of(1));
  client.give_up(0);
  EXPECT_THAT(statuses_of(complete(client, 1)), ElementsAre(op_status::unsent));
  EXPECT_THAT(client.sockets(), testing::IsEmpty());
}

TEST(wire_async, completes_a_thousand_in_order_over_seven_connections) {
  constexpr std::uint32_t connections = 7;
  constexpr std::uint32_t window = 143;
  scripted_peer peer(greeting(answer_everything));
  async_client client(options_for(peer, window, connections));
  for (int round = 0; round < 3; ++round) {
    for (slot s = 0; s < connections * window; ++s) client.submit_get(s, key_of(s + 1));
    std::vector<slot> next(connections);
    for (slot c = 0; c < connections; ++c) next[c] = c * window;
    const auto done = complete(client, std::size_t{connections} * window);
    ASSERT_EQ(done.size(), std::size_t{connections} * window);
    for (const completion& c : done) {
      ASSERT_EQ(c.which, next[c.which / window]++);
      ASSERT_EQ(c.status, op_status::ok);
      ASSERT_EQ(c.value, value_of(c.which + 1));
    }
  }
}

TYPED_TEST(in_flight, returns_at_wait_until) {
  std::latch waited(1);
  scripted_peer peer(greeting([&](peer_connection& at) {
    at.read_commands(1);
    waited.wait();
    at.write(nil);
    at.read_until_closed();
  }));
  TypeParam client(options_for(peer));
  client.submit_get(0, key_of(1));
  const auto nothing_completes = [](slot, op_status, std::string_view) { ADD_FAILURE() << "completed"; };
  EXPECT_EQ(client.poll(time_point::min(), nothing_completes), 0U) << "long past";
  const auto soon = std::chrono::steady_clock::now() + std::chrono::milliseconds(20);
  EXPECT_EQ(client.poll(soon, nothing_completes), 0U);
  EXPECT_GE(std::chrono::steady_clock::now(), soon);
  EXPECT_EQ(client.poll(soon, nothing_completes), 0U) << "the same again, now past";
  waited.count_down();
  EXPECT_THAT(statuses_of(complete(client, 1)), ElementsAre(op_status::not_found));
}

}  // namespace
}  // namespace dbdyno
