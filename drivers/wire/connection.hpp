#pragma once

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/socket.h>

#include <bit>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <memory>
#include <string>

#include "drivers/driver.hpp"
#include "drivers/wire/codec.hpp"
#include "drivers/wire/receive_buffer.hpp"
#include "drivers/wire/socket_calls.hpp"

namespace dbdyno {

/// One connection of a wire driver: requests queued for writing, the FIFO of those in flight, bytes received.
///
/// All memory is taken at construction. Once dead it stays dead: everything in flight has completed, and its
/// socket is closed only by the destructor, so that interrupt() never hits a descriptor that was given to
/// somebody else.
template <wire_codec Codec>
class wire_connection {
 public:
  explicit wire_connection(const connect_options& options)
      : codec_(options),
        out_(std::make_unique_for_overwrite<char[]>(Codec::request_capacity(options) * options.window)),
        out_begin_(out_.get()),
        out_end_(out_.get()),
        append_end_(out_.get()),
        append_limit_(out_.get() + Codec::request_capacity(options) * (options.window - 1) + 1),
        in_(receive_capacity),
        fifo_mask_(std::bit_ceil<std::size_t>(options.window) - 1),
        fifo_(std::make_unique<entry[]>(fifo_mask_ + 1)) {
    wire_stream stream(Codec::driver_name, options.where, Codec::port(options), options.connect_timeout);
    codec_.open(stream);
    fd_ = stream.release();
  }

  int fd() const noexcept { return fd_.get(); }
  bool dead() const noexcept { return dead_; }
  bool has_in_flight() const noexcept { return head_ != tail_; }
  bool has_unwritten() const noexcept { return out_begin_ != out_end_; }
  /// How the connection ended, if it did, and what the server said last.
  std::string error_text() const {
    const std::string ending = error_ != 0 ? std::strerror(error_) : error_note_;
    const std::string said = codec_.error_text();
    return ending.empty() || said.empty() ? ending + said : ending + ": " + said;
  }

  /// Sockets come non-blocking from the handshake.
  void make_blocking() noexcept { ::fcntl(fd(), F_SETFL, ::fcntl(fd(), F_GETFL) & ~O_NONBLOCK); }
  /// Threads: any.
  void interrupt() noexcept { ::shutdown(fd(), SHUT_RDWR); }
  /// Loses the connection at its next use.
  void give_up() noexcept {
    given_up_ = true;
    interrupt();
  }

  op_status check(std::string_view value) const noexcept { return codec_.check(value); }

  /// Whether append_* may be called: all that a submit needs to test. False before the first request after a
  /// flush, where the buffer is full, and once dead.
  bool open_for_append() const noexcept { return out_end_ < append_end_; }
  /// Returns false when dead.
  bool open_append() noexcept {
    if (dead_) return false;
    if (out_end_ >= append_limit_) {
      // The requests already written leave room at the front: at most `window` are in flight.
      const auto unwritten = static_cast<std::size_t>(out_end_ - out_begin_);
      std::memmove(out_.get(), out_begin_, unwritten);
      out_begin_ = out_.get();
      out_end_ = out_begin_ + unwritten;
    }
    append_end_ = append_limit_;
    return true;
  }

  /// The caller keeps at most `window` requests in flight, and opens first what is not open - but not the
  /// window of one, which always has room.
  void append_get(slot s, const key& k) noexcept {
    char* const begin = out_end_;
    append(s, op_kind::get, begin, codec_.append_get(begin, k));
  }
  void append_set(slot s, const key& k, std::string_view value) noexcept {
    char* const begin = out_end_;
    append(s, op_kind::set, begin, codec_.append_set(begin, k, value));
  }

  void append_read_rows(slot s) noexcept {
    char* const begin = out_end_;
    append(s, op_kind::block, begin, codec_.append_read_rows(begin));
  }
  void append_multiget(slot s, std::span<const key> keys) noexcept {
    char* const begin = out_end_;
    append(s, op_kind::block, begin, codec_.append_multiget(begin, keys));
  }

  enum class io { progress, would_block, lost };

