#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "drivers/errors.hpp"
#include "drivers/skeleton/driver.hpp"

namespace dbdyno {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::ThrowsMessage;

connect_options options_for(std::uint32_t connections, std::uint32_t window) {
  connect_options options;
  options.where.storage = "skeleton";
  options.connections = connections;
  options.window = window;
  options.writes = true;
  options.value_size = 100;
  return options;
}

key key_of(std::uint32_t id) {
  return {id, 0};
}

struct completion {
  slot which;
  op_status status;
  std::string value;
  friend bool operator==(const completion&, const completion&) = default;
};

std::vector<completion> poll(skeleton_in_flight& client) {
  std::vector<completion> all;
  const unsigned done = client.poll(time_point::max(), [&](slot s, op_status status, std::string_view value) {
    all.push_back({s, status, std::string(value)});
  });
  EXPECT_EQ(done, all.size());
  return all;
}

TEST(skeleton, names_itself) {
  EXPECT_EQ(skeleton_map::storage, "skeleton");
  EXPECT_EQ(skeleton_map::name, "map");
  EXPECT_TRUE(is_private_storage<skeleton_map>());
  EXPECT_THAT(skeleton_map::version(), HasSubstr("dbdyno"));
}

TEST(skeleton, refuses_to_connect_without_showing_the_password) {
  connect_options options = options_for(1, 1);
  options.where.password = "sesame";
  skeleton_storage storage(options);
  const auto refusal = ThrowsMessage<setup_error>(
      AllOf(HasSubstr("skeleton/map: cannot authenticate at"), Not(HasSubstr("sesame"))));
  EXPECT_THAT([&] { skeleton_sync(options, storage); }, refusal);
  EXPECT_THAT([&] { skeleton_in_flight(options, storage); }, refusal);
}

TEST(skeleton_sync, reads_what_it_wrote) {
  const connect_options options = options_for(1, 1);
  skeleton_storage storage(options);
  skeleton_sync client(options, storage);
  std::string_view value = "untouched";
  EXPECT_EQ(client.get(key_of(1), value), op_status::not_found);
  EXPECT_EQ(value, "untouched");
  EXPECT_EQ(client.set(key_of(1), "one"), op_status::ok);
  EXPECT_EQ(client.set(key_of(2), ""), op_status::ok);
  EXPECT_EQ(client.get(key_of(1), value), op_status::ok);
  EXPECT_EQ(value, "one");
  EXPECT_EQ(client.set(key_of(1), "another"), op_status::ok);
  EXPECT_EQ(client.get(key_of(1), value), op_status::ok);
  EXPECT_EQ(value, "another");
  EXPECT_EQ(client.get(key_of(2), value), op_status::ok);
  EXPECT_EQ(value, "");
  EXPECT_EQ(client.last_error(), "");
}

TEST(skeleton_sync, does_not_send_a_value_too_large) {
  const connect_options options = options_for(1, 1);
  skeleton_storage storage(options);
  skeleton_sync client(options, storage);
  EXPECT_EQ(client.set(key_of(1), std::string(101, 'v')), op_status::too_large);
  std::string_view value;
  EXPECT_EQ(client.get(key_of(1), value), op_status::not_found);
}

TEST(skeleton_sync, sends_nothing_once_interrupted) {
  const connect_options options = options_for(1, 1);
  skeleton_storage storage(options);
  skeleton_sync client(options, storage);
  client.interrupt();
  std::string_view value;
  EXPECT_EQ(client.get(key_of(1), value), op_status::unsent);
  EXPECT_EQ(client.set(key_of(1), "one"), op_status::unsent);
  EXPECT_EQ(client.last_error(), "interrupted");
}

TEST(skeleton_in_flight, completes_in_order_and_through_poll_only) {
  const connect_options options = options_for(2, 3);
  skeleton_storage storage(options);
  skeleton_in_flight client(options, storage);
  EXPECT_TRUE(poll(client).empty());
  std::string value = "one";
  EXPECT_EQ(client.submit_set(5, key_of(1), value), submitted::queued);
  value = "gone";
  EXPECT_EQ(client.submit_get(0, key_of(1)), submitted::queued);
  EXPECT_EQ(client.submit_get(1, key_of(2)), submitted::queued);
  EXPECT_EQ(client.submit_set(2, key_of(1), std::string(101, 'v')), submitted::queued);
  const std::vector<completion> expected = {{5, op_status::ok, ""},
                                            {0, op_status::ok, "one"},
                                            {1, op_status::not_found, ""},
                                            {2, op_status::too_large, ""}};
  EXPECT_EQ(poll(client), expected);
  EXPECT_TRUE(poll(client).empty());
}

TEST(skeleton_in_flight, fills_every_slot_again_and_again) {
  const connect_options options = options_for(7, 143);
  skeleton_storage storage(options);
  skeleton_in_flight client(options, storage);
  for (int round = 0; round < 3; ++round) {
    std::vector<completion> written;
    std::vector<completion> read;
    for (slot s = 0; s < 7 * 143; ++s) {
      const std::string value = std::to_string(s) + " in round " + std::to_string(round);
      client.submit_set(s, key_of(s + 1), value);
      written.push_back({s, op_status::ok, ""});
      read.push_back({s, op_status::ok, value});
    }
    EXPECT_EQ(poll(client), written);
    for (slot s = 0; s < 7 * 143; ++s) client.submit_get(s, key_of(s + 1));
    EXPECT_EQ(poll(client), read);
  }
}

TEST(skeleton_in_flight, completes_what_is_queued_when_interrupted) {
  const connect_options options = options_for(1, 2);
  skeleton_storage storage(options);
  skeleton_in_flight client(options, storage);
  client.submit_set(0, key_of(1), "one");
  client.submit_get(1, key_of(1));
  client.interrupt();
  const std::vector<completion> expected = {{0, op_status::unsent, ""}, {1, op_status::unsent, ""}};
  EXPECT_EQ(poll(client), expected);
  EXPECT_EQ(client.last_error(), "interrupted");
}

TEST(skeleton_in_flight, loses_the_one_connection_that_is_given_up_until_it_is_reopened) {
  const connect_options options = options_for(2, 2);
  skeleton_storage storage(options);
  skeleton_in_flight client(options, storage);
  const auto ask_all = [&] {
    for (slot s = 0; s < 4; ++s) client.submit_set(s, key_of(s + 1), "one");
  };
  ask_all();
  client.give_up(1);
  const std::vector<completion> half = {
      {0, op_status::ok, ""}, {1, op_status::ok, ""}, {2, op_status::unsent, ""}, {3, op_status::unsent, ""}};
  EXPECT_EQ(poll(client), half);
  EXPECT_EQ(client.last_error(), given_up_text);
  ask_all();
  EXPECT_EQ(poll(client), half);
  client.reopen(1, std::chrono::milliseconds(100));
  ask_all();
  for (const completion& c : poll(client)) EXPECT_EQ(c.status, op_status::ok) << c.which;
  EXPECT_EQ(client.last_error(), given_up_text) << "the latest failure is still told";
}

TEST(skeleton_storage, is_shared_by_the_drivers_of_a_row) {
  const connect_options options = options_for(1, 1);
  skeleton_storage storage(options);
  skeleton_sync writer(options, storage);
  skeleton_in_flight reader(options, storage);
  EXPECT_EQ(writer.set(key_of(1), "one"), op_status::ok);
  reader.submit_get(0, key_of(1));
  EXPECT_EQ(poll(reader), (std::vector<completion>{{0, op_status::ok, "one"}}));
}

}  // namespace
}  // namespace dbdyno
