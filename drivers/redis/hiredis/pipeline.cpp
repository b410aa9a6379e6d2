#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/timerfd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>

#include "drivers/redis/hiredis/session_internal.hpp"

namespace dbdyno {

using namespace hiredis;

hiredis_pipeline::hiredis_pipeline(const connect_options& options, reply_memory memory)
    : pool_(make_pool(memory, options)),
      context_(connect(memory, options)),
      fd_(context_->fd),
      timer_(::timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK)),
      value_size_(options.value_size),
      in_flight_(std::bit_ceil<std::size_t>(options.window)),
      refused_(options.window),
      spin_(options.spin) {
  // On a blocking socket redisBufferWrite could wait for a server that waits for us to read.
  if (!timer_ || ::fcntl(fd_, F_SETFL, ::fcntl(fd_, F_GETFL) | O_NONBLOCK) != 0) {
    fail(memory, options.where, "connect to", std::strerror(errno));
  }
  context_->flags &= ~REDIS_BLOCK;
  arm(armed_);
  if (pool_) pool_->serve(*context_);
}

submitted hiredis_pipeline::submit_get(slot s, const key& k) noexcept {
  return submit(s, request_kind::get, get_command(k));
}

submitted hiredis_pipeline::submit_set(slot s, const key& k, std::string_view value) noexcept {
  if (value.size() > value_size_) {
    error_ = value_too_long;
    return refused_.add(s, op_status::too_large);
  }
  return submit(s, request_kind::set, set_command(k, value));
}

void hiredis_pipeline::give_up(std::uint32_t) noexcept {
  given_up_ = true;
  interrupt();
}

void hiredis_pipeline::interrupt() const noexcept {
  ::shutdown(fd_, SHUT_RDWR);
}

std::vector<int> hiredis_pipeline::sockets() const {
  return lost_ ? std::vector<int>{} : std::vector<int>{fd_};
}

submitted hiredis_pipeline::submit(slot s, request_kind kind, command&& command) noexcept {
  if (lost_) [[unlikely]]
    return refused_.add(s, op_status::unsent);
  const std::size_t unwritten = sdslen(context_->obuf);
  if (unwritten >= max_unwritten) [[unlikely]]
    return submitted::busy;
  if (redisAppendCommandArgv(context_.get(), command.count, command.words.data(), command.sizes.data()) !=
      REDIS_OK) [[unlikely]] {
    // Out of memory: hiredis will not use this context any more, which the next poll finds out.
    error_ = context_->errstr;
    return refused_.add(s, op_status::unsent);
  }
  in_flight_[tail_ & (in_flight_.size() - 1)] = {written_ + unwritten, s, kind};
  ++tail_;
  return submitted::queued;
}

unsigned hiredis_pipeline::complete(time_point wait_until, on_done_ref on_done) noexcept {
  unsigned done = refused_.complete(on_done);
  while (head_ != tail_) {
    if (!write_some()) return done + complete_lost(on_done);
    if (done != 0 || !wait_for_socket(wait_until)) break;
    if (redisBufferRead(context_.get()) != REDIS_OK) return done + complete_lost(on_done);
    done += complete_arrived(on_done);
    if (done != 0) break;
  }
  return done;
}

bool hiredis_pipeline::write_some() noexcept {
  const std::size_t before = sdslen(context_->obuf);
  const bool holds = redisBufferWrite(context_.get(), nullptr) == REDIS_OK;
  unwritten_ = sdslen(context_->obuf);
  written_ += before - unwritten_;
  return holds;
}

unsigned hiredis_pipeline::complete_arrived(on_done_ref on_done) noexcept {
  redisReader& reader = *context_->reader;
  const free_reply freeing{pool_ ? reply_memory::pooled : reply_memory::objects};
  unsigned done = 0;
  for (;;) {
    void* raw = nullptr;
    // redisGetReply would do the same for each reply by way of the context, at 49 instructions more.
    if (redisReaderGetReply(&reader, &raw) != REDIS_OK) {
      context_->err = reader.err;
      std::memcpy(context_->errstr, reader.errstr, sizeof reader.errstr);
      return done + complete_lost(on_done);
    }
    if (raw == nullptr) return done;
    const unique_reply reply(static_cast<redisReply*>(raw), freeing);
    if (head_ == tail_) [[unlikely]] {
      // Every later reply would be taken for its neighbour's.
      lost_ = true;
      error_ = reply->type == REDIS_REPLY_ERROR ? reply->str : "a reply came that nothing asked for";
      return done;
    }
    const request asked = in_flight_[head_ & (in_flight_.size() - 1)];
    ++head_;
    ++done;
    std::string_view value;
    const op_status status = status_of(asked.kind, *reply, value, value, error_);
    on_done(asked.which, status, value);
  }
}

unsigned hiredis_pipeline::complete_lost(on_done_ref on_done) noexcept {
  lost_ = true;
  error_ = given_up_ ? given_up_text.data() : context_->errstr;
  op_status broken = context_->err == REDIS_ERR_PROTOCOL ? op_status::protocol : op_status::disconnected;
  unsigned done = 0;
  for (; head_ != tail_; ++head_, ++done) {
    const request& asked = in_flight_[head_ & (in_flight_.size() - 1)];
    on_done(asked.which, asked.begin >= written_ ? op_status::unsent : broken, {});
    broken = op_status::disconnected;
  }
  return done;
}

void hiredis_pipeline::arm(time_point when) noexcept {
  armed_ = when;
  // A zero time would disarm the timer.
  const auto at = std::max<std::int64_t>(1, std::chrono::nanoseconds(when.time_since_epoch()).count());
  const itimerspec once{{}, {at / 1'000'000'000, at % 1'000'000'000}};
  ::timerfd_settime(timer_.get(), TFD_TIMER_ABSTIME, &once, nullptr);
}

bool hiredis_pipeline::wait_for_socket(time_point wait_until) noexcept {
  if (wait_until != armed_) arm(wait_until);
  pollfd waiting[] = {{fd_, static_cast<short>(unwritten_ != 0 ? POLLIN | POLLOUT : POLLIN), 0},
                      {timer_.get(), POLLIN, 0}};
  int ready = 0;
  do {
    ready = ::poll(waiting, 2, spin_ ? 0 : -1);
  } while (ready == 0 || (ready < 0 && errno == EINTR));
  return waiting[0].revents != 0;
}

}  // namespace dbdyno
