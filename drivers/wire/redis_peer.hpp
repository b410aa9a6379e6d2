#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "drivers/connect_options.hpp"
#include "drivers/driver.hpp"
#include "drivers/wire/scripted_peer.hpp"

/// What the wire drivers' tests share: a scripted peer that speaks Redis, and what they expect of it.
namespace dbdyno {

inline constexpr time_point whenever = time_point::max();
inline constexpr std::string_view ok = "+OK\r\n";
inline constexpr std::string_view nil = "$-1\r\n";

inline std::string bulk(std::string_view bytes) {
  return "$" + std::to_string(bytes.size()) + "\r\n" + std::string(bytes) + "\r\n";
}
inline key key_of(std::uint32_t id) {
  return {id, 0};
}
inline std::string value_of(std::uint32_t id) {
  return "value of dbdyno:" + std::to_string(id);
}

/// The reply of a storage that holds value_of(id) under every id.
inline std::string answer_to(const std::vector<std::string>& command) {
  return command[0] == "GET" ? bulk("value of " + command[1]) : std::string(ok);
}

inline void shake_hands(peer_connection& peer) {
  ASSERT_THAT(peer.next_command(), testing::ElementsAre("PING"));
  peer.write("+PONG\r\n");
}

/// A script: the handshake, then `rest`.
template <class Rest>
scripted_peer::script greeting(Rest rest) {
  return [rest](peer_connection& peer) {
    shake_hands(peer);
    rest(peer);
  };
}

inline void answer_everything(peer_connection& peer) {
  for (auto command = peer.next_command(); !command.empty(); command = peer.next_command()) {
    peer.write(answer_to(command));
  }
}

inline connect_options options_for(const scripted_peer& peer, std::uint32_t window = 1,
                                   std::uint32_t connections = 1) {
  return {.where = peer.where(),
          .connections = connections,
          .window = window,
          .writes = true,
          .value_size = 1024,
          .connect_timeout = std::chrono::seconds(10)};
}

struct completion {
  slot which;
  op_status status;
  std::string value;
};

/// Polls until `count` requests have completed, and shows what they completed with, in that order.
template <class Client>
std::vector<completion> complete(Client& client, std::size_t count, time_point limit = whenever) {
  std::vector<completion> all;
  while (all.size() < count) {
    const std::size_t before = all.size();
    const unsigned done = client.poll(limit, [&](slot s, op_status status, std::string_view value) {
      all.push_back({s, status, std::string(value)});
    });
    EXPECT_EQ(all.size() - before, done);
    if (done == 0) {
      ADD_FAILURE() << "poll gave up with " << all.size() << " of " << count << " completed";
      break;
    }
  }
  return all;
}

inline std::vector<slot> slots_of(const std::vector<completion>& all) {
  std::vector<slot> out;
  for (const completion& c : all) out.push_back(c.which);
  return out;
}
inline std::vector<op_status> statuses_of(const std::vector<completion>& all) {
  std::vector<op_status> out;
  for (const completion& c : all) out.push_back(c.status);
  return out;
}

}  // namespace dbdyno
