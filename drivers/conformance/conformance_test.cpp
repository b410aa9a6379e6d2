// What every driver must do in every mode, against real servers. The lists of subjects are generated.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <future>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

#include "drivers/conformance/servers.hpp"
#include "drivers/conformance/subject.hpp"
#include "drivers/conformance/subjects.hpp"
#include "drivers/conformance/suite.hpp"
#include "drivers/errors.hpp"
#include "drivers/redis/client.hpp"
#include "fixtures/eventually.hpp"
#include "fixtures/value_writer.hpp"

namespace dbdyno::conformance {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using ::testing::AnyOf;
using ::testing::Eq;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;
using namespace std::string_literals;

// As every program of ours does: client libraries write to sockets that the server has closed.
class ignores_sigpipe : public ::testing::Environment {
  void SetUp() override { std::signal(SIGPIPE, SIG_IGN); }
};
const auto* const environment = ::testing::AddGlobalTestEnvironment(new ignores_sigpipe);

/// Whether the storage keeps text in utf8mb3, where not every byte sequence can stand.
template <class Subject>
constexpr bool keeps_text() {
  return Subject::family::storage == "mysql" || Subject::family::storage == "handlersocket";
}

/// A value of every byte that the storage takes: all 256, or all of ASCII and the two- and three-byte
/// characters' edges.
template <class Subject>
std::string every_byte() {
  std::string out;
  for (int byte = 0; byte < (keeps_text<Subject>() ? 128 : 256); ++byte) out += static_cast<char>(byte);
  if (keeps_text<Subject>()) out += "\u0080\u00ff\u07ff\u0800\u20ac\uffff";
  return out;
}

template <class Subject>
class storing_driver : public ::testing::Test {
 protected:
  storing_driver()
      : client_(options_for<Subject>(loaded_storage::shared(Subject::family::storage).at(Subject::via))) {
    // No earlier test may have left a value that this one sets; and some storages start empty.
    EXPECT_EQ(client_.set(one(), fresh_value()), op_status::ok);
  }

  static key one() { return loaded_storage::data().make_key(1); }

  void round_trip(const std::string& value) {
    EXPECT_EQ(client_.set(one(), value), op_status::ok);
    const reply back = client_.get(one());
    EXPECT_EQ(back.status, op_status::ok);
    EXPECT_EQ(back.value, value);
  }

