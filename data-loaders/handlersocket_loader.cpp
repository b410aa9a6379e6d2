#include "data-loaders/handlersocket_loader.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <string>

#include "data-loaders/marked_loader.hpp"
#include "data-loaders/pipelined.hpp"
#include "drivers/errors.hpp"
#include "drivers/handlersocket/client.hpp"
#include "drivers/handlersocket/codec.hpp"
#include "drivers/wire/pipeline.hpp"

namespace dbdyno {
namespace {

using connection = wire_pipeline<handlersocket_codec>;

constexpr std::string_view name = "handlersocket loader";
constexpr std::uint8_t index_id = 1;
/// Enough to tell a few stray rows from a larger data set.
constexpr std::size_t most_unexpected = 10'000;

class handlersocket_loader : public loader {
 public:
  handlersocket_loader(const target& where, std::chrono::milliseconds timeout)
      : where_(where),
        database_(where.database.empty() ? handlersocket_codec::default_database : where.database),
        timeout_(timeout) {
    connect();
  }

  std::optional<data_set> read_marker() override;
  void load(const data_set&, bool, const loading_progress&) override {
    throw usage_error("HandlerSocket's table is filled through mysql: give --mysql, too");
  }
  std::string read_rows(rows_source) override {
    throw setup_error(name, "read rows of", where_.masked(), "its rows are read through mysql only");
  }
  verification verify(const data_set& data, const loading_progress& progress) override;

 private:
  handlersocket_client connect() const { return {name, where_, handlersocket_port::reads, timeout_}; }
  std::size_t count_rows(std::string_view comparison, std::uint64_t id) const;

  target where_;
  std::string database_;
  std::chrono::milliseconds timeout_;
};

std::optional<data_set> handlersocket_loader::read_marker() {
  handlersocket_client client = connect();
  std::optional<std::string> text;
  try {
    client.open_index(index_id, database_, "dbdyno_marker", "PRIMARY", "text");
  } catch (const setup_error& error) {
    if (error.reason().find("no such table") == std::string::npos) throw;
    return std::nullopt;
  }
  const auto rows = client.find(index_id, "1", 1);
  if (!rows.empty()) text = rows.front().front().value_or("");
  return interpret_marker(name, where_, text);
}

std::size_t handlersocket_loader::count_rows(std::string_view comparison, std::uint64_t id) const {
  handlersocket_client client = connect();
  client.open_index(index_id, database_, "table_test", "PRIMARY", "id");
  return client.find(index_id, std::to_string(id), most_unexpected, comparison).size();
}

verification handlersocket_loader::verify(const data_set& data, const loading_progress& progress) {
  connection from({.where = where_,
                   .connections = 1,
                   .window = pipelined_window,
                   .writes = false,
                   .value_size = data.largest_value(),
                   .connect_timeout = timeout_});
  verifier check(data);
  const auto on_reply = [&](std::uint32_t id, op_status status, std::string_view value) {
    switch (status) {
      case op_status::ok:
        check.found(id, value);
        return true;
      case op_status::not_found:
        return true;
      case op_status::wrong_reply:
        check.found_no_value(id);
        return true;
      default:
        return false;
    }
  };
  const auto failed = run_pipelined(
      from, data.keys(),
      [&](connection& c, slot s, std::uint32_t id) { return c.submit_get(s, data.make_key(id)); }, on_reply,
      [&](std::uint64_t done) { report(progress, "verifying", done, data.keys()); });
  if (failed) {
    throw setup_error(name, "read rows back from", where_.masked(),
                      fmt::format("{} ({})", to_string(*failed), from.last_error()));
  }
  check.found_unexpected(count_rows(">", data.keys()) + count_rows("<", 1));
  return check.finish();
}

}  // namespace

std::unique_ptr<loader> make_handlersocket_loader(const target& where,
                                                  std::chrono::milliseconds connect_timeout) {
  return std::make_unique<handlersocket_loader>(where, connect_timeout);
}

}  // namespace dbdyno
