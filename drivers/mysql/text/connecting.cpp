#include <event2/event.h>
#include <mysql.h>
#include <sys/socket.h>

#include <atomic>
#include <cerrno>
#include <utility>
#include <vector>

#include "drivers/errors.hpp"
#include "drivers/event_loop.hpp"
#include "drivers/mysql/text/driver.hpp"

namespace dbdyno {

/// One get from connecting to closing.
class mysql_text::connecting::attempt {
 public:
  attempt(state& owner, slot number, const connect_options& options);
  ~attempt();
  attempt(attempt&&) = delete;

  bool busy() const noexcept { return step_ != step::idle; }
  slot number() const noexcept { return number_; }
  op_status status() const noexcept { return status_; }
  std::string_view value() const noexcept {
    if (status_ == op_status::ok) return value_.view();
    return status_ == op_status::refused ? std::string_view(error_) : std::string_view();
  }

  /// Returns whether it is over already.
  bool start(const key& k) noexcept;
  /// Makes it fail soon. why: what last_error() will say.
  void cut_off(const char* why) noexcept;
  /// Blocks until libmariadb's call is over, after cut_off().
  void finish_now() noexcept;

 private:
  enum class step : std::uint8_t { idle, connecting, querying, storing, closing };

  static void on_event(evutil_socket_t, short what, void* self) noexcept;
  MYSQL* handle() const noexcept { return handle_.get(); }

  /// Goes on as far as it can; returns whether it is over.
  bool advance(int waits_for) noexcept;
  int resume(int ready) noexcept;
  int query() noexcept;
  int store() noexcept;
  int take_result() noexcept;
  /// Null: nothing, and its value is in value_.
  const char* what_is_wrong_with(char** row) noexcept;
  int close(op_status status) noexcept;
  int fail(step at) noexcept;
  void over() noexcept;
  bool watch(int waits_for) noexcept;

  struct event_freer {
    void operator()(event* e) const noexcept { event_free(e); }
  };

  state& owner_;
  slot number_;
  std::string_view statement_;
  mysql_statements statements_;
  mysql_value_buffer value_;
  mysql_handle handle_;
  std::unique_ptr<event, event_freer> event_;
  step step_ = step::idle;
  op_status status_ = op_status::ok;
  std::string error_;  ///< of the latest request that failed
  MYSQL* connected_ = nullptr;
  MYSQL_RES* result_ = nullptr;
  int failed_ = 0;
  const char* cut_off_ = nullptr;  ///< why, if it was
};

struct mysql_text::connecting::state {
  explicit state(connect_options of) : options(std::move(of)), loop(driver_name, options.spin) {
    target& where = options.where;
    if (where.database.empty()) where.database = "hs_test";
    // Whatever is wrong with the target for good should be said before anything is timed.
    make_mysql_handle(driver_name, where, options.connect_timeout, mysql_api::non_blocking);
    for (slot s = 0; s < options.connections; ++s)
      attempts.push_back(std::make_unique<attempt>(*this, s, options));
    finished.reserve(options.connections);
  }

