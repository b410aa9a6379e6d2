#include "drivers/echo/driver.hpp"

// Not netinet/tcp.h, whose struct tcp_info ends before the counters of bytes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <linux/tcp.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <algorithm>
#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <ostream>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "drivers/errors.hpp"
#include "drivers/wire/local_listener.hpp"
#include "fixtures/data_set.hpp"
#include "fixtures/echo_server.hpp"

namespace dbdyno {
namespace {

const echo_server& server() {
  static const echo_server one;
  return one;
}
const data_set& data() {
  static const data_set small(2000, 100, 7);
  return small;
}

struct traffic {
  std::uint64_t sent = 0;
  std::uint64_t received = 0;
  bool operator==(const traffic&) const = default;
  friend traffic operator-(traffic a, traffic b) { return {a.sent - b.sent, a.received - b.received}; }
};
void PrintTo(const traffic& value, std::ostream* out) {
  *out << value.sent << " sent, " << value.received << " received";
}

traffic traffic_of(const std::vector<int>& sockets) {
  traffic sum;
  for (const int fd : sockets) {
    tcp_info info{};
    socklen_t size = sizeof info;
    EXPECT_EQ(::getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &size), 0);
    sum.sent += info.tcpi_bytes_acked;
    sum.received += info.tcpi_bytes_received;
  }
  return sum;
}

/// One mode of the driver, asked for many gets or sets, each with a key of its own.
template <class Driver>
class client {
 public:
  explicit client(const connect_options& options)
      : driver_(options), slots_(options.connections * options.window), asked_(slots_) {}

  Driver& driver() { return driver_; }

  /// Returns how many came back right: ok, and a get with the value of its own key.
  std::size_t gets(std::size_t count) { return run(count, true); }
  std::size_t sets(std::size_t count) { return run(count, false); }

 private:
  std::size_t run(std::size_t count, bool reads) {
    const std::string value(data().largest_value(), 'v');
    std::size_t right = 0;
    if constexpr (sync_driver<Driver>) {
      for (std::size_t i = 0; i < count; ++i) {
        const key k = next_key();
        std::string_view got;
        const op_status status = reads ? driver_.get(k, got) : driver_.set(k, value);
        right += status == op_status::ok && (!reads || data().matches(k, got));
      }
    } else {
      const auto submit = [&](slot s) {
        asked_[s] = next_key();
        const submitted answer =
            reads ? driver_.submit_get(s, asked_[s]) : driver_.submit_set(s, asked_[s], value);
        EXPECT_EQ(answer, submitted::queued);
      };
      std::size_t issued = 0;
      for (; issued < std::min<std::size_t>(slots_, count); ++issued) submit(static_cast<slot>(issued));
      const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(20);
      std::vector<slot> done;
      for (std::size_t completed = 0; completed < count; completed += done.size()) {
        done.clear();
        driver_.poll(limit, [&](slot s, op_status status, std::string_view got) {
          right += status == op_status::ok && (!reads || data().matches(asked_[s], got));
          done.push_back(s);
        });
        if (done.empty()) break;
        for (const slot s : done) {
          if (issued == count) break;
          submit(s);
          ++issued;
        }
      }
    }
    return right;
  }

  key next_key() { return data().make_key(1 + next_id_++ % data().keys()); }

  Driver driver_;
  slot slots_;
  std::vector<key> asked_;
  std::uint32_t next_id_ = 0;
};

template <class Driver>
class every_mode : public testing::Test {
 protected:
  static constexpr bool one_at_a_time = sync_driver<Driver>;