  /// Writes what is queued, in one send() unless the kernel takes less.
  io flush(int flags) noexcept {
    while (out_begin_ != out_end_) {
      const ssize_t sent =
          send_bytes(fd(), out_begin_, static_cast<std::size_t>(out_end_ - out_begin_), MSG_NOSIGNAL | flags);
      if (sent >= 0) {
        out_begin_ += sent;
      } else if (errno == EAGAIN) {
        return io::would_block;
      } else if (errno != EINTR) {
        return lost(errno);
      }
    }
    empty_out();
    return io::progress;
  }

  /// One recv().
  io receive(int flags) noexcept {
    const ssize_t got = in_.receive(fd(), flags);
    if (got > 0) return io::progress;
    if (got < 0 && errno == EAGAIN) return io::would_block;
    return lost(got == 0 ? 0 : errno);
  }

  /// Of a connection with nothing in flight and room for one request only: asks for a key on the short way,
  /// on which its reply comes at once, alone, and is what is likely. Returns false where it did not; the
  /// request is then in flight as any other, and what has come of its reply is there to be completed.
  /// Lifetime: the value is there until the next receive.
  bool exchange_get(const key& k, int flags, std::string_view& value) noexcept {
    char* const begin = out_.get();
    char* const end = codec_.append_get(begin, k);
    const auto size = end - begin;
    const ssize_t sent = send_bytes(fd(), begin, static_cast<std::size_t>(size), MSG_NOSIGNAL);
    if (sent == size) [[likely]] {
      const auto likely = codec_.likely_get();
      const ssize_t got = in_.receive(fd(), flags);
      if (got == static_cast<ssize_t>(likely.size()) && likely.is_at(in_.begin())) [[likely]] {
        value = likely.value_at(in_.begin());
        in_.clear();
        return true;
      }
      append(0, op_kind::get, begin, end);
      empty_out();
      if (got <= 0 && !(got < 0 && errno == EAGAIN)) lost(got == 0 ? 0 : errno);
      return false;
    }
    const int error = errno;
    append(0, op_kind::get, begin, end);
    if (sent > 0) out_begin_ += sent;
    if (sent < 0 && error != EAGAIN && error != EINTR) lost(error);
    return false;
  }

  /// Completes what has wholly arrived; returns how many. A broken stream kills the connection and completes
  /// the rest.
  template <class OnDone>
  unsigned complete_arrived(OnDone& on_done) {
    char* at = in_.begin();
    char* const end = in_.end();
    // Copies: what on_done writes could be these members, for all the compiler knows.
    const entry* const fifo = fifo_.get();
    const std::uint64_t mask = fifo_mask_;
    const std::uint64_t first = head_;
    const std::uint64_t tail = tail_;
    std::uint64_t head = first;
    while (head != tail && at != end) {
      entry oldest = fifo[head & mask];
      if (oldest.is_get()) {
        // A loop of its own, on which no reply's status is looked at and little enough is live for registers.
        const auto likely = codec_.likely_get();
        while (oldest.is_get() && static_cast<std::size_t>(end - at) >= likely.size() && likely.is_at(at))
          [[likely]] {
            on_done(oldest.which(), op_status::ok, likely.value_at(at));
            at += likely.size();
            if (++head == tail) break;
            oldest = fifo[head & mask];
          }
        if (head == tail || at == end) break;
      }
      const decoded reply = codec_.decode(oldest.kind(), at, end);
      if (reply.consumed == 0) break;
      at += reply.consumed;
      ++head;
      on_done(oldest.which(), reply.status, reply.value);
      if (reply.status == op_status::protocol) [[unlikely]] {
        head_ = head;
        return static_cast<unsigned>(head - first) + abandon(on_done);
      }
    }
    head_ = head;
    const auto done = static_cast<unsigned>(head - first);
    if (head_ == tail_ && at != end) [[unlikely]] {
      error_note_ = fmt::format("{} bytes came that nothing asked for", end - at);
      dead_ = true;
      append_end_ = out_.get();
    }
    if (has_unwritten() && split_in_flight().answered_unsent) [[unlikely]] {
      // Going on would let more than `window` requests wait for being written, past the end of the buffer.
      error_note_ = "a reply came before its request was written";
      return done + abandon(on_done);
    }
    in_.consume(static_cast<std::size_t>(at - in_.begin()));
    return done;
  }