  client<Subject> client_;
};
TYPED_TEST_SUITE(storing_driver, storing_subjects, subject_names);

TYPED_TEST(storing_driver, gets_back_what_it_set) {
  this->round_trip("a value");
}

TYPED_TEST(storing_driver, overwrites_a_value_by_a_longer_and_a_shorter_one) {
  this->round_trip("first");
  this->round_trip("second and longer");
  this->round_trip("3rd");
}

TYPED_TEST(storing_driver, keeps_an_empty_value) {
  this->round_trip("not yet empty");
  this->round_trip("");
}

TYPED_TEST(storing_driver, keeps_a_value_of_1024_bytes) {
  this->round_trip(std::string(largest_value, 'x'));
}

TYPED_TEST(storing_driver, keeps_every_byte_the_storage_takes) {
  this->round_trip(every_byte<TypeParam>());
}

TYPED_TEST(storing_driver, keeps_quotes_and_line_ends) {
  this->round_trip("it's \"quoted\" \\ and\r\nbroken\tup\0end"s);
}

TYPED_TEST(storing_driver, misses_a_key_that_is_not_there) {
  const reply back = this->client_.get(key(missing_id, 0));
  EXPECT_EQ(back.status, op_status::not_found);
  EXPECT_EQ(back.value, "");
  // And is none the worse for it.
  this->round_trip("after a miss");
}

TYPED_TEST(storing_driver, creates_a_missing_key_or_says_that_it_is_missing) {
  const key fresh(missing_id - 1, 0);
  if (TypeParam::family::set_creates) {
    EXPECT_EQ(this->client_.set(fresh, "created"), op_status::ok);
    EXPECT_EQ(this->client_.get(fresh).value, "created");
  } else {
    EXPECT_EQ(this->client_.set(fresh, "lost"), op_status::not_found);
    EXPECT_EQ(this->client_.get(fresh).status, op_status::not_found);
  }
}

TYPED_TEST(storing_driver, refuses_to_store_what_the_storage_would_damage) {
  if (!keeps_text<TypeParam>()) return this->round_trip("\xff\xfe\xf0\x9f\x98\x80");
  this->round_trip("intact");
  for (const std::string_view damaged : {"\xff\xfe", "cut \xe2\x82", "\xf0\x9f\x98\x80"}) {
    EXPECT_THAT(this->client_.set(this->one(), damaged), AnyOf(op_status::refused, op_status::unstorable));
    EXPECT_EQ(this->client_.get(this->one()).value, "intact");
  }
}

TYPED_TEST_SUITE(networked_driver, networked_subjects, subject_names);

TYPED_TEST(networked_driver, shows_one_socket_for_each_connection) {
  static_assert(has_sockets<typename TypeParam::driver>);
  connect_options options = this->options();
  options.connections = TypeParam::how == mode::async ? 4 : 1;
  client<TypeParam> connected(options);
  std::vector<int> sockets = connected.driver().sockets();
  EXPECT_EQ(sockets.size(), options.connections);
  std::sort(sockets.begin(), sockets.end());
  EXPECT_EQ(std::unique(sockets.begin(), sockets.end()), sockets.end());
  for (const int fd : sockets) {
    sockaddr_storage there{};
    socklen_t size = sizeof there;
    EXPECT_EQ(::getpeername(fd, reinterpret_cast<sockaddr*>(&there), &size), 0) << std::strerror(errno);
    EXPECT_EQ(there.ss_family == AF_UNIX, TypeParam::via == transport::unix_socket);
  }
}

TYPED_TEST(networked_driver, says_which_target_cannot_be_reached) {
  connect_options options = this->options();
  // Port 1 and this path have no server; nothing listens there on any machine this runs on.
  options.where.port = 1;
  options.where.write_port = 1;
  if (options.where.via == transport::unix_socket) options.where.path += ".absent";
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_THAT(this->failure_to_connect(options),
              StartsWith(fmt::format("{}/{}: cannot connect to {}: ", TypeParam::family::storage,
                                     TypeParam::family::name, options.where.masked())));
  EXPECT_LT(std::chrono::steady_clock::now() - begin, options.connect_timeout + seconds(1));
}

TYPED_TEST(networked_driver, gives_up_connecting_to_a_frozen_server_in_time) {
  loaded_storage frozen(TypeParam::family::storage);
  connect_options options = options_for<TypeParam>(frozen.at(TypeParam::via));
  options.connect_timeout = seconds(1);
  frozen.freeze();
  const auto begin = std::chrono::steady_clock::now();
  const std::string text = this->failure_to_connect(options);
  const auto taken = std::chrono::steady_clock::now() - begin;
  frozen.thaw();
  EXPECT_THAT(text, HasSubstr(options.where.masked()));
  EXPECT_LT(taken, options.connect_timeout + seconds(2));
}

TYPED_TEST(networked_driver, reports_a_killed_server_and_never_hangs) {
  loaded_storage doomed(TypeParam::family::storage);
  client<TypeParam> connected(options_for<TypeParam>(doomed.at(TypeParam::via)));
  ASSERT_EQ(connected.get(this->one()).status, op_status::ok);
  doomed.kill();
  const reply first = connected.get(this->one());
  EXPECT_THAT(first.status, AnyOf(op_status::disconnected, op_status::unsent));
  EXPECT_NE(connected.driver().last_error(), "");
  for (int i = 0; i < 3; ++i) {
    EXPECT_THAT(connected.get(this->one()).status, AnyOf(op_status::disconnected, op_status::unsent));
    EXPECT_THAT(connected.set(this->one(), "late"), AnyOf(op_status::disconnected, op_status::unsent));
  }
}

TYPED_TEST(networked_driver, comes_back_from_a_stopped_server_when_interrupted) {
  loaded_storage stopped(TypeParam::family::storage);
  client<TypeParam> connected(options_for<TypeParam>(stopped.at(TypeParam::via)));
  ASSERT_EQ(connected.get(this->one()).status, op_status::ok);
  stopped.freeze();
  std::promise<pid_t> asking;
  auto outcome = std::async(std::launch::async, [&] {
    asking.set_value(::gettid());
    return connected.get(this->one()).status;
  });
  const pid_t thread = asking.get_future().get();
  EXPECT_TRUE(eventually(seconds(10), [&] { return thread_state(::getpid(), thread) == 'S'; }));
  connected.driver().interrupt();
  const bool returned = outcome.wait_for(seconds(10)) == std::future_status::ready;
  stopped.thaw();
  EXPECT_TRUE(returned);
  EXPECT_THAT(outcome.get(), AnyOf(op_status::disconnected, op_status::unsent));
}

template <class Subject>
class networked_storing_driver : public networked_driver<Subject> {};
TYPED_TEST_SUITE(networked_storing_driver, networked_storing_subjects, subject_names);

TYPED_TEST(networked_storing_driver, tells_what_the_server_said_when_it_refused) {
  connect_options options = this->options();
  const std::string_view storage = TypeParam::family::storage;
  const key list(missing_id - 2, 0);
  std::string words;
  if (storage == "redis") {
    redis_client("test", options.where, seconds(5)).command({"RPUSH", list.text(), "not a string"});
    words = "WRONGTYPE ";
  } else if (storage == "mysql") {
    options.value_size = largest_value + 1;
    words = "1406: Data too long";
  } else {
    options.writes = false;
    words = "readonly";
  }
  client<TypeParam> connected(options);
  auto& driver = connected.driver();
  const reply refused = storage == "redis"
                            ? connected.get(list)
                            : connected.try_set(this->one(), std::string(options.value_size, 'x'));
  EXPECT_EQ(refused.status, op_status::refused);
  EXPECT_THAT(driver.last_error(), HasSubstr(words));
  if constexpr (in_flight_driver<typename TypeParam::driver>) {
    EXPECT_EQ(refused.value, driver.last_error());
  }
  EXPECT_EQ(connected.get(loaded_storage::data().make_key(2)).status, op_status::ok) << "and goes on";
}

TYPED_TEST(networked_storing_driver, refuses_a_value_larger_than_agreed_before_sending_it) {
  client<TypeParam> connected(this->options());
  const std::string small = fresh_value();
  EXPECT_EQ(connected.set(this->one(), small), op_status::ok);
  EXPECT_EQ(connected.set(this->one(), std::string(largest_value + 1, 'x')), op_status::too_large);
  EXPECT_EQ(connected.get(this->one()).value, small);
}

TYPED_TEST(networked_storing_driver, says_which_target_refused_the_password_but_not_the_password) {
  connect_options options = this->options();
  const std::string right = options.where.password;
  ASSERT_FALSE(right.empty());
  options.where.password = "wrong-password";
  const std::string text = this->failure_to_connect(options);
  EXPECT_THAT(text, HasSubstr(options.where.masked()));
  EXPECT_THAT(text, Not(HasSubstr("wrong-password")));
  EXPECT_THAT(text, Not(HasSubstr(right)));
}

TYPED_TEST_SUITE(in_flight_subject, in_flight_subjects, subject_names);

TYPED_TEST(in_flight_subject, completes_1000_in_flight_in_order_each_with_its_own_value) {
  const std::uint32_t connections = TypeParam::how == mode::async ? 4 : 1;
  connect_options options = this->options();
  options.window = this->window_of(1000);
  options.connections = connections;
  client<TypeParam> connected(options);
  auto& driver = connected.driver();
  const slot slots = connections * options.window;
  const data_set& data = loaded_storage::data();
  // A key of its own for every slot, and not the one that other tests overwrite.
  const auto key_of = [&](slot s) { return data.make_key(2 + s % (data.keys() - 1)); };
  for (slot s = 0; s < slots; ++s) ASSERT_EQ(driver.submit_get(s, key_of(s)), submitted::queued);

  const auto completions = this->finish(driver, slots);
  ASSERT_EQ(completions.size(), slots);
  std::vector<slot> next(connections);
  for (std::uint32_t c = 0; c < connections; ++c) next[c] = c * options.window;
  for (const auto& done : completions) {
    EXPECT_EQ(done.which, next[done.which / options.window]++) << "out of order on its connection";
    EXPECT_EQ(done.status, op_status::ok);
    EXPECT_TRUE(data.matches(key_of(done.which), done.value)) << "the value of another key";
  }
  EXPECT_EQ(driver.poll(time_point::max(), [](slot, op_status, std::string_view) {}), 0U);
}

TYPED_TEST(in_flight_subject, reuses_its_slots_for_sets_and_gets) {
  connect_options options = this->options();
  options.window = this->window_of(16);
  client<TypeParam> connected(options);
  auto& driver = connected.driver();
  const data_set& data = loaded_storage::data();
  value_writer writer(data, fresh_number());
  for (int round = 0; round < 20; ++round) {
    for (slot s = 0; s < options.window; ++s) {
      const key k = data.make_key(1000 + s);
      ASSERT_EQ(driver.submit_set(s, k, writer.next(k)), submitted::queued);
    }
    for (const auto& done : this->finish(driver, options.window)) EXPECT_EQ(done.status, op_status::ok);
    for (slot s = 0; s < options.window; ++s)
      ASSERT_EQ(driver.submit_get(s, data.make_key(1000 + s)), submitted::queued);
    for (const auto& done : this->finish(driver, options.window)) {
      EXPECT_TRUE(data.matches(data.make_key(1000 + done.which), done.value));
    }
  }
}

TYPED_TEST(in_flight_subject, goes_on_in_order_around_a_value_it_refuses_to_send) {
  connect_options options = this->options();
  options.window = this->window_of(3);
  options.connections = options.window == 1 ? 3 : 1;
  client<TypeParam> connected(options);
  auto& driver = connected.driver();
  const data_set& data = loaded_storage::data();
  ASSERT_EQ(driver.submit_get(0, data.make_key(2)), submitted::queued);
  ASSERT_EQ(driver.submit_set(1, data.make_key(3), std::string(largest_value + 1, 'x')), submitted::queued);
  ASSERT_EQ(driver.submit_get(2, data.make_key(4)), submitted::queued);
  auto completions = this->finish(driver, 3);
  ASSERT_EQ(completions.size(), 3U);
  std::sort(completions.begin(), completions.end(),
            [](const auto& a, const auto& b) { return a.which < b.which; });
  EXPECT_TRUE(data.matches(data.make_key(2), completions[0].value));
  EXPECT_EQ(completions[1].status, op_status::too_large);
  EXPECT_TRUE(data.matches(data.make_key(4), completions[2].value));
}

TYPED_TEST(in_flight_subject, completes_everything_in_flight_when_the_server_is_killed) {
  loaded_storage doomed(TypeParam::family::storage);
  connect_options options = options_for<TypeParam>(doomed.at(TypeParam::via));
  options.window = this->window_of(100);
  options.connections = TypeParam::how == mode::async ? 3 : 1;
  client<TypeParam> connected(options);
  auto& driver = connected.driver();
  const slot slots = options.connections * options.window;
  doomed.freeze();
  for (slot s = 0; s < slots; ++s)
    ASSERT_EQ(driver.submit_get(s, loaded_storage::data().make_key(s + 2)), submitted::queued);
  doomed.kill();
  std::vector<int> completed(slots);
  for (const auto& done : this->finish(driver, slots)) {
    ++completed[done.which];
    EXPECT_THAT(done.status, AnyOf(op_status::disconnected, op_status::unsent));
  }
  EXPECT_THAT(completed, ::testing::Each(Eq(1)));
}

}  // namespace
}  // namespace dbdyno::conformance
