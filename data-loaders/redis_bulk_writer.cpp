#include "data-loaders/redis_bulk_writer.hpp"

#include <fmt/format.h>

#include <iterator>
#include <utility>

#include "drivers/redis/client.hpp"
#include "drivers/redis/resp.hpp"

namespace dbdyno {
namespace {

constexpr std::string_view step = "load";

// A server reads 16 KB at a time.
constexpr std::size_t command_size = std::size_t{12} * 1024;
constexpr std::size_t send_size = std::size_t{128} * 1024;
// Several sends on their way keep the server at work while the next is made; their replies fit any socket
// buffer, so that neither side waits for the other to read.
constexpr std::size_t most_unanswered = 64;

void append_bulk_string(std::string& out, std::string_view text) {
  const fmt::format_int size(text.size());
  out.push_back('$');
  out.append(size.data(), size.size());
  out.append("\r\n");
  out.append(text);
  out.append("\r\n");
}

}  // namespace

redis_bulk_writer::redis_bulk_writer(std::string_view loader, const target& where,
                                     std::chrono::milliseconds timeout)
    : stream_(loader, where, where.port, timeout), timeout_(timeout) {
  redis_handshake(stream_, where);
}

void redis_bulk_writer::add(std::string_view key, std::string_view value) {
  append_bulk_string(pairs_, key);
  append_bulk_string(pairs_, value);
  ++keys_in_command_;
  if (pairs_.size() >= command_size) close_command();
  if (unsent_.size() >= send_size) send();
}

void redis_bulk_writer::finish() {
  if (keys_in_command_ != 0) close_command();
  send();
  await_replies(0);
}

void redis_bulk_writer::close_command() {
  fmt::format_to(std::back_inserter(unsent_), "*{}\r\n$4\r\nMSET\r\n", 2 * keys_in_command_ + 1);
  unsent_ += pairs_;
  pairs_.clear();
  unanswered_.push_back(std::exchange(keys_in_command_, 0));
}

void redis_bulk_writer::send() {
  stream_.extend(timeout_);
  stream_.write(step, unsent_);
  unsent_.clear();
  await_replies(most_unanswered);
}

void redis_bulk_writer::await_replies(std::size_t allowed) {
  std::size_t at = 0;
  while (unanswered_.size() > allowed) {
    try {
      const auto parsed = parse_reply(std::string_view(stream_.received()).substr(at));
      if (!parsed) {
        stream_.extend(timeout_);
        stream_.read_more(step);
        continue;
      }
      if (parsed->reply.kind != resp_reply::type::status) stream_.fail(step, parsed->reply.text);
      at += parsed->consumed;
      stored_ += unanswered_.front();
      unanswered_.pop_front();
    } catch (const resp_error& error) {
      stream_.fail(step, error.what());
    }
  }
  stream_.consume(at);
}

}  // namespace dbdyno
