#include "drivers/redis/client.hpp"

#include <string>

#include "drivers/redis/authentication.hpp"

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
  stream.fail(step, auth_refusal(reply.text, password));
}

}  // namespace

void redis_handshake(wire_stream& stream, const target& where, bool bare) {
  if (opens_with_auth(where)) {
    if (where.user.empty()) {
      authenticate(stream, {"AUTH", where.password}, where.password);
    } else {
      authenticate(stream, {"AUTH", where.user, where.password}, where.password);
    }
  }
  if (!where.database.empty()) require_ok(stream, "select the database of", {"SELECT", where.database});
  if (!bare) require_ok(stream, "open a session at", {"PING"});
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
