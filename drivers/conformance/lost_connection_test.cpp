// What every driver must do when one of its connections is given up, lost and replaced, against real servers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "drivers/conformance/servers.hpp"
#include "drivers/conformance/subject.hpp"
#include "drivers/conformance/subjects.hpp"
#include "drivers/conformance/suite.hpp"
#include "drivers/errors.hpp"
#include "drivers/socket_wait.hpp"

namespace dbdyno::conformance {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using std::chrono::steady_clock;
using ::testing::AnyOf;
using ::testing::Each;
using ::testing::Eq;

/// Thaws it whatever becomes of the test: others share the server.
class frozen_server {
 public:
  explicit frozen_server(loaded_storage& server) : server_(server) { server_.freeze(); }
  frozen_server(const frozen_server&) = delete;
  frozen_server& operator=(const frozen_server&) = delete;
  ~frozen_server() { server_.thaw(); }

 private:
  loaded_storage& server_;
};

/// A driver with several connections, of which some are asked without pause, each slot for another key every
/// time.
template <class Subject>
class lost_connection : public in_flight_subject<Subject> {
 protected:
  static constexpr std::uint32_t connections = Subject::how == mode::async ? 3 : 1;
  static constexpr std::uint32_t window = std::min<std::uint32_t>(16, Subject::driver::max_window);
  static constexpr slot slots = connections * window;

  static connect_options depth_16() {
    connect_options options = in_flight_subject<Subject>::options();
    options.connections = connections;
    options.window = window;
    return options;
  }

  auto& driver() { return connected_.driver(); }
  static std::uint32_t connection_of(slot s) { return s / window; }

  void submit(slot s) {
    ASSERT_FALSE(in_flight_[s]);
    in_flight_[s] = true;
    asked_[s] = loaded_storage::data().make_key(2 + next_key_++ % 1000);
    ASSERT_EQ(driver().submit_get(s, asked_[s]), submitted::queued);
  }
  void submit_connection(std::uint32_t connection) {
    for (slot s = connection * window; s < (connection + 1) * window; ++s) submit(s);
  }

  /// Polls once. Whatever completes was in flight, and is the value of its own key, or else of a connection
  /// that `lost_` names.
  std::vector<slot> poll_once(time_point wait_until) {
    std::vector<slot> done;
    driver().poll(wait_until, [&](slot s, op_status status, std::string_view value) {
      EXPECT_TRUE(in_flight_[s]) << "completed twice";
      in_flight_[s] = false;
      done.push_back(s);
      if (status == op_status::ok) {
        EXPECT_TRUE(loaded_storage::data().matches(asked_[s], value)) << "the value of another key";
        return;
      }
      EXPECT_EQ(connection_of(s), lost_) << "another connection than the one given up: " << to_string(status);
      EXPECT_THAT(status, AnyOf(op_status::disconnected, op_status::unsent));
      ++failed_;
    });
    return done;
  }

  /// Polls until none of the connection's requests is in flight.
  void drain(std::uint32_t connection) {
    const auto limit = steady_clock::now() + seconds(20);
    while (in_flight_on(connection) != 0) {
      poll_once(limit);
      ASSERT_LT(steady_clock::now(), limit);
    }
  }
  std::size_t in_flight_on(std::uint32_t connection) const {
    std::size_t sum = 0;
    for (slot s = connection * window; s < (connection + 1) * window; ++s) sum += in_flight_[s];
    return sum;
  }

  /// Keeps every connection but the lost one busy for so many completions.
  void ask(std::size_t completions) {
    const auto limit = steady_clock::now() + seconds(20);
    for (slot s = 0; s < slots; ++s) {
      if (connection_of(s) != lost_ && !in_flight_[s]) submit(s);
    }
    while (completions != 0) {
      ASSERT_LT(steady_clock::now(), limit);
      for (const slot s : poll_once(limit)) {
        if (completions != 0) --completions;
        if (connection_of(s) != lost_) submit(s);
      }
    }
  }
  void drain_all() {
    for (std::uint32_t c = 0; c < connections; ++c) drain(c);
  }

  /// The connection ends up lost, with nothing in flight anywhere.
  void lose(std::uint32_t connection) {
    const frozen_server frozen(this->server());
    submit_connection(connection);
    EXPECT_TRUE(poll_once(steady_clock::now() + milliseconds(5)).empty());
    give_up(connection);
    drain(connection);
  }
  void give_up(std::uint32_t connection) {
    lost_ = connection;
    driver().give_up(connection);
  }
  void reopen(milliseconds limit) {
    driver().reopen(lost_, limit);
    lost_ = none;
  }

