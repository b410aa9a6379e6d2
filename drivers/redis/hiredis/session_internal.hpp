#pragma once

#include <hiredis/hiredis.h>

#include <array>
#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "drivers/connect_options.hpp"
#include "drivers/redis/hiredis/driver.hpp"
#include "drivers/redis/hiredis/reply_pool_internal.hpp"

/// What the three modes share. Includes hiredis.h: for this folder's sources only.
namespace dbdyno::hiredis {

/// As errors name the driver.
constexpr std::string_view driver_name(reply_memory memory) noexcept {
  return memory == reply_memory::objects ? "redis/hiredis" : "redis/hiredis_pooled";
}

/// Bytes waiting to be written on one connection beyond which a submit is busy. hiredis would take any
/// amount, but moves the rest to the front after each partial write: with sockets that take about 200 KB at a
/// time, a byte is moved 20 times at most.
inline constexpr std::size_t max_unwritten = std::size_t{4} << 20;

/// last_error() after too_large.
inline constexpr std::string_view value_too_long = refused_requests::too_large_text;

/// The words of one request, as redisCommandArgv takes them. Views what it was made from.
struct command {
  int count;
  std::array<const char*, 3> words;
  std::array<std::size_t, 3> sizes;
};

/// Bytes of a command as hiredis writes it. Source: RESP2, arrays of bulk strings.
inline std::size_t wire_size(int count, const std::size_t* sizes) noexcept {
  const auto digits = [](std::size_t n) {
    std::size_t out = 1;
    while (n >= 10) {
      n /= 10;
      ++out;
    }
    return out;
  };
  std::size_t out = 3 + digits(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) out += 5 + digits(sizes[i]) + sizes[i];
  return out;
}

/// No request of the workload is longer, in bytes.
inline std::size_t largest_request(const connect_options& options) noexcept {
  // With its header, "$18\r\n", and its end.
  constexpr std::size_t word = 32 + key::text_capacity;
  return (options.multiget_keys + 3) * word + options.value_size;
}

inline command get_command(const key& k) noexcept {
  return {2, {"GET", k.text().data(), nullptr}, {3, k.text().size(), 0}};
}

inline command set_command(const key& k, std::string_view value) noexcept {
  // hiredis copies from the pointer even for no bytes, so it must not be null.
  return {3, {"SET", k.text().data(), value.empty() ? "" : value.data()}, {3, k.text().size(), value.size()}};
}

/// The status of a reply that is neither success nor a miss. Leaves its text in `error`, which `refusal` then
/// views where the server refused.
op_status explain(request_kind kind, const redisReply& reply, std::string_view& refusal,
                  std::string& error) noexcept;

/// The status of a request that was answered; on a get's ok, `value` views the reply. For the rest see
/// explain; value and refusal may be one.
inline op_status status_of(request_kind kind, const redisReply& reply, std::string_view& value,
                           std::string_view& refusal, std::string& error) noexcept {
  if (kind == request_kind::get && reply.type == REDIS_REPLY_STRING) {
    value = {reply.str, reply.len};
    return op_status::ok;
  }
  if (kind == request_kind::set && reply.type == REDIS_REPLY_STATUS &&
      std::string_view(reply.str, reply.len) == "OK") {
    return op_status::ok;
  }
  if (kind == request_kind::get && reply.type == REDIS_REPLY_NIL) return op_status::not_found;
  return explain(kind, reply, refusal, error);
}

/// ok for an array; otherwise says in `error` what came.
inline op_status expect_array(const redisReply& reply, std::string& error) {
  if (reply.type == REDIS_REPLY_ERROR) {
    error.assign(reply.str, reply.len);
    return op_status::refused;
  }
  if (reply.type != REDIS_REPLY_ARRAY) {
    error = "a reply that is no array";
    return op_status::wrong_reply;
  }
  return op_status::ok;
}

/// Copies the values of a hash, which come in turn with their names.
inline op_status take_row(const redisReply& reply, cell_block& cells, std::string& error) noexcept {
  if (const op_status status = expect_array(reply, error); status != op_status::ok) return status;
  for (std::size_t i = 1; i < reply.elements; i += 2) {
    const redisReply& value = *reply.element[i];
    if (value.type == REDIS_REPLY_STRING && cells.append({value.str, value.len})) continue;
    error = "a row that is no hash of strings, or more than there is room for";
    return op_status::wrong_reply;
  }
  return op_status::ok;
}

/// Copies the values that an MGET found.
inline op_status take_values(const redisReply& reply, cell_block& cells, std::string& error) noexcept {
  cells.clear();
  if (const op_status status = expect_array(reply, error); status != op_status::ok) return status;
  for (std::size_t i = 0; i < reply.elements; ++i) {
    const redisReply& value = *reply.element[i];
    if (value.type == REDIS_REPLY_NIL) continue;
    if (value.type == REDIS_REPLY_STRING && cells.append({value.str, value.len})) continue;
    error = "a value that is no string, or longer than those of the data set";
    return op_status::wrong_reply;
  }
  return op_status::ok;
}

/// Bytes that the workload's rows or values need as a block.
inline std::size_t cells_capacity(const connect_options& options) noexcept {
  if (options.rows_from) return cell_block::usual_capacity;
  return block_size(options.multiget_keys, options.value_size);
}

/// The pool of a driver that has one.
unique_pool make_pool(reply_memory memory, const connect_options& options);

/// Redis's way to open a session: what to ask, and what to be told.
struct opening_command {
  std::string_view step;
  std::vector<std::string> words;
  std::string_view expected;

  std::vector<const char*> argv() const;
  std::vector<std::size_t> sizes() const;
};

/// AUTH and SELECT where the target names them, then PING unless bare.
std::vector<opening_command> opening_commands(const target& where, bool bare = false);

/// Why a session could not be opened; an empty reason: it could.
struct opening_failure {
  std::string_view step;
  std::string reason;
};
opening_failure judge(const opening_command& asked, const redisReply& reply);

/// Errors: setup_error for a socket path that hiredis would cut.
void check_address(reply_memory memory, const target& where);

[[noreturn]] void fail(reply_memory memory, const target& where, std::string_view step,
                       std::string_view reason);

std::string no_answer_within(std::chrono::milliseconds timeout);

/// A blocking connection, authenticated and answering, without time-outs.
/// Errors: setup_error, at the latest when connect_timeout is over.
unique_context connect(reply_memory memory, const connect_options& options);

}  // namespace dbdyno::hiredis
