#include <hiredis/adapters/libevent.h>
#include <hiredis/async.h>
#include <sys/socket.h>

#include <utility>

#include "drivers/errors.hpp"
#include "drivers/redis/hiredis/session_internal.hpp"

namespace dbdyno {

using namespace hiredis;

struct hiredis_async::connection {
  connection() = default;
  connection(connection&&) = delete;
  ~connection() {
    // Calls back for what is in flight, while everything that a callback touches is still there.
    close();
  }

  /// What lasts as long as one session.
  struct session {
    bool connected = false;
    bool broken = false;
    bool given_up = false;
    std::size_t openings = 0;  ///< opening commands answered
    opening_failure failure;
    std::uint64_t unanswered = 0;  ///< once broken: bytes of the requests not told of yet, written or not
  };

  const char* why_lost() const noexcept {
    return current.given_up ? given_up_text.data() : context->c.errstr;
  }
  /// Frees the context, if there is one. Not to be called by what hiredis calls.
  void close() noexcept {
    if (context != nullptr) redisAsyncFree(context);
    // hiredis tells on_disconnect only of what was connected.
    context = nullptr;
  }

  hiredis_async* owner = nullptr;
  redisAsyncContext* context = nullptr;  ///< null once hiredis has freed it
  session current;
};

/// What hiredis calls; none of them frees or disconnects anything.
struct hiredis_async::callbacks {
  static void on_connect(const redisAsyncContext* context, int status) noexcept {
    connection& self = *static_cast<connection*>(context->data);
    if (status == REDIS_OK) {
      self.current.connected = true;
    } else {
      // hiredis frees the context after this call, without telling on_disconnect.
      self.current.failure = {"connect to", context->c.errstr};
      self.context = nullptr;
    }
  }

  static void on_opening_reply(redisAsyncContext* context, void* raw, void* privdata) noexcept {
    connection& self = *static_cast<connection*>(context->data);
    opening_failure& failure = self.current.failure;
    if (!failure.reason.empty()) return;
    const opening_command& asked = *static_cast<const opening_command*>(privdata);
    if (raw == nullptr) {
      failure = {asked.step, context->c.errstr};
    } else {
      failure = judge(asked, *static_cast<const redisReply*>(raw));
      ++self.current.openings;
    }
  }

  static void on_disconnect(const redisAsyncContext* context, int) noexcept {
    connection& self = *static_cast<connection*>(context->data);
    if (context->c.err != 0) self.owner->error_ = self.why_lost();
    self.context = nullptr;
  }

  static void on_reply(redisAsyncContext* context, void* raw, void* privdata) noexcept {
    request& asked = *static_cast<request*>(privdata);
    connection& from = *asked.via;
    hiredis_async& self = *from.owner;
    --self.in_flight_;
    asked.waits = false;
    const auto* const reply = static_cast<const redisReply*>(raw);
    // A reply comes by poll alone.
    if (reply != nullptr && asked.kind == request_kind::get && reply->type == REDIS_REPLY_STRING) [[likely]]
      return done(self, asked, op_status::ok, {reply->str, reply->len});
    on_other_reply(from, *context, asked, reply);
  }

 private:
  static void done(hiredis_async& self, const request& asked, op_status status,
                   std::string_view value) noexcept {
    ++self.done_;
    (*self.on_done_)(static_cast<slot>(&asked - self.requests_.data()), status, value);
  }

  /// reply: null for a request that was lost.
  [[gnu::noinline]] static void on_other_reply(connection& from, const redisAsyncContext& context,
                                               const request& asked, const redisReply* reply) noexcept {
    hiredis_async& self = *from.owner;
    // Null while the driver is being destroyed: nobody waits for this request any more.
    if (self.on_done_ == nullptr) return;
    std::string_view value;
    const op_status status =
        reply != nullptr ? self.status_of_reply(asked, *reply, value) : status_of_lost(from, context, asked);
    done(self, asked, status, value);
  }

