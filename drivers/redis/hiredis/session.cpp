#include <fmt/format.h>
#include <sys/un.h>

#include <algorithm>
#include <cerrno>

#include "drivers/errors.hpp"
#include "drivers/redis/authentication.hpp"
#include "drivers/redis/hiredis/session_internal.hpp"
#include "drivers/signals_later.hpp"

namespace dbdyno {

std::string redis_hiredis::version() {
  return fmt::format("hiredis {}.{}.{}", HIREDIS_MAJOR, HIREDIS_MINOR, HIREDIS_PATCH);
}

namespace hiredis {
namespace {

timeval time_left(std::chrono::steady_clock::time_point deadline) {
  // Zero would mean no time-out at all.
  const auto left = std::max<std::int64_t>(
      1000, std::chrono::duration_cast<std::chrono::microseconds>(deadline - std::chrono::steady_clock::now())
                .count());
  return {left / 1'000'000, left % 1'000'000};
}

std::string_view text_of(const redisReply& reply) {
  return reply.str == nullptr ? std::string_view() : std::string_view(reply.str, reply.len);
}

}  // namespace

void free_context::operator()(redisContext* context) const noexcept {
  redisFree(context);
}
void free_reply::operator()(redisReply* reply) const noexcept {
  if (memory == reply_memory::objects) freeReplyObject(reply);
}
void free_pool::operator()(reply_pool* pool) const noexcept {
  delete pool;
}

unique_pool make_pool(reply_memory memory, const connect_options& options) {
  // Some errors are longer than the values.
  constexpr std::size_t longest_error = 256;
  if (memory == reply_memory::objects) return nullptr;
  return unique_pool(new reply_pool(std::max(options.value_size, longest_error)));
}

op_status explain(request_kind kind, const redisReply& reply, std::string_view& refusal,
                  std::string& error) noexcept {
  if (reply.type == REDIS_REPLY_ERROR) {
    error = text_of(reply);
    refusal = error;
    return op_status::refused;
  }
  error = fmt::format("hiredis reply type {} does not answer {}", reply.type,
                      kind == request_kind::get ? "GET" : "SET");
  return op_status::wrong_reply;
}

std::vector<const char*> opening_command::argv() const {
  std::vector<const char*> pointers;
  for (const std::string& word : words) pointers.push_back(word.data());
  return pointers;
}

std::vector<std::size_t> opening_command::sizes() const {
  std::vector<std::size_t> result;
  for (const std::string& word : words) result.push_back(word.size());
  return result;
}

std::vector<opening_command> opening_commands(const target& where, bool bare) {
  std::vector<opening_command> commands;
  if (opens_with_auth(where)) {
    opening_command authenticate{"authenticate at", {"AUTH"}, "OK"};
    if (!where.user.empty()) authenticate.words.push_back(where.user);
    authenticate.words.push_back(where.password);
    commands.push_back(std::move(authenticate));
  }
  if (!where.database.empty()) commands.push_back({"select a database at", {"SELECT", where.database}, "OK"});
  if (!bare) commands.push_back({"connect to", {"PING"}, "PONG"});
  return commands;
}

opening_failure judge(const opening_command& asked, const redisReply& reply) {
  const std::string_view text = text_of(reply);
  if (reply.type == REDIS_REPLY_STATUS && text == asked.expected) return {};
  if (reply.type != REDIS_REPLY_ERROR)
    return {asked.step, fmt::format("{} got an unexpected reply", asked.words[0])};
  if (asked.words[0] == "AUTH") return {asked.step, std::string(auth_refusal(text, asked.words.back()))};
  return {text.starts_with("NOAUTH") ? "authenticate at" : asked.step, std::string(text)};
}

void fail(reply_memory memory, const target& where, std::string_view step, std::string_view reason) {
  throw setup_error(driver_name(memory), step, where.masked(), reason);
}

std::string no_answer_within(std::chrono::milliseconds timeout) {
  return fmt::format("no answer within {} ms", timeout.count());
}

void check_address(reply_memory memory, const target& where) {
  // hiredis leaves the last byte of sun_path uninitialised, so it cannot serve as the end of the longest
  // path.
  constexpr std::size_t longest = sizeof(sockaddr_un::sun_path) - 2;
  if (where.via == transport::unix_socket && where.path.size() > longest) {
    fail(memory, where, "connect to",
         fmt::format("hiredis takes socket paths of {} characters at most", longest));
  }
}

unique_context connect(reply_memory memory, const connect_options& options) {
  const target& where = options.where;
  check_address(memory, where);
  // hiredis gives a connection up whose poll(2) a signal has interrupted.
  const signals_later undisturbed;
  const auto deadline = std::chrono::steady_clock::now() + options.connect_timeout;
  unique_context context(where.via == transport::unix_socket
                             ? redisConnectUnixWithTimeout(where.path.c_str(), time_left(deadline))
                             : redisConnectWithTimeout(where.host.c_str(), where.port, time_left(deadline)));
  if (context == nullptr) fail(memory, where, "connect to", "out of memory");
  if (context->err != 0) fail(memory, where, "connect to", context->errstr);
  for (const opening_command& command : opening_commands(where, options.bare)) {
    redisSetTimeout(context.get(), time_left(deadline));
    auto argv = command.argv();
    const auto sizes = command.sizes();
    const unique_reply reply(static_cast<redisReply*>(
        redisCommandArgv(context.get(), static_cast<int>(argv.size()), argv.data(), sizes.data())));
    if (reply == nullptr) {
      const bool timed_out = context->err == REDIS_ERR_IO && errno == EAGAIN;
      fail(memory, where, command.step,
           timed_out ? no_answer_within(options.connect_timeout) : context->errstr);
    }
    if (const opening_failure failure = judge(command, *reply); !failure.reason.empty()) {
      fail(memory, where, failure.step, failure.reason);
    }
  }
  redisSetTimeout(context.get(), timeval{});
  return context;
}

}  // namespace hiredis
}  // namespace dbdyno
