#pragma once

#include <gtest/gtest.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "drivers/redis/resp.hpp"
#include "drivers/target.hpp"
#include "drivers/wire/unique_fd.hpp"

namespace dbdyno {

/// The server's end of one connection, for a script to read and write. RESP, since that is what the tests
/// speak.
class peer_connection {
 public:
  explicit peer_connection(int fd) : fd_(fd) {}

  /// The words of the next command; none once the client has hung up.
  std::vector<std::string> next_command() {
    std::vector<std::string> words;
    // A request has the shape of a reply: an array of strings.
    auto parsed = parse_reply(received_);
    while (!parsed) {
      char chunk[16384];
      const ssize_t got = ::recv(fd_, chunk, sizeof chunk, 0);
      if (got <= 0) return words;
      received_.append(chunk, static_cast<std::size_t>(got));
      parsed = parse_reply(received_);
    }
    received_.erase(0, parsed->consumed);
    for (resp_reply& word : parsed->reply.elements) words.push_back(std::move(word.text));
    return words;
  }

  void read_commands(unsigned count) {
    for (unsigned i = 0; i < count; ++i) ASSERT_FALSE(next_command().empty()) << "the client hung up";
  }

  void read_until_closed() {
    while (!next_command().empty()) {
    }
  }

  /// Stops early when the client has hung up.
  void write(std::string_view bytes) const {
    while (!bytes.empty()) {
      const ssize_t sent = ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (sent < 0) return;
      bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
  }

  void write_byte_by_byte(std::string_view bytes) const {
    for (std::size_t i = 0; i < bytes.size(); ++i) write(bytes.substr(i, 1));
  }

  /// The end of the script closes; this drops what the client sent and nobody read, and says so by a reset.
  void reset_at_end() const {
    const linger at_once{1, 0};
    ::setsockopt(fd_, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
  }

 private:
  int fd_;
  std::string received_;
};

/// A server on a free port of 127.0.0.1 that plays one script on every connection, each on a thread of its
/// own.
///
/// A connection is closed when its script returns. The destructor cuts off scripts that still wait for their
/// client.
class scripted_peer {
 public:
  using script = std::function<void(peer_connection&)>;
  enum class buffers { as_usual, small };

  explicit scripted_peer(script play, buffers size = buffers::as_usual)
      : play_(std::move(play)), listening_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    if (size == buffers::small) {
      const int bytes = 16384;
      ::setsockopt(listening_.get(), SOL_SOCKET, SO_RCVBUF, &bytes, sizeof bytes);
      ::setsockopt(listening_.get(), SOL_SOCKET, SO_SNDBUF, &bytes, sizeof bytes);
    }
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t address_size = sizeof address;
    EXPECT_EQ(::bind(listening_.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
    EXPECT_EQ(::listen(listening_.get(), 128), 0);
    ::getsockname(listening_.get(), reinterpret_cast<sockaddr*>(&address), &address_size);
    port_ = ntohs(address.sin_port);
    accepting_ = std::thread([this] { accept_all(); });
  }
  scripted_peer(scripted_peer&&) = delete;
  ~scripted_peer() {
    ::shutdown(listening_.get(), SHUT_RDWR);
    accepting_.join();
    {
      const std::lock_guard lock(mutex_);
      for (const unique_fd& fd : connections_) ::shutdown(fd.get(), SHUT_RDWR);
    }
    for (std::thread& playing : playing_) playing.join();
  }

  target where() const {
    return {.storage = "redis", .via = transport::tcp, .host = "127.0.0.1", .port = port_};
  }

 private:
  void accept_all() {
    while (true) {
      unique_fd fd(::accept4(listening_.get(), nullptr, nullptr, SOCK_CLOEXEC));
      if (!fd) return;
      const int on = 1;
      ::setsockopt(fd.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
      const std::lock_guard lock(mutex_);
      const std::size_t index = connections_.size();
      playing_.emplace_back([this, index, raw = fd.get()] { play_on(index, raw); });
      connections_.push_back(std::move(fd));
    }
  }

  void play_on(std::size_t index, int fd) {
    peer_connection connection(fd);
    play_(connection);
    const std::lock_guard lock(mutex_);
    connections_[index].reset();
  }

  script play_;
  unique_fd listening_;
  std::uint16_t port_ = 0;
  std::mutex mutex_;
  std::vector<unique_fd> connections_;
  std::vector<std::thread> playing_;
  std::thread accepting_;
};

}  // namespace dbdyno
