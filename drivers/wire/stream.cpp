#include "drivers/wire/stream.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <netdb.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>

#include "drivers/errors.hpp"

namespace dbdyno {
namespace {

constexpr std::string_view connecting = "connect to";
constexpr std::string_view opening = "open a session at";

struct address_list_deleter {
  void operator()(addrinfo* list) const noexcept { freeaddrinfo(list); }
};

}  // namespace

wire_stream::wire_stream(std::string_view driver, const target& where, std::uint16_t port,
                         std::chrono::milliseconds timeout)
    : driver_(driver), target_(where.masked()) {
  extend(timeout);
  const auto connect_socket = [this](const sockaddr* address, socklen_t size) {
    fd_.reset(::socket(address->sa_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    if (!fd_) return errno;
    // EAGAIN: a unix socket whose backlog is full. It cannot be waited for, so it counts as refused.
    if (::connect(fd_.get(), address, size) == 0) return 0;
    if (errno != EINPROGRESS) return errno;
    wait_for(POLLOUT, connecting);
    int error = 0;
    socklen_t error_size = sizeof error;
    ::getsockopt(fd_.get(), SOL_SOCKET, SO_ERROR, &error, &error_size);
    return error;
  };

  if (where.via == transport::unix_socket) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    if (where.path.size() >= sizeof address.sun_path) {
      fail(connecting, fmt::format("a socket's path may have {} bytes, this one has {}",
                                   sizeof address.sun_path - 1, where.path.size()));
    }
    std::memcpy(address.sun_path, where.path.c_str(), where.path.size() + 1);
    const int error = connect_socket(reinterpret_cast<const sockaddr*>(&address), sizeof address);
    if (error != 0) fail(connecting, std::strerror(error));
    return;
  }

  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  const int lookup = ::getaddrinfo(where.host.c_str(), std::to_string(port).c_str(), &hints, &found);
  if (lookup != 0) fail(connecting, ::gai_strerror(lookup));
  const std::unique_ptr<addrinfo, address_list_deleter> addresses(found);
  int error = 0;
  for (const addrinfo* a = addresses.get(); a != nullptr; a = a->ai_next) {
    error = connect_socket(a->ai_addr, a->ai_addrlen);
    if (error == 0) break;
  }
  if (error != 0) fail(connecting, std::strerror(error));
  const int on = 1;
  ::setsockopt(fd_.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

void wire_stream::extend(std::chrono::milliseconds timeout) noexcept {
  deadline_ = std::chrono::steady_clock::now() + timeout;
}

void wire_stream::write(std::string_view step, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = ::send(fd_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent >= 0) {
      bytes.remove_prefix(static_cast<std::size_t>(sent));
    } else if (errno == EAGAIN) {
      wait_for(POLLOUT, step);
    } else if (errno != EINTR) {
      fail(step, std::strerror(errno));
    }
  }
}

void wire_stream::read_more(std::string_view step) {
  while (true) {
    char chunk[16384];
    const ssize_t got = ::recv(fd_.get(), chunk, sizeof chunk, 0);
    if (got > 0) {
      received_.append(chunk, static_cast<std::size_t>(got));
      return;
    }
    if (got == 0) fail(step, "the server closed the connection");
    if (errno == EAGAIN) {
      wait_for(POLLIN, step);
    } else if (errno != EINTR) {
      fail(step, std::strerror(errno));
    }
  }
}

void wire_stream::fail(std::string_view step, std::string_view reason) const {
  throw setup_error(driver_, step, target_, reason);
}

unique_fd wire_stream::release() {
  if (!received_.empty())
    fail(opening, fmt::format("{} bytes came that nothing asked for", received_.size()));
  return std::move(fd_);
}

void wire_stream::wait_for(short events, std::string_view step) const {
  while (true) {
    const auto left =
        std::chrono::ceil<std::chrono::milliseconds>(deadline_ - std::chrono::steady_clock::now());
    pollfd waiting{fd_.get(), events, 0};
    const int ready = left.count() <= 0 ? 0 : ::poll(&waiting, 1, static_cast<int>(left.count()));
    if (ready > 0) return;
    if (ready == 0) fail(step, "timed out");
    if (errno != EINTR) fail(step, std::strerror(errno));
  }
}

}  // namespace dbdyno