  /// hiredis tells of lost requests in the order of their issue.
  static op_status status_of_lost(connection& from, const redisAsyncContext& context,
                                  const request& asked) noexcept {
    connection::session& session = from.current;
    const bool oldest = !std::exchange(session.broken, true);
    if (oldest) {
      from.owner->error_ = from.why_lost();
      session.unanswered = bytes_of(asked) + from.owner->bytes_waiting_on(from);
    }
    const std::uint64_t from_this_on = session.unanswered;
    session.unanswered -= bytes_of(asked);
    if (oldest && context.c.err == REDIS_ERR_PROTOCOL) return op_status::protocol;
    return from_this_on <= sdslen(context.c.obuf) ? op_status::unsent : op_status::disconnected;
  }
};

hiredis_async::hiredis_async(const connect_options& options, reply_memory memory)
    : where_(options.where),
      memory_(memory),
      pool_(make_pool(memory, options)),
      loop_(driver_name(memory), options.spin),
      window_(options.window),
      connection_count_(options.connections),
      value_size_(options.value_size),
      requests_(std::size_t{options.connections} * options.window),
      multiget_(options.multiget_keys),
      cells_(cells_capacity(options)),
      refused_(requests_.size()),
      may_fill_(options.window * largest_request(options) >= max_unwritten),
      connections_(std::make_unique<connection[]>(options.connections)) {
  check_address(memory_, where_);
  event_loop opening_loop(driver_name(memory_));
  const auto deadline = std::chrono::steady_clock::now() + options.connect_timeout;
  for (slot s = 0; s < requests_.size(); ++s) requests_[s].via = &connections_[s / window_];
  // One after the other, since a server's backlog may be shorter than the number of connections.
  for (std::uint32_t i = 0; i < connection_count_; ++i) {
    connections_[i].owner = this;
    try {
      open(connections_[i], deadline, options.connect_timeout, opening_loop);
    } catch (setup_error& error) {
      error.set_opened_before(i);
      throw;
    }
  }
}

hiredis_async::~hiredis_async() = default;

// On a loop of its own: the driver's would take the replies of other connections from hiredis, outside of
// poll, where nobody waits for them.
void hiredis_async::open(connection& opened, time_point deadline, std::chrono::milliseconds limit,
                         event_loop& opening_loop) {
  const auto openings = opening_commands(where_);
  opened.close();
  opened.current = {};
  connection::session& session = opened.current;
  const auto refuse = [&](std::string_view step, const std::string& reason) {
    session.failure = {step, reason};
    opened.close();
    fail(memory_, where_, step, reason);
  };

  opened.context = where_.via == transport::unix_socket ? redisAsyncConnectUnix(where_.path.c_str())
                                                        : redisAsyncConnect(where_.host.c_str(), where_.port);
  if (opened.context == nullptr) fail(memory_, where_, "connect to", "out of memory");
  opened.context->data = &opened;
  if (opened.context->err != 0) refuse("connect to", opened.context->errstr);
  redisLibeventAttach(opened.context, opening_loop.base());
  redisAsyncSetConnectCallback(opened.context, callbacks::on_connect);
  redisAsyncSetDisconnectCallback(opened.context, callbacks::on_disconnect);
  for (const opening_command& opening : openings) {
    auto argv = opening.argv();
    const auto sizes = opening.sizes();
    redisAsyncCommandArgv(opened.context, callbacks::on_opening_reply, const_cast<opening_command*>(&opening),
                          static_cast<int>(argv.size()), argv.data(), sizes.data());
  }
  while (session.failure.reason.empty() && session.openings < openings.size()) {
    if (std::chrono::steady_clock::now() >= deadline) {
      refuse(session.connected ? openings[session.openings].step : "connect to", no_answer_within(limit));
    }
    opening_loop.run_once(deadline);
  }
  // It may have been lost just after its last answer.
  if (session.failure.reason.empty() && opened.context == nullptr) {
    session.failure = {"connect to", "the server closed the connection"};
  }
  if (!session.failure.reason.empty()) {
    const opening_failure failure = session.failure;
    refuse(failure.step, failure.reason);
  }

  auto& events = opened.context->ev;
  events.cleanup(std::exchange(events.data, nullptr));
  redisLibeventAttach(opened.context, loop_.base());
  if (pool_) pool_->serve(opened.context->c);
}

[[gnu::always_inline]] inline submitted hiredis_async::submit(slot s, request_kind kind, std::size_t size,
                                                              int count, const char** words,
                                                              const std::size_t* sizes) noexcept {
  request& kept = requests_[s];
  redisAsyncContext* const context = kept.via->context;
  if (context == nullptr) [[unlikely]]
    return refused_.add(s, op_status::unsent);
  if (may_fill_ && sdslen(context->c.obuf) >= max_unwritten) [[unlikely]]
    return submitted::busy;
  // Counted before, so that nothing need be kept over the call.
  kept.size = static_cast<std::uint32_t>(size);
  kept.kind = kind;
  kept.waits = true;
  ++in_flight_;
  if (redisAsyncCommandArgv(context, callbacks::on_reply, &kept, count, words, sizes) != REDIS_OK)
      [[unlikely]]
    return refuse(s);
  return submitted::queued;
}

submitted hiredis_async::refuse(slot s) noexcept {
  requests_[s].waits = false;
  --in_flight_;
  return refused_.add(s, op_status::unsent);
}

submitted hiredis_async::submit_get(slot s, const key& k) noexcept {
  const char* words[] = {"GET", k.text().data()};
  const std::size_t sizes[] = {3, k.text().size()};
  return submit(s, request_kind::get, sizes[1], 2, words, sizes);
}

submitted hiredis_async::submit_set(slot s, const key& k, std::string_view value) noexcept {
  if (value.size() > value_size_) {
    error_ = value_too_long;
    return refused_.add(s, op_status::too_large);
  }
  command set = set_command(k, value);
  return submit(s, request_kind::set, wire_size(set.count, set.sizes.data()), set.count, set.words.data(),
                set.sizes.data());
}

submitted hiredis_async::submit_multiget(slot s, std::span<const key> keys) noexcept {
  multiget_.fill(keys);
  return submit(s, request_kind::multiget, wire_size(multiget_.count(), multiget_.sizes()), multiget_.count(),
                multiget_.words(), multiget_.sizes());
}

std::uint64_t hiredis_async::bytes_of(const request& asked) noexcept {
  if (asked.kind != request_kind::get) return asked.size;
  const std::size_t sizes[] = {3, asked.size};
  return wire_size(2, sizes);
}

std::uint64_t hiredis_async::bytes_waiting_on(const connection& via) const noexcept {
  const auto first = requests_.begin() + (&via - connections_.get()) * std::ptrdiff_t{window_};
  std::uint64_t bytes = 0;
  for (auto asked = first; asked != first + window_; ++asked) bytes += asked->waits ? bytes_of(*asked) : 0;
  return bytes;
}

op_status hiredis_async::status_of_reply(const request& asked, const redisReply& reply,
                                         std::string_view& value) noexcept {
  if (asked.kind != request_kind::multiget) return status_of(asked.kind, reply, value, value, error_);
  const op_status status = take_values(reply, cells_, error_);
  if (status == op_status::ok) value = cells_.view();
  if (status == op_status::refused) value = error_;
  return status;
}

void hiredis_async::give_up(std::uint32_t index) noexcept {
  connection& late = connections_[index];
  // hiredis closes a socket in the same step in which it frees the context.
  if (late.context == nullptr) return;
  late.current.given_up = true;
  ::shutdown(late.context->c.fd, SHUT_RDWR);
}

void hiredis_async::reopen(std::uint32_t index, std::chrono::milliseconds limit) {
  event_loop opening_loop(driver_name(memory_));
  open(connections_[index], std::chrono::steady_clock::now() + limit, limit, opening_loop);
}

std::vector<int> hiredis_async::sockets() const {
  std::vector<int> up;
  for (std::uint32_t i = 0; i < connection_count_; ++i) {
    if (const redisAsyncContext* const context = connections_[i].context; context != nullptr)
      up.push_back(context->c.fd);
  }
  return up;
}

void hiredis_async::interrupt() noexcept {
  interrupted_.store(true, std::memory_order_relaxed);
  loop_.wake();
}

unsigned hiredis_async::complete(time_point wait_until, on_done_ref on_done) noexcept {
  on_done_ = &on_done;
  done_ = refused_.complete(on_done);
  // Writes what is queued, but does not wait.
  if (done_ != 0 && in_flight_ != 0) [[unlikely]]
    loop_.run_once(time_point{});
  while (done_ == 0 && in_flight_ != 0) {
    loop_.run_once(wait_until);
    if (done_ != 0) break;
    if (interrupted_.load(std::memory_order_relaxed)) {
      // What waits fails by that; nothing is left to wait for where it has been done before.
      if (std::exchange(cut_off_, true)) break;
      for (const int socket : sockets()) ::shutdown(socket, SHUT_RDWR);
    } else if (std::chrono::steady_clock::now() >= wait_until) {
      break;
    }
  }
  on_done_ = nullptr;
  return done_;
}

}  // namespace dbdyno
