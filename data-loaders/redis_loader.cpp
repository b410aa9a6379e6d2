#include "data-loaders/redis_loader.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cstddef>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "data-loaders/data_key.hpp"
#include "data-loaders/marked_loader.hpp"
#include "data-loaders/marker.hpp"
#include "data-loaders/pipelined.hpp"
#include "data-loaders/redis_bulk_writer.hpp"
#include "drivers/cell_block.hpp"
#include "drivers/redis/client.hpp"
#include "drivers/redis/wire/codec.hpp"
#include "drivers/wire/pipeline.hpp"
#include "fixtures/user_rows.hpp"

namespace dbdyno {
namespace {

using connection = wire_pipeline<redis_codec>;
using type = resp_reply::type;

constexpr std::string_view wrong_type = "WRONGTYPE";

class redis_loader : public marked_loader {
 public:
  redis_loader(const target& where, std::chrono::milliseconds timeout)
      : marked_loader("redis loader", where), timeout_(timeout), client_(name(), where, timeout) {}

  verification verify(const data_set& data, const loading_progress& progress) override;

 private:
  std::optional<std::string> fetch_marker() override;
  std::string find_strangers(bool ours) override;
  // A set takes the place of whatever a key holds.
  void prepare(bool) override {}
  void store_marker(std::string_view text) override;
  void write(const data_set& data, const loading_progress& progress) override;
  void write_rows() override;
  std::string read_rows(rows_source from) override;
  std::optional<std::uint64_t> connection_limit() override;
  std::uint64_t count_rows();
  /// What is wrong with the names or the type of a row's hash; empty if nothing is.
  std::string describe_wrong_hash();

  connect_options options(const data_set& data) const;
  [[noreturn]] void fail_request(std::string_view step, op_status status, const connection& at) const;

  std::uint64_t count_keys() { return static_cast<std::uint64_t>(ask(type::integer, {"DBSIZE"}).integer); }
  resp_reply ask(type expected, std::initializer_list<std::string_view> words);
  /// Calls on_keys with the names of keys that look like ours, some of them perhaps twice, until it returns
  /// false.
  template <class OnKeys>
  void scan(OnKeys on_keys);
  void remove_beyond(const data_set& data, const loading_progress& progress);
  void remove(wire_stream& stream, const std::vector<std::string>& keys) const;