  /// Completes everything in flight on a connection that was lost: what was not written at all is unsent.
  template <class OnDone>
  unsigned complete_lost(OnDone& on_done) {
    unsigned done = 0;
    // A failed send() leaves replies to be read, and an error among them may say why the server hung up.
    while (has_in_flight() && in_.receive(fd(), MSG_DONTWAIT) > 0) done += complete_arrived(on_done);
    return done + abandon(on_done);
  }

 private:
  static constexpr std::size_t receive_capacity = 65536;

  template <class OnDone>
  unsigned abandon(OnDone& on_done) {
    dead_ = true;
    const std::uint64_t first_unsent = split_in_flight().first_unsent;
    empty_out();
    unsigned done = 0;
    for (; head_ != tail_; ++head_, ++done) {
      on_done(at(head_).which(), head_ < first_unsent ? op_status::disconnected : op_status::unsent,
              std::string_view{});
    }
    return done;
  }

  /// A request in flight, in one word: kind (0 for a get, whose sign is the cheapest bit to test), bytes of
  /// the request, slot.
  class entry {
   public:
    entry() noexcept = default;
    entry(slot which, op_kind kind, std::size_t bytes) noexcept
        : bits_(code_of(kind) << 62 | bytes << 32 | which) {}
    slot which() const noexcept { return static_cast<slot>(bits_); }
    bool is_get() const noexcept { return static_cast<std::int64_t>(bits_) >= 0; }
    op_kind kind() const noexcept {
      if (is_get()) return op_kind::get;
      return (bits_ >> 62 & 1) == 0 ? op_kind::set : op_kind::block;
    }
    std::size_t bytes() const noexcept { return bits_ >> 32 & 0x3fffffff; }

   private:
    static constexpr std::uint64_t code_of(op_kind kind) noexcept {
      if (kind == op_kind::get) return 0;
      return kind == op_kind::set ? 2 : 3;
    }

    std::uint64_t bits_ = 0;
  };

  struct in_flight_split {
    std::uint64_t first_unsent;  ///< from here to tail_ no byte of the requests was written
    bool answered_unsent;        ///< there are unwritten requests that are in flight no more
  };
  in_flight_split split_in_flight() const noexcept {
    auto unwritten = static_cast<std::size_t>(out_end_ - out_begin_);
    std::uint64_t first = tail_;
    while (first != head_ && at(first - 1).bytes() <= unwritten) unwritten -= at(--first).bytes();
    return {first, first == head_ && unwritten != 0};
  }

  const entry& at(std::uint64_t position) const noexcept { return fifo_[position & fifo_mask_]; }

  void append(slot s, op_kind kind, const char* begin, char* end) noexcept {
    const std::uint64_t tail = tail_;
    fifo_[tail & fifo_mask_] = entry(s, kind, static_cast<std::size_t>(end - begin));
    tail_ = tail + 1;
    out_end_ = end;
  }

  void empty_out() noexcept { out_begin_ = out_end_ = append_end_ = out_.get(); }

  io lost(int error) noexcept {
    dead_ = true;
    if (given_up_) {
      error_note_ = given_up_text;
    } else if (error != 0) {
      error_ = error;
    } else {
      error_note_ = "the server closed the connection";
    }
    return io::lost;
  }

  Codec codec_;
  unique_fd fd_;
  std::unique_ptr<char[]> out_;
  char* out_begin_;
  char* out_end_;
  char* append_end_;    ///< requests may begin before here: append_limit_, or out_ when there is more to do
  char* append_limit_;  ///< a request that begins before here surely fits
  receive_buffer in_;
  std::size_t fifo_mask_;  ///< its size, a power of two, less one
  std::unique_ptr<entry[]> fifo_;
  std::uint64_t head_ = 0;
  std::uint64_t tail_ = 0;
  bool dead_ = false;
  bool given_up_ = false;
  int error_ = 0;
  std::string error_note_;
};

}  // namespace dbdyno
