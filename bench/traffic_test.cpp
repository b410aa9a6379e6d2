#include "bench/traffic.hpp"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "drivers/wire/local_listener.hpp"
#include "drivers/wire/unique_fd.hpp"

namespace dbdyno {
namespace {

struct tcp_pair {
  unique_fd client;
  unique_fd server;
};

tcp_pair connect_pair() {
  const local_listener listener;
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(listener.port());
  tcp_pair pair;
  pair.client.reset(::socket(AF_INET, SOCK_STREAM, 0));
  if (::connect(pair.client.get(), reinterpret_cast<sockaddr*>(&address), sizeof address) != 0)
    throw std::runtime_error("no connection");
  pair.server = listener.accept();
  return pair;
}

void send_bytes(int fd, std::size_t count) {
  const std::string bytes(count, 'x');
  for (std::size_t sent = 0; sent < count;) {
    const ssize_t size = ::send(fd, bytes.data() + sent, count - sent, MSG_NOSIGNAL);
    if (size <= 0) return;
    sent += static_cast<std::size_t>(size);
  }
}

std::size_t receive_bytes(int fd, std::size_t count) {
  std::array<char, 65536> block{};
  std::size_t received = 0;
  while (received < count) {
    const ssize_t size = ::recv(fd, block.data(), std::min(block.size(), count - received), 0);
    if (size <= 0) break;
    received += static_cast<std::size_t>(size);
  }
  return received;
}

/// A request of one size and a reply of another, over and over.
void exchange(const tcp_pair& pair, std::size_t request, std::size_t reply, int times) {
  std::thread server([&] {
    for (int i = 0; i < times && receive_bytes(pair.server.get(), request) == request; ++i)
      send_bytes(pair.server.get(), reply);
  });
  for (int i = 0; i < times; ++i) {
    send_bytes(pair.client.get(), request);
    EXPECT_EQ(receive_bytes(pair.client.get(), reply), reply);
  }
  server.join();
}

// The reply acknowledges its request, so nothing has to be waited for.
TEST(Traffic, IsExactAsSoonAsTheLastReplyHasCome) {
  const tcp_pair pair = connect_pair();
  const std::array sockets{pair.client.get()};
  for (const std::size_t request : {1U, 2U, 36U, 1447U, 1448U, 1449U, 65483U, 65535U, 1000003U}) {
    for (const std::size_t reply : {1U, 5U, 1449U, 65536U, 1000001U}) {
      const int times = request + reply > 100000U ? 2 : 20;
      const auto before = read_traffic(sockets);
      exchange(pair, request, reply, times);
      const auto moved = traffic_between(before, read_traffic(sockets));
      ASSERT_TRUE(moved.has_value());
      const auto count = static_cast<std::uint64_t>(times);
      EXPECT_EQ(moved->sent, count * request) << request << " and " << reply;
      EXPECT_EQ(moved->received, count * reply) << request << " and " << reply;
    }
  }
}

TEST(Traffic, IsTheSumOverAllSockets) {
  const tcp_pair first = connect_pair();
  const tcp_pair second = connect_pair();
  const std::array sockets{first.client.get(), second.client.get()};
  const auto before = read_traffic(sockets);
  exchange(first, 10, 3, 1);
  exchange(second, 200, 50, 1);
  EXPECT_EQ(traffic_between(before, read_traffic(sockets)), (traffic{210, 53}));
}

TEST(Traffic, IsAbsentUnlessEverySocketCountsIt) {
  const tcp_pair pair = connect_pair();
  EXPECT_TRUE(read_traffic(std::array{pair.client.get()}).has_value());
  std::array<int, 2> ends{};
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM, 0, ends.data()), 0);
  const unique_fd one(ends[0]);
  const unique_fd other(ends[1]);
  const unique_fd datagrams(::socket(AF_INET, SOCK_DGRAM, 0));
  EXPECT_FALSE(read_traffic(std::array{pair.client.get(), one.get()}).has_value());
  EXPECT_FALSE(read_traffic(std::array{pair.client.get(), datagrams.get()}).has_value());
  EXPECT_FALSE(read_traffic(std::array{pair.client.get(), -1}).has_value());
  EXPECT_FALSE(read_traffic({}).has_value());
}

TEST(Traffic, GivesNoDifferenceAcrossAReplacedConnection) {
  EXPECT_EQ(traffic_between(traffic{5, 5}, traffic{7, 5}), (traffic{2, 0}));
  EXPECT_FALSE(traffic_between(traffic{5, 5}, traffic{4, 9}).has_value());
  EXPECT_FALSE(traffic_between(traffic{5, 5}, traffic{9, 4}).has_value());
  EXPECT_FALSE(traffic_between(std::nullopt, traffic{9, 4}).has_value());
  EXPECT_FALSE(traffic_between(traffic{9, 4}, std::nullopt).has_value());
}

}  // namespace
}  // namespace dbdyno
