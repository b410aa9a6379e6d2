// An async client some of whose connections are lost, and made anew.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <latch>
#include <memory>
#include <string>
#include <vector>

#include "drivers/errors.hpp"
#include "drivers/redis/wire/codec.hpp"
#include "drivers/wire/async.hpp"
#include "drivers/wire/redis_peer.hpp"

namespace dbdyno {
namespace {

using testing::ElementsAre;

using async_client = wire_async<redis_codec>;

TEST(wire_async, goes_on_with_the_other_connections_when_one_is_lost) {
  scripted_peer peer(greeting([](peer_connection& at) {
    for (auto command = at.next_command(); !command.empty(); command = at.next_command()) {
      if (command[1] == "dbdyno:13") return;
      at.write(answer_to(command));
    }
  }));
  async_client client(options_for(peer, 1, 3));
  client.submit_get(0, key_of(1));
  client.submit_get(1, key_of(13));
  client.submit_get(2, key_of(2));
  for (const completion& c : complete(client, 3)) {
    EXPECT_EQ(c.status, c.which == 1 ? op_status::disconnected : op_status::ok) << c.which;
  }
  EXPECT_EQ(client.last_error(), "the server closed the connection");
  for (int round = 0; round < 3; ++round) {
    for (slot s = 0; s < 3; ++s) client.submit_get(s, key_of(1));
    for (const completion& c : complete(client, 3)) {
      EXPECT_EQ(c.status, c.which == 1 ? op_status::unsent : op_status::ok) << c.which;
    }
  }
}

TEST(wire_async, notices_that_an_idle_connection_was_closed) {
  scripted_peer peer(greeting([](peer_connection& at) {
    for (auto command = at.next_command(); !command.empty(); command = at.next_command()) {
      at.write(answer_to(command));
      if (command[1] == "dbdyno:13") return;
    }
  }));
  async_client client(options_for(peer, 1, 2));
  client.submit_get(0, key_of(13));
  EXPECT_THAT(statuses_of(complete(client, 1)), ElementsAre(op_status::ok));
  // Closed with nothing in flight on it: only polling for the other connection can show it, sooner or later.
  while (client.last_error().empty()) {
    client.submit_get(1, key_of(1));
    ASSERT_THAT(statuses_of(complete(client, 1)), ElementsAre(op_status::ok));
  }
  client.submit_get(0, key_of(1));
  EXPECT_THAT(statuses_of(complete(client, 1)), ElementsAre(op_status::unsent));
}

/// The first connection answers late what it is asked; those that follow answer at once.
class late_peer {
 public:
  late_peer() : peer_(greeting([this](peer_connection& at) { play(at); })) {}

  const scripted_peer& peer() const { return peer_; }
  void wait_for_front() const { begun_.wait(); }
  /// Lets the rest of the late reply go, and returns once it is with the kernel.
  void answer() {
    answer_.count_down();
    answered_.wait();
  }

 private:
  void play(peer_connection& at) {
    if (connections_.fetch_add(1) != 0) return answer_everything(at);
    at.read_commands(1);
    at.write("$8\r\nla");
    begun_.count_down();
    answer_.wait();
    at.write("te late\r\n" + bulk("too late"));
    answered_.count_down();
    at.read_until_closed();
  }