  std::chrono::milliseconds timeout_;
  redis_client client_;
};

resp_reply redis_loader::ask(type expected, std::initializer_list<std::string_view> words) {
  resp_reply reply = client_.command(words);
  if (reply.kind == expected) return reply;
  const std::string reason =
      reply.kind == type::error ? reply.text : "a reply of another type than the request's";
  fail(fmt::format("run {} at", *words.begin()), reason);
}

std::optional<std::string> redis_loader::fetch_marker() {
  resp_reply reply = client_.command({"GET", marker::key_text});
  if (reply.kind == type::nil) return std::nullopt;
  if (reply.kind == type::string || reply.text.starts_with(wrong_type)) return std::move(reply.text);
  fail("read the marker of", reply.text);
}

void redis_loader::store_marker(std::string_view text) {
  ask(type::status, {"SET", marker::key_text, text});
}

template <class OnKeys>
void redis_loader::scan(OnKeys on_keys) {
  std::string cursor = "0";
  do {
    resp_reply reply = ask(type::array, {"SCAN", cursor, "MATCH", "dbdyno:[0-9]*", "COUNT", "1000"});
    if (reply.elements.size() != 2) fail("run SCAN at", "a reply of another shape than SCAN's");
    cursor = std::move(reply.elements[0].text);
    std::vector<std::string> keys;
    for (resp_reply& element : reply.elements[1].elements) {
      if (parse_data_key(element.text)) keys.push_back(std::move(element.text));
    }
    if (!on_keys(std::move(keys))) return;
  } while (cursor != "0");
}

std::string redis_loader::find_strangers(bool ours) {
  std::string found;
  if (ours || count_keys() == 0) return found;
  for (std::size_t row = 0; row < user_row_count; ++row) {
    if (ask(type::integer, {"EXISTS", user_row_key(row)}).integer != 0) return "the key " + user_row_key(row);
  }
  scan([&](const std::vector<std::string>& keys) {
    if (!keys.empty()) found = "the key " + keys.front();
    return found.empty();
  });
  return found;
}

connect_options redis_loader::options(const data_set& data) const {
  return {.where = where(),
          .connections = 1,
          .window = pipelined_window,
          .value_size = data.largest_value(),
          .connect_timeout = timeout_};
}

void redis_loader::fail_request(std::string_view step, op_status status, const connection& at) const {
  fail(step, fmt::format("{} ({})", to_string(status), at.last_error()));
}

void redis_loader::write(const data_set& data, const loading_progress& progress) {
  constexpr std::uint32_t keys_between_reports = 8192;
  redis_bulk_writer to(name(), where(), timeout_);
  std::string value(data.largest_value(), '\0');
  for (std::uint32_t id = 1; id <= data.keys(); ++id) {
    to.add(data.make_key(id).text(), data.fill_value(id, value.data()));
    if (id % keys_between_reports == 0) report(progress, "loading", to.stored(), data.keys());
  }
  to.finish();
  report(progress, "loading", to.stored(), data.keys());
  remove_beyond(data, progress);
}

void redis_loader::remove_beyond(const data_set& data, const loading_progress& progress) {
  // The data set, the marker and the rows: with no other key there is nothing to look for.
  if (count_keys() == data.keys() + 1 + count_rows()) return;
  wire_stream stream(name(), where(), where().port, timeout_);
  redis_handshake(stream, where());
  scan([&](std::vector<std::string> keys) {
    std::erase_if(keys, [&](const std::string& text) { return *parse_data_key(text) <= data.keys(); });
    if (!keys.empty()) remove(stream, keys);
    report(progress, "loading", data.keys(), data.keys());
    return true;
  });
}

void redis_loader::remove(wire_stream& stream, const std::vector<std::string>& keys) const {
  constexpr std::string_view step = "remove keys beyond the data set from";
  std::string request;
  for (const std::string& text : keys) append_command(request, {"DEL", text});
  stream.extend(timeout_);
  stream.write(step, request);
  std::size_t at = 0;
  for (std::size_t answered = 0; answered < keys.size();) {
    try {
      const auto parsed = parse_reply(std::string_view(stream.received()).substr(at));
      if (!parsed) {
        stream.read_more(step);
        continue;
      }
      if (parsed->reply.kind != type::integer) fail(step, parsed->reply.text);
      at += parsed->consumed;
      ++answered;
    } catch (const resp_error& error) {
      fail(step, error.what());
    }
  }
  stream.consume(at);
}

std::uint64_t redis_loader::count_rows() {
  std::uint64_t count = 0;
  for (std::size_t row = 0; row < user_row_count; ++row)
    count += static_cast<std::uint64_t>(ask(type::integer, {"EXISTS", user_row_key(row)}).integer);
  return count;
}

void redis_loader::write_rows() {
  for (std::size_t row = 0; row < user_row_count; ++row) {
    const std::string name = user_row_key(row);
    ask(type::integer, {"DEL", name});
    for (std::size_t column = 0; column < user_columns().size(); ++column)
      ask(type::integer, {"HSET", name, user_columns()[column].name, user_cell(row, column)});
  }
}

std::string redis_loader::read_rows(rows_source) {
  std::string out;
  for (std::size_t row = 0; row < user_row_count; ++row) {
    const resp_reply hash = ask(type::array, {"HGETALL", user_row_key(row)});
    for (std::size_t i = 1; i < hash.elements.size(); i += 2) append_cell(out, hash.elements[i].text);
  }
  return out;
}

std::string redis_loader::describe_wrong_hash() {
  for (std::size_t row = 0; row < user_row_count; ++row) {
    const resp_reply hash = client_.command({"HGETALL", user_row_key(row)});
    if (hash.kind == type::error && hash.text.starts_with(wrong_type))
      return user_row_key(row) + " is no hash";
    if (hash.kind != type::array) fail("read back from", hash.text);
    for (std::size_t i = 0; i < hash.elements.size(); i += 2) {
      if (i / 2 >= user_columns().size() || hash.elements[i].text != user_columns()[i / 2].name)
        return fmt::format("{} has another field where {} is due", user_row_key(row),
                           i / 2 < user_columns().size() ? user_columns()[i / 2].name : "none");
    }
  }
  return "";
}

std::optional<std::uint64_t> redis_loader::connection_limit() {
  // A server may forbid CONFIG.
  const resp_reply reply = client_.command({"CONFIG", "GET", "maxclients"});
  if (reply.kind != type::array || reply.elements.size() != 2) return std::nullopt;
  std::uint64_t out = 0;
  const std::string& text = reply.elements[1].text;
  std::from_chars(text.data(), text.data() + text.size(), out);
  return out == 0 ? std::nullopt : std::optional(out);
}

verification redis_loader::verify(const data_set& data, const loading_progress& progress) {
  connection from(options(data));
  verifier check(data);
  std::uint64_t present = 0;
  const auto on_reply = [&](std::uint32_t id, op_status status, std::string_view value) {
    if (status == op_status::not_found) return true;
    ++present;
    if (status == op_status::ok) {
      check.found(id, value);
    } else if (status == op_status::refused && from.last_error().starts_with(wrong_type)) {
      check.found_no_value(id);
    } else {
      return false;
    }
    return true;
  };
  const auto failed = run_pipelined(
      from, data.keys(),
      [&](connection& c, slot s, std::uint32_t id) { return c.submit_get(s, data.make_key(id)); }, on_reply,
      [&](std::uint64_t done) { report(progress, "verifying", done, data.keys()); });
  if (failed) fail_request("read keys back from", *failed, from);

  const std::uint64_t markers = fetch_marker() ? 1 : 0;
  if (count_keys() != present + markers + count_rows()) {
    std::set<std::string> beyond;
    scan([&](std::vector<std::string> keys) {
      for (std::string& text : keys) {
        if (*parse_data_key(text) > data.keys()) beyond.insert(std::move(text));
      }
      return true;
    });
    check.found_unexpected(beyond.size());
  }
  verification out = check.finish();
  out.rows = describe_wrong_hash();
  if (out.rows.empty()) out.rows = describe_difference_from_user_rows(read_rows(rows_source::table));
  return out;
}

}  // namespace

std::unique_ptr<loader> make_redis_loader(const target& where, std::chrono::milliseconds connect_timeout) {
  return std::make_unique<redis_loader>(where, connect_timeout);
}

}  // namespace dbdyno