  connect_options options;
  event_loop loop;
  std::vector<attempt*> finished;  ///< and not yet told
  unsigned in_flight = 0;
  bool served = false;
  std::string error;
  std::atomic<bool> interrupted{false};
  // Destroyed first: what is on its way then fails, and says why in what stands above.
  std::vector<std::unique_ptr<attempt>> attempts;
};

mysql_text::connecting::attempt::attempt(state& owner, slot number, const connect_options& options)
    : owner_(owner),
      number_(number),
      statements_(options.value_size),
      value_(options.value_size),
      event_(event_new(owner.loop.base(), -1, 0, nullptr, nullptr)) {
  if (!event_)
    throw setup_error(driver_name, "watch connections to", options.where.masked(),
                      "libevent takes no more events");
}

mysql_text::connecting::attempt::~attempt() {
  cut_off("the driver was destroyed");
  finish_now();
}

bool mysql_text::connecting::attempt::start(const key& k) noexcept {
  statement_ = statements_.get(k);
  cut_off_ = nullptr;
  status_ = op_status::ok;
  const connect_options& options = owner_.options;
  try {
    handle_ = make_mysql_handle(driver_name, options.where, options.connect_timeout, mysql_api::non_blocking);
  } catch (const setup_error& error) {
    owner_.error = error_ = error.what();
    status_ = op_status::connect;
    return true;
  }
  step_ = step::connecting;
  const mysql_connect_arguments to = connect_arguments(options.where);
  return advance(mysql_real_connect_start(&connected_, handle(), to.host, to.user, to.password, to.database,
                                          to.port, to.socket, 0));
}

void mysql_text::connecting::attempt::cut_off(const char* why) noexcept {
  if (!busy() || handle_ == nullptr) return;
  cut_off_ = why;
  ::shutdown(static_cast<int>(mysql_get_socket(handle())), SHUT_RDWR);
}

void mysql_text::connecting::attempt::finish_now() noexcept {
  while (busy()) {
    event_del(event_.get());
    // A server that says nothing would keep it waiting.
    advance(resume(MYSQL_WAIT_TIMEOUT));
  }
}

void mysql_text::connecting::attempt::on_event(evutil_socket_t, short what, void* self) noexcept {
  attempt& me = *static_cast<attempt*>(self);
  me.owner_.served = true;
  int ready = 0;
  if ((what & EV_READ) != 0) ready |= MYSQL_WAIT_READ;
  if ((what & EV_WRITE) != 0) ready |= MYSQL_WAIT_WRITE;
  if ((what & EV_TIMEOUT) != 0) ready |= MYSQL_WAIT_TIMEOUT;
  if (me.advance(me.resume(ready))) me.owner_.finished.push_back(&me);
}

bool mysql_text::connecting::attempt::advance(int waits_for) noexcept {
  while (waits_for == 0) {
    switch (step_) {
      case step::connecting:
        waits_for = connected_ == nullptr ? fail(step::connecting) : query();
        break;
      case step::querying:
        waits_for = failed_ != 0 ? fail(step::querying) : store();
        break;
      case step::storing:
        waits_for = take_result();
        break;
      case step::closing:
        over();
        return true;
      case step::idle:
        return true;
    }
  }
  if (watch(waits_for)) return false;
  // Without an event nothing would ever resume it.
  cut_off("libevent takes no more events");
  return advance(resume(MYSQL_WAIT_TIMEOUT));
}

int mysql_text::connecting::attempt::resume(int ready) noexcept {
  switch (step_) {
    case step::connecting:
      return mysql_real_connect_cont(&connected_, handle(), ready);
    case step::querying:
      return mysql_real_query_cont(&failed_, handle(), ready);
    case step::storing:
      return mysql_store_result_cont(&result_, handle(), ready);
    case step::closing:
      return mysql_close_cont(handle(), ready);
    case step::idle:
      break;
  }
  return 0;
}

int mysql_text::connecting::attempt::query() noexcept {
  step_ = step::querying;
  return mysql_real_query_start(&failed_, handle(), statement_.data(), statement_.size());
}

int mysql_text::connecting::attempt::store() noexcept {
  step_ = step::storing;
  return mysql_store_result_start(&result_, handle());
}

int mysql_text::connecting::attempt::take_result() noexcept {
  if (result_ == nullptr) {
    if (mysql_errno(handle()) != 0) return fail(step::storing);
    owner_.error = error_ = "the reply holds no rows";
    return close(op_status::wrong_reply);
  }
  op_status status = op_status::not_found;
  if (char** const row = mysql_fetch_row(result_)) {
    const char* const wrong = what_is_wrong_with(row);
    status = wrong == nullptr ? op_status::ok : op_status::wrong_reply;
    if (wrong != nullptr) owner_.error = error_ = wrong;
  }
  mysql_free_result(result_);
  result_ = nullptr;
  return close(status);
}

const char* mysql_text::connecting::attempt::what_is_wrong_with(char** row) noexcept {
  if (row[0] == nullptr) return "the value is NULL";
  if (!value_.assign(row[0], mysql_fetch_lengths(result_)[0]))
    return "the value is longer than the values of the data set";
  return mysql_fetch_row(result_) == nullptr ? nullptr : "more than one row";
}

int mysql_text::connecting::attempt::fail(step at) noexcept {
  if (cut_off_ != nullptr) {
    owner_.error = error_ = cut_off_;
    return close(op_status::disconnected);
  }
  owner_.error = error_ = mysql_error_text(handle());
  return close(at == step::connecting ? op_status::connect : classify_mysql_error(mysql_errno(handle())));
}

int mysql_text::connecting::attempt::close(op_status status) noexcept {
  status_ = status;
  step_ = step::closing;
  return mysql_close_start(handle());
}

void mysql_text::connecting::attempt::over() noexcept {
  step_ = step::idle;
  // mysql_close_start and _cont have freed it.
  static_cast<void>(handle_.release());
}

bool mysql_text::connecting::attempt::watch(int waits_for) noexcept {
  short what = 0;
  if ((waits_for & MYSQL_WAIT_READ) != 0) what |= EV_READ;
  if ((waits_for & MYSQL_WAIT_WRITE) != 0) what |= EV_WRITE;
  // The socket is another one with every get.
  if (event_assign(event_.get(), owner_.loop.base(), static_cast<int>(mysql_get_socket(handle())), what,
                   &on_event, this) != 0)
    return false;
  if ((waits_for & MYSQL_WAIT_TIMEOUT) == 0) return event_add(event_.get(), nullptr) == 0;
  const unsigned milliseconds = mysql_get_timeout_value_ms(handle());
  const timeval limit{milliseconds / 1000, static_cast<suseconds_t>(milliseconds % 1000) * 1000};
  return event_add(event_.get(), &limit) == 0;
}

mysql_text::connecting::connecting(const connect_options& options)
    : state_(std::make_unique<state>(options)) {
}
mysql_text::connecting::~connecting() = default;

submitted mysql_text::connecting::submit_get(slot s, const key& k) noexcept {
  attempt& one = *state_->attempts[s];
  if (one.busy()) return submitted::busy;
  ++state_->in_flight;
  if (one.start(k)) state_->finished.push_back(&one);
  return submitted::queued;
}

unsigned mysql_text::connecting::poll_any(time_point wait_until, on_done_ref on_done) noexcept {
  state& all = *state_;
  if (all.interrupted.load(std::memory_order_relaxed)) {
    for (const auto& one : all.attempts) one->cut_off("interrupted");
  }
  // A wait that ends without an event has met wait_until or a wake-up, unless the loop spins.
  do {
    all.served = false;
    if (all.in_flight == 0) break;
    all.loop.run_once(all.finished.empty() ? wait_until : time_point{});
  } while (all.finished.empty() && (all.served || all.loop.spins_on(wait_until)));
  const auto done = static_cast<unsigned>(all.finished.size());
  for (const attempt* one : all.finished) on_done(one->number(), one->status(), one->value());
  all.finished.clear();
  all.in_flight -= done;
  return done;
}

void mysql_text::connecting::give_up(std::uint32_t connection) noexcept {
  // The harness knows it for a time-out.
  state_->attempts[connection]->cut_off(given_up_text.data());
}

void mysql_text::connecting::interrupt() noexcept {
  state_->interrupted.store(true, std::memory_order_relaxed);
  state_->loop.wake();
}

std::string mysql_text::connecting::last_error() const {
  return state_->error;
}

}  // namespace dbdyno