  static connect_options options(const target& where, exchange_size exchange = {}) {
    connect_options options;
    options.where = where;
    options.connections = std::same_as<Driver, echo_socket::async> ? 50 : 1;
    options.window = one_at_a_time ? 1 : 16;
    options.writes = true;
    options.value_size = data().largest_value();
    options.exchange = exchange;
    return options;
  }
  static std::vector<target> both() { return {server().tcp(), server().unix_socket()}; }
};

struct mode_names {
  template <class Driver>
  static std::string GetName(int) {
    if constexpr (sync_driver<Driver>) return "sync";
    return reopens_connections<Driver> ? "async" : "pipeline";
  }
};
using modes = testing::Types<echo_socket::sync, echo_socket::pipeline, echo_socket::async>;
TYPED_TEST_SUITE(every_mode, modes, mode_names);

TYPED_TEST(every_mode, finds_every_key_and_sets_every_value_over_both_transports) {
  for (const target& where : this->both()) {
    client<TypeParam> one(this->options(where));
    EXPECT_EQ(one.gets(2000), 2000U);
    EXPECT_EQ(one.sets(2000), 2000U);
    EXPECT_EQ(one.gets(2000), 2000U);
    EXPECT_EQ(one.driver().last_error(), "");
  }
}

// A reply too short for a value leaves nothing to guess the next one by, and spinning looks before there is
// one.
TYPED_TEST(every_mode, finds_every_key_while_it_spins) {
  for (const exchange_size exchange : {exchange_size{}, exchange_size{12, 1}}) {
    connect_options options = this->options(server().tcp(), exchange);
    options.spin = true;
    EXPECT_EQ(client<TypeParam>(options).gets(500), 500U);
  }
}

TYPED_TEST(every_mode, moves_exactly_as_many_bytes_as_the_exchange_says) {
  constexpr std::size_t count = 1000;
  for (const exchange_size exchange : {exchange_size{}, exchange_size{12, 1}, exchange_size{50, 30},
                                       exchange_size{513, 1027}, exchange_size{65535, 65535}}) {
    const connect_options options = this->options(server().tcp(), exchange);
    const bool chosen = exchange.request_bytes != 0;
    client<TypeParam> one(options);
    const traffic before = traffic_of(one.driver().sockets());
    EXPECT_EQ(one.gets(count), count);
    const traffic between = traffic_of(one.driver().sockets());
    EXPECT_EQ(one.sets(count), count);
    const traffic after = traffic_of(one.driver().sockets());
    EXPECT_EQ(between - before,
              (chosen ? traffic{count * exchange.request_bytes, count * exchange.reply_bytes}
                      : traffic{count * 32, count * 108}));
    EXPECT_EQ(after - between, (chosen ? traffic{count * exchange.request_bytes, count * exchange.reply_bytes}
                                       : traffic{count * 140, count * 5}));
  }
}

TYPED_TEST(every_mode, sends_no_value_larger_than_agreed) {
  client<TypeParam> one(this->options(server().tcp()));
  const std::string large(data().largest_value() + 1, 'v');
  op_status status = op_status::ok;
  if constexpr (sync_driver<TypeParam>) {
    status = one.driver().set(data().make_key(1), large);
  } else {
    ASSERT_EQ(one.driver().submit_set(0, data().make_key(1), large), submitted::queued);
    one.driver().poll(time_point::max(), [&](slot, op_status said, std::string_view) { status = said; });
  }
  EXPECT_EQ(status, op_status::too_large);
  EXPECT_EQ(one.gets(100), 100U) << "and goes on";
}

TYPED_TEST(every_mode, says_that_a_value_is_too_long_for_a_message) {
  connect_options options = this->options(server().tcp());
  options.value_size = 70'000;
  EXPECT_THROW(client<TypeParam>{options}, setup_error);
}

TEST(echo_driver, tells_no_echo_server_from_another) {
  // It answers, but with other bytes: a server of any kind that greets.
  const local_listener listening;
  std::thread greeting([&] {
    const unique_fd fd = listening.accept();
    EXPECT_EQ(::send(fd.get(), "5.5.5-10.11 hello", 8, MSG_NOSIGNAL), 8);
    char request[12];
    EXPECT_EQ(::recv(fd.get(), request, sizeof request, MSG_WAITALL), 12);
  });
  connect_options options;
  options.where = {.storage = "echo", .via = transport::tcp, .host = "127.0.0.1", .port = listening.port()};
  try {
    const echo_socket::sync driver(options);
    ADD_FAILURE() << "it connected";
  } catch (const setup_error& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("no echo server answers there"));
    EXPECT_THAT(error.what(), testing::HasSubstr(options.where.masked()));
  }
  greeting.join();
}

}  // namespace
}  // namespace dbdyno
