#include "drivers/handlersocket/handshake.hpp"

#include <fmt/format.h>

#include <charconv>

#include "drivers/handlersocket/escape.hpp"

namespace dbdyno::handlersocket {
namespace {

constexpr std::string_view authenticating = "authenticate at";
constexpr std::string_view unauthorized = "unauth";

std::optional<std::uint32_t> parse_number(std::string_view token) {
  std::uint32_t number = 0;
  const char* const end = token.data() + token.size();
  const auto [stop, error] = std::from_chars(token.data(), end, number);
  if (error != std::errc{} || stop != end) return std::nullopt;
  return number;
}

std::string_view take_token(std::string_view& line) {
  const std::size_t tab = line.find('\t');
  const std::string_view token = line.substr(0, tab);
  line.remove_prefix(tab == std::string_view::npos ? line.size() : tab + 1);
  return token;
}

std::string error_text(const reply& answer) {
  if (answer.tokens.empty()) return {};
  return answer.tokens.front().value_or("");
}

std::string explain(const reply& answer) {
  const std::string text = error_text(answer);
  if (text == "open_table") return "there is no such table (open_table)";
  if (text == "idxnum") return "the table has no such index (idxnum)";
  if (text == "fld") return "the table has no such column (fld)";
  return fmt::format("the server answered error {} {}", answer.code, text);
}

reply await_reply(wire_stream& stream, std::string_view step) {
  std::size_t searched = 0;
  while (true) {
    const std::string& received = stream.received();
    const std::size_t line_end = received.find('\n', searched);
    if (line_end != std::string::npos) {
      auto answer = parse_reply(std::string_view(received).substr(0, line_end));
      if (!answer) stream.fail(step, "the reply is not of the HandlerSocket protocol");
      stream.consume(line_end + 1);
      return *std::move(answer);
    }
    searched = received.size();
    stream.read_more(step);
  }
}

}  // namespace

std::string make_request(std::initializer_list<std::string_view> tokens) {
  std::size_t capacity = 0;
  for (const std::string_view token : tokens) capacity += 2 * token.size() + 1;
  std::string out(capacity, '\0');
  char* end = out.data();
  for (const std::string_view token : tokens) {
    end = escape(end, token);
    *end++ = '\t';
  }
  if (end != out.data()) end[-1] = '\n';
  out.resize(static_cast<std::size_t>(end - out.data()));
  return out;
}

std::optional<reply> parse_reply(std::string_view line) {
  const auto code = parse_number(take_token(line));
  const bool has_rows = line.find('\t') != std::string_view::npos;
  const auto columns = parse_number(take_token(line));
  if (!code || !columns || *columns == 0) return std::nullopt;
  reply out{.code = *code, .columns = *columns, .tokens = {}};
  bool more = has_rows;
  while (more) {
    more = line.find('\t') != std::string_view::npos;
    const std::string_view token = take_token(line);
    if (is_null(token)) {
      out.tokens.emplace_back();
      continue;
    }
    std::string value(token);
    const char* const end = unescape(value.data(), value.data() + value.size());
    if (end == nullptr) return std::nullopt;
    value.resize(static_cast<std::size_t>(end - value.data()));
    out.tokens.emplace_back(std::move(value));
  }
  if (out.tokens.size() % out.columns != 0) return std::nullopt;
  return out;
}

reply exchange(wire_stream& stream, std::string_view step, std::string_view request) {
  stream.write(step, request);
  reply answer = await_reply(stream, step);
  if (answer.code == 0) return answer;
  if (error_text(answer) == unauthorized) {
    stream.fail(authenticating,
                "the server wants a secret: handlersocket://:secret@host:port/database?wr=port");
  }
  stream.fail(step, explain(answer));
}

void authenticate(wire_stream& stream, std::string_view secret) {
  if (secret.empty()) return;
  stream.write(authenticating, make_request({"A", "1", secret}));
  const reply answer = await_reply(stream, authenticating);
  if (answer.code == 0) return;
  const bool wrong = error_text(answer) == unauthorized;
  stream.fail(authenticating, wrong ? "the server does not accept the secret" : explain(answer));
}

void open_index(wire_stream& stream, std::uint8_t id, std::string_view database, std::string_view table,
                std::string_view index, std::string_view columns) {
  exchange(stream, fmt::format("open the index {}.{} on", database, table),
           make_request({"P", std::to_string(id), database, table, index, columns}));
}

}  // namespace dbdyno::handlersocket
