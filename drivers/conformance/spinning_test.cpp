// Of drivers that can busy-poll: that they do not sleep, and still keep what the contract says of waiting.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <chrono>
#include <future>
#include <thread>

#include "drivers/conformance/servers.hpp"
#include "drivers/conformance/subject.hpp"
#include "drivers/conformance/subjects.hpp"
#include "drivers/conformance/suite.hpp"

namespace dbdyno::conformance {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using std::chrono::steady_clock;
using ::testing::AnyOf;

/// How often this thread gave its CPU up of its own accord.
long sleeps() {
  rusage used{};
  ::getrusage(RUSAGE_THREAD, &used);
  return used.ru_nvcsw;
}

template <class Subject>
class spinning_driver : public networked_driver<Subject> {
 protected:
  static connect_options spinning() {
    connect_options out = networked_driver<Subject>::options();
    out.spin = true;
    return out;
  }
};
TYPED_TEST_SUITE(spinning_driver, networked_subjects, subject_names);

TYPED_TEST(spinning_driver, answers_without_sleeping) {
  if constexpr (can_spin<typename TypeParam::driver>()) {
    client<TypeParam> connected(this->spinning());
    ASSERT_EQ(connected.get(this->one()).status, op_status::ok);
    constexpr int requests = 200;
    const long before = sleeps();
    for (int i = 0; i < requests; ++i) ASSERT_EQ(connected.get(this->one()).status, op_status::ok);
    EXPECT_LT(sleeps() - before, requests / 10) << "a driver that sleeps does so once a request";
  } else {
    EXPECT_TRUE(TypeParam::name().starts_with("mysql_binary_sync"))
        << "mysql_stmt_execute writes and reads in one call; no other driver has a reason to sleep";
  }
}

TYPED_TEST(spinning_driver, comes_back_from_a_stopped_server_when_interrupted) {
  if constexpr (can_spin<typename TypeParam::driver>()) {
    loaded_storage stopped(TypeParam::family::storage);
    connect_options options = options_for<TypeParam>(stopped.at(TypeParam::via));
    options.spin = true;
    client<TypeParam> connected(options);
    ASSERT_EQ(connected.get(this->one()).status, op_status::ok);
    stopped.freeze();
    auto outcome = std::async(std::launch::async, [&] { return connected.get(this->one()).status; });
    EXPECT_EQ(outcome.wait_for(milliseconds(50)), std::future_status::timeout);
    connected.driver().interrupt();
    const bool returned = outcome.wait_for(seconds(10)) == std::future_status::ready;
    stopped.thaw();
    EXPECT_TRUE(returned);
    // A poll may return for the interruption itself, before it has met the end of the connection.
    EXPECT_THAT(outcome.get(), AnyOf(op_status::disconnected, op_status::unsent, op_status::timeout));
  }
}

TYPED_TEST(spinning_driver, returns_at_wait_until_from_a_stopped_server) {
  if constexpr (can_spin<typename TypeParam::driver>() && in_flight_driver<typename TypeParam::driver>) {
    loaded_storage stopped(TypeParam::family::storage);
    connect_options options = options_for<TypeParam>(stopped.at(TypeParam::via));
    options.spin = true;
    client<TypeParam> connected(options);
    ASSERT_EQ(connected.get(this->one()).status, op_status::ok);
    stopped.freeze();
    auto& driver = connected.driver();
    ASSERT_EQ(driver.submit_get(0, this->one()), submitted::queued);
    const auto none = [](slot, op_status, std::string_view) {};
    const auto until = steady_clock::now() + milliseconds(30);
    const unsigned completed = driver.poll(until, none);
    const auto late = steady_clock::now() - until;
    stopped.thaw();
    EXPECT_EQ(completed, 0U);
    EXPECT_GE(late, milliseconds(0));
    EXPECT_LT(late, seconds(5));
    EXPECT_EQ(driver.poll(steady_clock::now() + seconds(20), none), 1U);
  }
}

}  // namespace
}  // namespace dbdyno::conformance