  std::atomic<int> connections_{0};
  std::latch begun_{1};
  std::latch answer_{1};
  std::latch answered_{1};
  scripted_peer peer_;
};

void expect_answers(async_client& client, slot s) {
  for (std::uint32_t id = 1; id <= 100; ++id) {
    client.submit_get(s, key_of(id));
    const auto done = complete(client, 1);
    ASSERT_EQ(slots_of(done), std::vector<slot>{s});
    ASSERT_EQ(done[0].status, op_status::ok);
    ASSERT_EQ(done[0].value, value_of(id));
  }
}

/// Asks once, takes the front of the reply, and gives up.
void be_left_waiting(async_client& client, const late_peer& late) {
  client.submit_get(0, key_of(13));
  EXPECT_EQ(client.poll(time_point::min(), [](slot, op_status, std::string_view) {}), 0U);
  late.wait_for_front();
  EXPECT_EQ(client.poll(time_point::min(), [](slot, op_status, std::string_view) {}), 0U);
  client.give_up(0);
}

TEST(wire_async, keeps_a_reply_that_comes_before_the_reopening_from_the_new_connection) {
  late_peer late;
  async_client client(options_for(late.peer()));
  be_left_waiting(client, late);
  EXPECT_THAT(statuses_of(complete(client, 1)), ElementsAre(op_status::disconnected));
  late.answer();
  client.reopen(0, std::chrono::seconds(10));
  expect_answers(client, 0);
}

TEST(wire_async, keeps_a_reply_that_comes_after_the_reopening_from_the_new_connection) {
  late_peer late;
  async_client client(options_for(late.peer()));
  be_left_waiting(client, late);
  EXPECT_THAT(statuses_of(complete(client, 1)), ElementsAre(op_status::disconnected));
  client.reopen(0, std::chrono::seconds(10));
  client.submit_get(0, key_of(1));
  late.answer();
  EXPECT_EQ(complete(client, 1)[0].value, value_of(1));
  expect_answers(client, 0);
  EXPECT_EQ(client.last_error(), given_up_text) << "the latest failure, though its connection is gone";
}

TEST(wire_async, reopens_one_connection_again_and_again_while_others_are_busy) {
  constexpr std::uint32_t window = 16;
  scripted_peer peer(greeting(answer_everything));
  async_client client(options_for(peer, window, 3));
  for (int round = 0; round < 100; ++round) {
    const auto lost = static_cast<std::uint32_t>(round % 3);
    for (slot s = 0; s < 3 * window; ++s) client.submit_get(s, key_of(s + 1));
    client.give_up(lost);
    std::vector<completion> done;
    std::uint32_t ended = 0;
    // Reopens with requests in flight on the others, if they are not as fast as the loss.
    while (ended < window) {
      client.poll(whenever, [&](slot s, op_status status, std::string_view value) {
        if (s / window == lost) ++ended;
        done.push_back({s, status, std::string(value)});
      });
    }
    client.reopen(lost, std::chrono::seconds(10));
    const auto rest = complete(client, 3 * window - done.size());
    done.insert(done.end(), rest.begin(), rest.end());
    ASSERT_EQ(done.size(), 3 * window);
    for (const completion& c : done) {
      ASSERT_EQ(c.status, c.which / window == lost ? op_status::unsent : op_status::ok) << c.which;
      ASSERT_EQ(c.value, c.status == op_status::ok ? value_of(c.which + 1) : "");
    }
    EXPECT_EQ(client.poll(whenever, [](slot, op_status, std::string_view) {}), 0U)
        << "nothing counts as busy";
    ASSERT_EQ(client.sockets().size(), 3U);
  }
}

TEST(wire_async, stays_lost_when_it_cannot_reopen) {
  auto peer = std::make_unique<scripted_peer>(greeting(answer_everything));
  async_client client(options_for(*peer, 2));
  expect_answers(client, 1);
  peer.reset();
  client.submit_get(1, key_of(1));
  EXPECT_TRUE(ends_connection(complete(client, 1)[0].status));
  for (int i = 0; i < 3; ++i) {
    EXPECT_THROW(client.reopen(0, std::chrono::seconds(1)), setup_error);
    client.submit_get(0, key_of(1));
    EXPECT_THAT(statuses_of(complete(client, 1)), ElementsAre(op_status::unsent));
    EXPECT_NE(client.last_error(), "");
    EXPECT_THAT(client.sockets(), testing::IsEmpty());
  }
}

}  // namespace
}  // namespace dbdyno
