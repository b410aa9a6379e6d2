#include <mysql.h>

#include "drivers/mysql/nonblocking_internal.hpp"
#include "drivers/mysql/text/driver.hpp"
#include "drivers/mysql/text/reply_internal.hpp"

namespace dbdyno {

/// One connection and the request in flight on it.
///
/// Sends with mysql_send_query and waits by itself: mysql_real_query would try to read at once, in vain.
class mysql_text::async::request {
 public:
  request(std::string_view driver, const connect_options& options)
      : connection_(driver, options, mysql_api::non_blocking),
        statements_(options.value_size, options.multiget_keys),
        value_(options.value_size),
        rows_statement_(rows_statement(options.rows_from.value_or(rows_source::table))),
        cells_(cells_capacity(options)) {}
  ~request() { mysql_free_result(result_); }
  request(request&&) = delete;

  mysql_connection& connection() noexcept { return connection_; }
  const mysql_connection& connection() const noexcept { return connection_; }
  op_status status() const noexcept { return status_; }
  std::string_view value() const noexcept {
    if (status_ == op_status::ok) {
      if (kind_ == kind::cells) return cells_.view();
      return kind_ == kind::get ? value_.view() : std::string_view();
    }
    return status_ == op_status::refused ? connection_.error_text() : std::string_view();
  }

  int start_get(const key& k) noexcept {
    kind_ = kind::get;
    return start(statements_.get(k));
  }
  int start_set(const key& k, std::string_view value) noexcept {
    kind_ = kind::set;
    if (value.size() > statements_.value_size()) return finish(reject_too_large(connection_));
    return start(statements_.set(k, value));
  }

  int start_read_rows() noexcept {
    kind_ = kind::cells;
    cells_.clear();
    return start(rows_statement_);
  }
  int start_multiget(std::span<const key> keys) noexcept {
    kind_ = kind::cells;
    cells_.clear();
    return start(statements_.multiget(keys));
  }

  int resume(int ready) noexcept {
    switch (step_) {
      case step::sending:
        return sent(mysql_send_query_cont(&failed_, handle(), ready));
      case step::sent:
        step_ = step::reading_head;
        return head_read(read_head());
      case step::reading_head:
        return head_read(mysql_read_query_result_cont(&reply_failed_, handle(), ready));
      case step::reading_row:
        return row_read(mysql_fetch_row_cont(&row_, result_, ready));
      case step::reading_end:
        return end_read(mysql_fetch_row_cont(&row_, result_, ready));
    }
    return 0;
  }

 private:
  enum class kind : std::uint8_t { get, set, cells };
  enum class step : std::uint8_t { sending, sent, reading_head, reading_row, reading_end };

  MYSQL* handle() const noexcept { return connection_.handle(); }

  int finish(op_status status) noexcept {
    status_ = status;
    return 0;
  }

  int start(std::string_view statement) noexcept {
    if (connection_.lost()) return finish(op_status::unsent);
    step_ = step::sending;
    return sent(mysql_send_query_start(&failed_, handle(), statement.data(), statement.size()));
  }

  int sent(int waits_for) noexcept {
    if (waits_for != 0) return waits_for;
    if (failed_ != 0) return finish(connection_.fail());
    step_ = step::sent;
    return MYSQL_WAIT_READ;
  }

  int read_head() noexcept { return mysql_read_query_result_start(&reply_failed_, handle()); }

  int head_read(int waits_for) noexcept {
    if (waits_for != 0) return waits_for;
    if (reply_failed_ != 0) return finish(connection_.fail());
    if (kind_ == kind::set) return finish(updated_rows(connection_, mysql_affected_rows(handle())));
    result_ = mysql_use_result(handle());
    if (result_ == nullptr) return finish(explain_no_result(connection_));
    step_ = step::reading_row;
    return row_read(mysql_fetch_row_start(&row_, result_));
  }

  int row_read(int waits_for) noexcept {
    if (waits_for != 0) return waits_for;
    status_ = kind_ == kind::cells ? op_status::ok : op_status::not_found;
    if (row_ == nullptr) return result_read();
    if (kind_ == kind::cells) return take_rows();
    status_ = take_text_value(connection_, result_, row_, value_);
    return read_end();
  }

  /// The rows that have arrived; the next one comes back here through end_read.
  int take_rows() noexcept {
    if (status_ == op_status::ok) status_ = take_text_cells(connection_, result_, row_, cells_);
    return read_end();
  }

  int read_end() noexcept {
    step_ = step::reading_end;
    return end_read(mysql_fetch_row_start(&row_, result_));
  }

  int end_read(int waits_for) noexcept {
    if (waits_for != 0) return waits_for;
    if (row_ == nullptr) return result_read();
    if (kind_ == kind::cells) return take_rows();
    status_ = reject_second_row(connection_);
    return read_end();
  }

  int result_read() noexcept {
    if (mysql_errno(handle()) != 0) status_ = connection_.fail();
    mysql_free_result(result_);
    result_ = nullptr;
    return 0;
  }

  mysql_connection connection_;
  mysql_statements statements_;
  mysql_value_buffer value_;
  std::string_view rows_statement_;
  cell_block cells_;
  MYSQL_RES* result_ = nullptr;
  MYSQL_ROW row_ = nullptr;
  int failed_ = 0;
  my_bool reply_failed_ = 0;
  kind kind_ = kind::get;
  step step_ = step::sending;
  op_status status_ = op_status::ok;
};

struct mysql_text::async::state : nonblocking_connections<request> {
  using nonblocking_connections::nonblocking_connections;
};

mysql_text::async::async(const connect_options& options)
    : state_(std::make_unique<state>(driver_name, options)) {
}
mysql_text::async::~async() = default;

submitted mysql_text::async::submit_get(slot s, const key& k) noexcept {
  return state_->submit_get(s, k);
}
submitted mysql_text::async::submit_set(slot s, const key& k, std::string_view value) noexcept {
  return state_->submit_set(s, k, value);
}
submitted mysql_text::async::submit_read_rows(slot s) noexcept {
  return state_->submit_read_rows(s);
}
submitted mysql_text::async::submit_multiget(slot s, std::span<const key> keys) noexcept {
  return state_->submit_multiget(s, keys);
}
unsigned mysql_text::async::poll_any(time_point wait_until, on_done_ref on_done) noexcept {
  return state_->poll(wait_until, on_done);
}
void mysql_text::async::give_up(std::uint32_t connection) noexcept {
  state_->give_up(connection);
}
void mysql_text::async::reopen(std::uint32_t connection, std::chrono::milliseconds limit) {
  state_->reopen(connection, limit);
}
std::vector<int> mysql_text::async::sockets() const {
  return state_->sockets();
}
void mysql_text::async::interrupt() noexcept {
  state_->interrupt();
}
std::string mysql_text::async::last_error() const {
  return state_->last_error();
}

}  // namespace dbdyno