  static constexpr auto none = static_cast<std::uint32_t>(-1);
  client<Subject> connected_{depth_16()};
  std::vector<char> in_flight_ = std::vector<char>(slots);
  std::vector<key> asked_ = std::vector<key>(slots);
  std::uint32_t next_key_ = 0;
  std::uint32_t lost_ = none;
  std::size_t failed_ = 0;
};
TYPED_TEST_SUITE(lost_connection, in_flight_subjects, subject_names);

TYPED_TEST(lost_connection, completes_what_is_in_flight_once_while_the_others_go_on) {
  constexpr std::uint32_t last = TestFixture::connections - 1;
  this->ask(500);
  this->drain_all();
  {
    const frozen_server frozen(this->server());
    for (std::uint32_t c = 0; c <= last; ++c) this->submit_connection(c);
    EXPECT_TRUE(this->poll_once(steady_clock::now() + milliseconds(20)).empty());
    this->give_up(last);
    this->drain(last);
    EXPECT_EQ(this->failed_, TestFixture::window);
    EXPECT_EQ(this->driver().last_error(), given_up_text);
    for (std::uint32_t c = 0; c < last; ++c) EXPECT_EQ(this->in_flight_on(c), TestFixture::window);
  }
  EXPECT_EQ(this->driver().sockets().size(), last);
  if (last != 0) this->ask(500);
  this->drain_all();
  EXPECT_EQ(this->failed_, TestFixture::window) << "the others lost nothing";

  this->submit_connection(last);
  this->drain(last);
  EXPECT_EQ(this->failed_, 2 * TestFixture::window) << "it stays lost";
  EXPECT_EQ(this->driver().poll(time_point::max(), [](slot, op_status, std::string_view) {}), 0U);
}

TYPED_TEST(lost_connection, returns_at_wait_until_from_a_silent_server) {
  const frozen_server frozen(this->server());
  this->submit_connection(0);
  const auto limit = steady_clock::now() + milliseconds(30);
  EXPECT_TRUE(this->poll_once(limit).empty());
  EXPECT_GE(steady_clock::now(), limit);
  EXPECT_LT(steady_clock::now(), limit + seconds(10));
}

template <class Subject>
class reopened_connection : public lost_connection<Subject> {};
TYPED_TEST_SUITE(reopened_connection, async_subjects, subject_names);

TYPED_TEST(reopened_connection, works_as_new) {
  static_assert(reopens_connections<typename TypeParam::driver>);
  for (std::uint32_t c = 0; c < TestFixture::connections; ++c) {
    this->lose(c);
    this->reopen(seconds(10));
    EXPECT_EQ(this->driver().sockets().size(), TestFixture::connections);
    EXPECT_EQ(this->driver().last_error(), given_up_text) << "the latest failure is still told";
    this->ask(1000);
    this->drain_all();
  }
  EXPECT_EQ(this->failed_, TestFixture::slots);
}

template <class Subject>
class reopened_storing_connection : public lost_connection<Subject> {};
TYPED_TEST_SUITE(reopened_storing_connection, storing_async_subjects, subject_names);

TYPED_TEST(reopened_storing_connection, sets_what_can_be_got_again) {
  for (std::uint32_t c = 0; c < TestFixture::connections; ++c) {
    this->lose(c);
    this->reopen(seconds(10));
    const std::string value = fresh_value();
    const slot s = c * TestFixture::window;
    ASSERT_EQ(this->driver().submit_set(s, this->one(), value), submitted::queued);
    EXPECT_EQ(this->finish(this->driver(), 1).at(0).status, op_status::ok);
    ASSERT_EQ(this->driver().submit_get(s, this->one()), submitted::queued);
    EXPECT_EQ(this->finish(this->driver(), 1).at(0).value, value);
  }
}

TYPED_TEST(reopened_connection, can_be_given_up_in_the_middle_of_traffic_again_and_again) {
  for (std::uint32_t round = 0; round < 15; ++round) {
    this->ask(17 * round + 3);
    const std::uint32_t lost = round % TestFixture::connections;
    this->give_up(lost);
    const std::size_t failed_before = this->failed_;
    // Replies that had arrived still count: it is lost with the first that had not.
    const auto limit = steady_clock::now() + seconds(20);
    while (this->failed_ == failed_before) {
      ASSERT_LT(steady_clock::now(), limit);
      for (const slot s : this->poll_once(limit)) {
        if (this->failed_ == failed_before) this->submit(s);
      }
    }
    this->drain(lost);
    EXPECT_EQ(this->driver().sockets().size(), TestFixture::connections - 1);
    this->reopen(seconds(10));
  }
  this->ask(1000);
  this->drain_all();
}

TYPED_TEST(reopened_connection, leaves_the_replies_that_wait_on_other_connections_alone) {
  this->lose(0);
  {
    const frozen_server frozen(this->server());
    for (std::uint32_t c = 1; c < TestFixture::connections; ++c) this->submit_connection(c);
    EXPECT_TRUE(this->poll_once(steady_clock::now() + milliseconds(20)).empty());
  }
  const auto others = this->driver().sockets();
  ASSERT_EQ(others.size(), TestFixture::connections - 1);
  for (const int fd : others) ASSERT_TRUE(wait_for_socket(fd, POLLIN, steady_clock::now() + seconds(10)));
  const std::size_t failed_before = this->failed_;
  this->reopen(seconds(10));
  for (std::uint32_t c = 1; c < TestFixture::connections; ++c) {
    EXPECT_EQ(this->in_flight_on(c), TestFixture::window);
  }
  this->drain_all();
  EXPECT_EQ(this->failed_, failed_before);
  this->ask(1000);
  this->drain_all();
}

TYPED_TEST(reopened_connection, stays_lost_while_the_server_is_stopped_and_comes_back_with_it) {
  this->lose(0);
  constexpr milliseconds limit(300);
  {
    const frozen_server frozen(this->server());
    for (int i = 0; i < 2; ++i) {
      const auto begin = steady_clock::now();
      EXPECT_THROW(this->driver().reopen(0, limit), setup_error);
      EXPECT_LT(steady_clock::now() - begin, limit + seconds(1));
      EXPECT_EQ(this->driver().sockets().size(), TestFixture::connections - 1);
      const std::size_t failed_before = this->failed_;
      this->submit_connection(0);
      this->drain(0);
      EXPECT_EQ(this->failed_, failed_before + TestFixture::window);
    }
  }
  this->reopen(seconds(10));
  EXPECT_EQ(this->driver().sockets().size(), TestFixture::connections);
  this->ask(1000);
  this->drain_all();
}

}  // namespace
}  // namespace dbdyno::conformance
