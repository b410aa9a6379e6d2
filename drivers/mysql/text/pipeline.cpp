#include <mysql.h>
// After mysql.h, whose types it needs.
#include <ma_pvio.h>
#include <sys/socket.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "drivers/mysql/text/driver.hpp"
#include "drivers/mysql/text/reply_internal.hpp"
#include "drivers/socket_wait.hpp"

namespace dbdyno {
namespace {

// What one write takes of a socket's send buffer: the kernel accounts for whole buffers, whose sizes are
// powers of two and which hold about 320 bytes of its own, and 256 bytes that describe each of them.
constexpr std::size_t send_buffer_share(std::size_t bytes) {
  return 2 * bytes + 1024;
}

std::size_t send_buffer_of(int fd) noexcept {
  int size = 0;
  socklen_t size_of_size = sizeof size;
  ::getsockopt(fd, SOL_SOCKET, SO_SNDBUF, &size, &size_of_size);
  return static_cast<std::size_t>(std::max(size, 0));
}

// libmariadb reads ahead; what it holds already never makes the socket readable again.
bool holds_unread_bytes(const MYSQL* handle) noexcept {
  const MARIADB_PVIO* const io = handle->net.pvio;
  return io != nullptr && io->cache_pos != nullptr && io->cache_pos < io->cache + io->cache_size;
}

}  // namespace

mysql_text::pipeline::pipeline(const connect_options& options)
    : connection_(driver_name, options, mysql_api::blocking),
      statements_(options.value_size),
      value_(options.value_size),
      spin_(options.spin),
      statement_capacity_(mysql_statements::capacity(options.value_size)),
      send_buffer_(send_buffer_of(connection_.fd())),
      ring_(std::bit_ceil(options.window)),
      ring_mask_(ring_.size() - 1),
      // Written only when a request has to wait, so that most of it never takes memory.
      parked_(new char[ring_.size() * statement_capacity_]) {
}

mysql_text::pipeline::~pipeline() {
  // libmariadb says goodbye with a blocking write.
  if (unanswered_ != 0) connection_.interrupt();
}

submitted mysql_text::pipeline::submit_get(slot s, const key& k) noexcept {
  return take(s, true, statements_.get(k));
}

submitted mysql_text::pipeline::submit_set(slot s, const key& k, std::string_view value) noexcept {
  if (value.size() <= statements_.value_size()) return take(s, false, statements_.set(k, value));
  if (unanswered_ == ring_.size()) return submitted::busy;
  append(s, stage::failed, reject_too_large(connection_));
  return submitted::queued;
}

submitted mysql_text::pipeline::take(slot s, bool is_get, std::string_view statement) noexcept {
  if (unanswered_ == ring_.size()) return submitted::busy;
  const std::uint64_t number = oldest_ + unanswered_;
  request& r = append(s, stage::waiting, op_status::ok);
  r.is_get = is_get;
  r.size = statement.size();
  if (next_to_send_ == number && fits(statement.size())) {
    ++next_to_send_;
    send(r, statement);
  } else {
    std::memcpy(parked(number), statement.data(), statement.size());
  }
  return submitted::queued;
}

mysql_text::pipeline::request& mysql_text::pipeline::append(slot s, stage at_stage,
                                                            op_status failure) noexcept {
  request& r = at(oldest_ + unanswered_++);
  r.number = s;
  r.at = at_stage;
  r.failure = failure;
  return r;
}

bool mysql_text::pipeline::fits(std::size_t statement_size) const noexcept {
  return reserved_ == 0 || reserved_ + send_buffer_share(statement_size) <= send_buffer_;
}

void mysql_text::pipeline::send(request& r, std::string_view statement) noexcept {
  if (connection_.lost()) {
    r.at = stage::failed;
    r.failure = op_status::unsent;
  } else if (mysql_send_query(connection_.handle(), statement.data(), statement.size()) != 0) {
    r.at = stage::failed;
    r.failure = connection_.fail();
  } else {
    r.at = stage::sent;
    reserved_ += send_buffer_share(statement.size());
  }
}

void mysql_text::pipeline::send_waiting() noexcept {
  for (; next_to_send_ != oldest_ + unanswered_; ++next_to_send_) {
    request& r = at(next_to_send_);
    if (r.at == stage::failed) continue;
    if (!connection_.lost() && !fits(r.size)) break;
    send(r, {parked(next_to_send_), r.size});
  }
}

op_status mysql_text::pipeline::finish(const request& oldest, std::string_view& value) noexcept {
  if (oldest.at == stage::failed) return oldest.failure;
  reserved_ -= send_buffer_share(oldest.size);
  if (connection_.lost()) return op_status::disconnected;
  op_status status = op_status::ok;
  if (mysql_read_query_result(connection_.handle()) != 0) {
    status = connection_.fail();
  } else if (!oldest.is_get) {
    return updated_rows(connection_, mysql_affected_rows(connection_.handle()));
  } else {
    status = read_text_value(connection_, value_);
    if (status == op_status::ok) {
      value = value_.view();
      return status;
    }
  }
  if (status == op_status::refused) value = connection_.error_text();
  return status;
}

unsigned mysql_text::pipeline::poll_any(time_point wait_until, on_done_ref on_done) noexcept {
  unsigned completed = 0;
  send_waiting();
  while (unanswered_ != 0) {
    const request oldest = at(oldest_);
    if (oldest.at == stage::sent && !connection_.lost() && !holds_unread_bytes(connection_.handle()) &&
        (completed != 0 || !wait_for_socket(connection_.fd(), POLLIN, wait_until, spin_)))
      break;
    std::string_view value;
    const op_status status = finish(oldest, value);
    ++oldest_;
    --unanswered_;
    ++completed;
    // Before the next statement is sent: if that failed, its text would take the place of the value.
    on_done(oldest.number, status, value);
    send_waiting();
  }
  return completed;
}

}  // namespace dbdyno
