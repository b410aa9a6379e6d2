#include "drivers/redis/client.hpp"

#include <string>

namespace dbdyno {
namespace {

resp_reply ask(wire_stream& stream, std::string_view step, std::initializer_list<std::string_view> words) {
  std::string request;
  append_command(request, words);
  stream.write(step, request);
  while (true) {
    try {
      if (auto parsed = parse_reply(stream.received())) {
        stream.consume(parsed->consumed);
        return std::move(parsed->reply);
      }
    } catch (const resp_error& error) {
      stream.fail(step, error.what());
    }
    stream.read_more(step);
  }
}

void require_ok(wire_stream& stream, std::string_view step, std::initializer_list<std::string_view> words) {
  const resp_reply reply = ask(stream, step, words);
  if (reply.kind != resp_reply::type::status) stream.fail(step, reply.text);
}

void authenticate(wire_stream& stream, std::initializer_list<std::string_view> words,
                  std::string_view password) {
  constexpr std::string_view step = "authenticate at";
  const resp_reply reply = ask(stream, step, words);
  if (reply.kind == resp_reply::type::status) return;
  // A server without AUTH says "unknown command 'AUTH', with args beginning with:" and then the password, or
  // its front.
  const std::string_view reason = std::string_view(reply.text).substr(0, reply.text.find(", with args"));
  const bool repeats_it = !password.empty() && reason.find(password) != std::string_view::npos;
  stream.fail(step, repeats_it ? "the server refused it, in words that hold the password" : reason);
}

}  // namespace

void redis_handshake(wire_stream& stream, const target& where) {
  if (!where.user.empty()) {
    authenticate(stream, {"AUTH", where.user, where.password}, where.password);
  } else if (!where.password.empty()) {
    authenticate(stream, {"AUTH", where.password}, where.password);
  }
  if (!where.database.empty()) require_ok(stream, "select the database of", {"SELECT", where.database});
  require_ok(stream, "open a session at", {"PING"});
}

redis_client::redis_client(std::string_view driver, const target& where, std::chrono::milliseconds timeout)
    : stream_(driver, where, where.port, timeout), timeout_(timeout) {
  redis_handshake(stream_, where);
}

resp_reply redis_client::command(std::initializer_list<std::string_view> words) {
  stream_.extend(timeout_);
  return ask(stream_, "run a command at", words);
}

}  // namespace dbdyno
