#pragma once

#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstddef>

namespace dbdyno {

/// send() and recv(), but no cancellation points: in a process with more than one thread those cost 45
/// instructions more a call, and no thread here is ever cancelled. Returns and errno are the same.
inline ssize_t send_bytes(int fd, const void* bytes, std::size_t size, int flags) noexcept {
#if defined(SYS_sendto) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  return ::syscall(SYS_sendto, fd, bytes, size, flags, nullptr, 0);
#else
  return ::send(fd, bytes, size, flags);
#endif
}

inline ssize_t receive_bytes(int fd, void* bytes, std::size_t size, int flags) noexcept {
#if defined(SYS_recvfrom) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  return ::syscall(SYS_recvfrom, fd, bytes, size, flags, nullptr, nullptr);
#else
  return ::recv(fd, bytes, size, flags);
#endif
}

}  // namespace dbdyno
