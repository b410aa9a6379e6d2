#pragma once

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <cstdint>

#include "drivers/wire/unique_fd.hpp"

namespace dbdyno {

/// For tests: a TCP socket that listens on a free port. Unless the test accepts, nobody does: the kernel
/// completes the connections, and not a word is ever said on them.
class local_listener {
 public:
  explicit local_listener(const char* address = "127.0.0.1")
      : fd_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in at{};
    at.sin_family = AF_INET;
    EXPECT_EQ(::inet_pton(AF_INET, address, &at.sin_addr), 1);
    auto* const generic = reinterpret_cast<sockaddr*>(&at);
    socklen_t size = sizeof at;
    EXPECT_EQ(::bind(fd_.get(), generic, size), 0);
    EXPECT_EQ(::listen(fd_.get(), SOMAXCONN), 0);
    EXPECT_EQ(::getsockname(fd_.get(), generic, &size), 0);
    port_ = ntohs(at.sin_port);
  }

  std::uint16_t port() const noexcept { return port_; }
  void close() noexcept { fd_.reset(); }
  /// Blocks until somebody has connected.
  unique_fd accept() const { return unique_fd(::accept4(fd_.get(), nullptr, nullptr, SOCK_CLOEXEC)); }

 private:
  unique_fd fd_;
  std::uint16_t port_ = 0;
};

}  // namespace dbdyno
