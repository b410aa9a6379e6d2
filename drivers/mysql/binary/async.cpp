#include <mysql.h>

#include "drivers/mysql/binary/driver.hpp"
#include "drivers/mysql/nonblocking_internal.hpp"

namespace dbdyno {

/// One connection and the request in flight on it.
class mysql_binary::async::request {
 public:
  request(std::string_view driver, const connect_options& options)
      : prepared_(driver, options, mysql_api::non_blocking) {}

  mysql_connection& connection() noexcept { return prepared_.connection(); }
  const mysql_connection& connection() const noexcept { return prepared_.connection(); }
  op_status status() const noexcept { return status_; }
  std::string_view value() const noexcept {
    if (status_ == op_status::ok) {
      if (kind_ == kind::several) return prepared_.several().view();
      return kind_ == kind::get ? prepared_.fetched_value() : std::string_view();
    }
    return status_ == op_status::refused ? connection().error_text() : std::string_view();
  }

  int start_get(const key& k) noexcept {
    kind_ = kind::get;
    prepared_.write_id(k);
    return start();
  }
  int start_set(const key& k, std::string_view value) noexcept {
    kind_ = kind::set;
    prepared_.write_id(k);
    const op_status status = prepared_.write_value(value);
    return status == op_status::ok ? start() : finish(status);
  }

  int start_read_rows() noexcept {
    kind_ = kind::several;
    prepared_.several().clear();
    return start();
  }
  int start_multiget(std::span<const key> keys) noexcept {
    prepared_.write_ids(keys);
    return start_read_rows();
  }

  int resume(int ready) noexcept {
    switch (step_) {
      case step::executing:
        return executed(mysql_stmt_execute_cont(&result_, statement(), ready));
      case step::fetching_row:
        return row_fetched(mysql_stmt_fetch_cont(&result_, statement(), ready));
      case step::fetching_end:
        return end_fetched(mysql_stmt_fetch_cont(&result_, statement(), ready));
      case step::fetching_cells:
        return cells_fetched(mysql_stmt_fetch_cont(&result_, statement(), ready));
    }
    return 0;
  }

 private:
  enum class kind : std::uint8_t { get, set, several };
  enum class step : std::uint8_t { executing, fetching_row, fetching_end, fetching_cells };

  MYSQL_STMT* statement() const noexcept {
    if (kind_ == kind::several) return prepared_.select_several();
    return kind_ == kind::get ? prepared_.select() : prepared_.update();
  }

  int finish(op_status status) noexcept {
    status_ = status;
    return 0;
  }

  int start() noexcept {
    if (connection().lost()) return finish(op_status::unsent);
    step_ = step::executing;
    return executed(mysql_stmt_execute_start(&result_, statement()));
  }

  int executed(int waits_for) noexcept {
    if (waits_for != 0) return waits_for;
    if (result_ != 0) return finish(prepared_.fail(statement()));
    if (kind_ == kind::set) return finish(prepared_.updated_rows());
    if (kind_ == kind::several) {
      status_ = op_status::ok;
      return fetch_cells();
    }
    step_ = step::fetching_row;
    return row_fetched(mysql_stmt_fetch_start(&result_, statement()));
  }

  int fetch_cells() noexcept {
    step_ = step::fetching_cells;
    return cells_fetched(mysql_stmt_fetch_start(&result_, statement()));
  }

  int cells_fetched(int waits_for) noexcept {
    if (waits_for != 0) return waits_for;
    status_ = prepared_.take_cells(result_, status_);
    return mysql_prepared::is_row(result_) ? fetch_cells() : 0;
  }

  int row_fetched(int waits_for) noexcept {
    if (waits_for != 0) return waits_for;
    status_ = prepared_.take_row(result_);
    return mysql_prepared::is_row(result_) ? fetch_end() : 0;
  }

  int fetch_end() noexcept {
    step_ = step::fetching_end;
    return end_fetched(mysql_stmt_fetch_start(&result_, statement()));
  }

  int end_fetched(int waits_for) noexcept {
    if (waits_for != 0) return waits_for;
    status_ = prepared_.take_end(result_, status_);
    return mysql_prepared::is_row(result_) ? fetch_end() : 0;
  }

  mysql_prepared prepared_;
  int result_ = 0;
  kind kind_ = kind::get;
  step step_ = step::executing;
  op_status status_ = op_status::ok;
};

struct mysql_binary::async::state : nonblocking_connections<request> {
  using nonblocking_connections::nonblocking_connections;
};

mysql_binary::async::async(const connect_options& options)
    : state_(std::make_unique<state>(driver_name, options)) {
}
mysql_binary::async::~async() = default;

submitted mysql_binary::async::submit_get(slot s, const key& k) noexcept {
  return state_->submit_get(s, k);
}
submitted mysql_binary::async::submit_set(slot s, const key& k, std::string_view value) noexcept {
  return state_->submit_set(s, k, value);
}
submitted mysql_binary::async::submit_read_rows(slot s) noexcept {
  return state_->submit_read_rows(s);
}
submitted mysql_binary::async::submit_multiget(slot s, std::span<const key> keys) noexcept {
  return state_->submit_multiget(s, keys);
}
unsigned mysql_binary::async::poll_any(time_point wait_until, on_done_ref on_done) noexcept {
  return state_->poll(wait_until, on_done);
}
void mysql_binary::async::give_up(std::uint32_t connection) noexcept {
  state_->give_up(connection);
}
void mysql_binary::async::reopen(std::uint32_t connection, std::chrono::milliseconds limit) {
  state_->reopen(connection, limit);
}
std::vector<int> mysql_binary::async::sockets() const {
  return state_->sockets();
}
void mysql_binary::async::interrupt() noexcept {
  state_->interrupt();
}
std::string mysql_binary::async::last_error() const {
  return state_->last_error();
}

}  // namespace dbdyno
