#include "data-loaders/mysql_loader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include "data-loaders/marked_loader.hpp"
#include "data-loaders/marker.hpp"
#include "drivers/cell_block.hpp"
#include "drivers/errors.hpp"
#include "drivers/mysql/session.hpp"
#include "drivers/mysql/statements.hpp"
#include "fixtures/schema.hpp"
#include "fixtures/user_rows.hpp"

namespace dbdyno {
namespace {

constexpr unsigned bad_database = 1049;
constexpr unsigned bad_field = 1054;
constexpr unsigned no_such_table = 1146;
constexpr unsigned command_not_allowed = 1148;
constexpr unsigned local_files_not_allowed = 4166;
constexpr unsigned local_files_disabled = 3948;  // MySQL 8's, whose default that is
constexpr unsigned lock_wait_timeout = 1205;
constexpr unsigned server_lost = 2013;

/// A server that removes a table on a slow disk may be silent for long.
constexpr std::chrono::minutes longest_statement{10};
constexpr std::uint32_t rows_a_statement = 1000;
constexpr std::size_t bytes_a_statement = std::size_t{512} * 1024;
constexpr std::uint32_t rows_a_transaction = 10'000;

struct table {
  std::string name;
  std::string columns;
  std::string definition;
};

/// As columns_of() spells them.
std::string columns_of_user_rows() {
  std::string out;
  for (const user_column& column : user_columns()) {
    std::string type(column.type);
    // The length of a number is none of characters.
    if (type.starts_with("bigint")) type = "bigint";
    if (type.starts_with("decimal")) type = "decimal";
    if (type == "longtext") type += "(4294967295)";
    const bool is_key = column.name == "Host" || column.name == "User";
    out += fmt::format("{}{} {}{}", out.empty() ? "" : ", ", column.name, type, is_key ? " PRI" : "");
  }
  return out;
}

std::vector<table> wanted_tables() {
  return {{"table_test", "id int PRI, str varchar(1024)", std::string(table_definition_sql)},
          {"dbdyno_marker", "id int PRI, text varchar(255)", std::string(marker_definition_sql)},
          {"user_rows", columns_of_user_rows(), user_rows_definition_sql()}};
}

/// A session with no database selected: it may have to be created first.
mysql_session connect(std::string_view loader_name, const target& where, std::chrono::milliseconds timeout) {
  target server = where;
  server.database.clear();
  try {
    return {loader_name, server, timeout, {.loads_files = true, .longest_wait = longest_statement}};
  } catch (const setup_error& error) {
    throw setup_error(error.driver(), error.step(), where.masked(), error.reason());
  }
}

std::int64_t parse_integer(std::string_view text) noexcept {
  std::int64_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

std::string quote_name(std::string_view name) {
  std::string out = "`";
  for (const char c : name) out.append(c == '`' ? 2 : 1, c);
  return out + '`';
}

class mysql_loader : public marked_loader {
 public:
  mysql_loader(const target& where, std::chrono::milliseconds connect_timeout)
      : marked_loader("mysql loader", where),
        database_(quote_name(where.database.empty() ? default_database : where.database)),
        session_(connect(name(), where, connect_timeout)) {
    // Without these, somebody's forgotten transaction or open HandlerSocket index holds a load up for a day.
    execute("prepare a session on", "SET SESSION lock_wait_timeout=5, innodb_lock_wait_timeout=5");
  }

  verification verify(const data_set& data, const loading_progress& progress) override;

 private:
  std::optional<std::string> fetch_marker() override;
  std::string find_strangers(bool ours) override;
  void prepare(bool replace_strangers) override;
  void store_marker(std::string_view text) override;
  void write(const data_set& data, const loading_progress& progress) override;
  void write_rows() override;
  std::string read_rows(rows_source from) override;
  std::optional<std::uint64_t> connection_limit() override;

  std::string read_cells(std::string_view statement);
  /// Whether the database exists.
  bool select_database();
  /// As in table::columns; empty if there is no such table.
  std::string columns_of(std::string_view table_name);
  void remove_beyond(const data_set& data, const loading_progress& progress);
  /// By LOAD DATA, the fastest way in. Returns false, and has done nothing, where the server does not take
  /// it.
  bool write_files(const data_set& data, const loading_progress& progress);
  void write_statements(const data_set& data, const loading_progress& progress);
  std::size_t statement_limit();

  [[noreturn]] void fail(std::string_view step, const mysql_error& error) const;
  std::uint64_t execute(std::string_view step, std::string_view sql);
  void query(std::string_view step, std::string_view sql,
             const std::function<void(mysql_session::row)>& on_row);

  std::string database_;
  mysql_session session_;
};

void mysql_loader::fail(std::string_view step, const mysql_error& error) const {
  std::string hint;
  if (error.code() == lock_wait_timeout) hint = " (another connection holds a lock)";
  if (error.code() == server_lost)
    hint = fmt::format(" (or it said nothing for {} minutes)", longest_statement.count());
  marked_loader::fail(step, fmt::format("{}: {}{}", error.code(), error.what(), hint));
}

std::uint64_t mysql_loader::execute(std::string_view step, std::string_view sql) {
  try {
    return session_.execute(sql);
  } catch (const mysql_error& error) {
    fail(step, error);
  }
}

void mysql_loader::query(std::string_view step, std::string_view sql,
                         const std::function<void(mysql_session::row)>& on_row) {
  try {
    session_.query(sql, on_row);
  } catch (const mysql_error& error) {
    fail(step, error);
  }
}

bool mysql_loader::select_database() {
  try {
    session_.execute("USE " + database_);
    return true;
  } catch (const mysql_error& error) {
    if (error.code() != bad_database) fail("use the database of", error);
    return false;
  }
}

std::optional<std::string> mysql_loader::fetch_marker() {
  std::optional<std::string> text;
  if (!select_database()) return text;
  try {
    session_.query("SELECT text FROM dbdyno_marker WHERE id=1",
                   [&](mysql_session::row columns) { text = columns[0].value_or(""); });
  } catch (const mysql_error& error) {
    // A table of that name but with other columns is a matter for find_strangers.
    if (error.code() != no_such_table && error.code() != bad_field) fail("read the marker of", error);
  }
  return text;
}

void mysql_loader::store_marker(std::string_view text) {
  execute(
      "write the marker of",
      fmt::format(
          "INSERT INTO dbdyno_marker (id, text) VALUES (1, '{}') ON DUPLICATE KEY UPDATE text=VALUES(text)",
          text));
}

std::string mysql_loader::columns_of(std::string_view table_name) {
  std::string out;
  query("look at the tables of",
        fmt::format("SELECT column_name, data_type, character_maximum_length, column_key FROM "
                    "information_schema.columns "
                    "WHERE table_schema=DATABASE() AND table_name='{}' ORDER BY ordinal_position",
                    table_name),
        [&](mysql_session::row column) {
          if (!out.empty()) out += ", ";
          out += fmt::format("{} {}", *column[0], *column[1]);
          if (column[2]) out += fmt::format("({})", *column[2]);
          if (column[3] == "PRI") out += " PRI";
        });
  return out;
}

std::string mysql_loader::find_strangers(bool ours) {
  if (!select_database()) return {};
  for (const table& wanted : wanted_tables()) {
    const std::string columns = columns_of(wanted.name);
    if (!columns.empty() && columns != wanted.columns) {
      return fmt::format("a table {} with other columns ({} and not {})", wanted.name, columns,
                         wanted.columns);
    }
  }
  std::string found;
  for (const char* name : {"table_test", "user_rows"}) {
    if (ours || !found.empty() || columns_of(name).empty()) continue;
    query("look at the tables of", fmt::format("SELECT 1 FROM {} LIMIT 1", name),
          [&](mysql_session::row) { found = fmt::format("rows in {}", name); });
  }
  return found;
}

void mysql_loader::prepare(bool replace_strangers) {
  if (!select_database()) {
    execute("create the database of", "CREATE DATABASE IF NOT EXISTS " + database_);
    select_database();
  }
  for (const table& wanted : wanted_tables()) {
    std::string columns = columns_of(wanted.name);
    if (replace_strangers && !columns.empty() && columns != wanted.columns) {
      execute("drop a table of", fmt::format("DROP TABLE {}", wanted.name));
      columns.clear();
    }
    // Not left to IF NOT EXISTS alone: that wants the right to create tables even where there is nothing to
    // create.
    if (columns.empty()) {
      execute("create a table of",
              fmt::format("CREATE TABLE IF NOT EXISTS {}{}", wanted.name, wanted.definition));
    }
  }
}

std::size_t mysql_loader::statement_limit() {
  std::size_t packet = 0;
  query("read max_allowed_packet of", "SELECT @@max_allowed_packet",
        [&](mysql_session::row columns) { packet = static_cast<std::size_t>(parse_integer(*columns[0])); });
  constexpr std::size_t spare = 256;
  return std::min(bytes_a_statement, packet - std::min(packet, spare));
}

void mysql_loader::write(const data_set& data, const loading_progress& progress) {
  if (!write_files(data, progress)) write_statements(data, progress);
  remove_beyond(data, progress);
}

bool mysql_loader::write_files(const data_set& data, const loading_progress& progress) {
  // No byte of a data set's values wants escaping, or is a tab or a line end; all are ASCII, so that there is
  // nothing to convert to the column's character set, which would take the server a quarter of the time.
  constexpr std::string_view sql =
      "LOAD DATA LOCAL INFILE 'table_test' REPLACE INTO TABLE table_test CHARACTER SET binary "
      "FIELDS TERMINATED BY '\\t' ESCAPED BY '' LINES TERMINATED BY '\\n' (id, str)";
  std::string line;
  std::string value(data.largest_value(), '\0');
  std::uint64_t done = 0;
  while (done < data.keys()) {
    const std::uint64_t end = std::min<std::uint64_t>(done + rows_a_transaction, data.keys());
    std::size_t taken = 0;
    line.clear();
    // A line that does not fit goes on in the next piece.
    const auto next_piece = [&](char* out, std::size_t capacity) {
      std::size_t size = 0;
      while (size < capacity) {
        if (taken == line.size()) {
          if (done == end) break;
          const auto id = static_cast<std::uint32_t>(++done);
          line.clear();
          fmt::format_to(std::back_inserter(line), "{}\t", id);
          line += data.fill_value(id, value.data());
          line += '\n';
          taken = 0;
        }
        const std::size_t part = std::min(line.size() - taken, capacity - size);
        std::copy_n(line.data() + taken, part, out + size);
        size += part;
        taken += part;
      }
      return size;
    };
    try {
      session_.load(sql, next_piece);
    } catch (const mysql_error& error) {
      const bool refused = error.code() == command_not_allowed || error.code() == local_files_not_allowed ||
                           error.code() == local_files_disabled;
      if (refused && end <= rows_a_transaction) return false;
      fail("load", error);
    }
    report(progress, "loading", done, data.keys());
  }
  return true;
}

void mysql_loader::write_statements(const data_set& data, const loading_progress& progress) {
  constexpr std::string_view head = "INSERT INTO table_test (id, str) VALUES ";
  constexpr std::string_view tail = " ON DUPLICATE KEY UPDATE str=VALUES(str)";
  constexpr std::size_t row_overhead = sizeof "(2147483647,''),";
  const std::size_t limit = statement_limit();
  const std::uint64_t fitting =
      (limit - std::min(limit, head.size() + tail.size())) / (row_overhead + data.largest_value());
  const std::uint64_t rows = std::clamp<std::uint64_t>(fitting, 1, rows_a_statement);

  std::string sql;
  std::string value(data.largest_value(), '\0');
  std::uint64_t done = 0;
  while (done < data.keys()) {
    execute("load", "START TRANSACTION");
    const std::uint64_t transaction_end = std::min<std::uint64_t>(done + rows_a_transaction, data.keys());
    while (done < transaction_end) {
      const std::uint64_t statement_end = std::min(done + rows, transaction_end);
      sql = head;
      for (; done < statement_end; ++done) {
        const auto id = static_cast<std::uint32_t>(done + 1);
        fmt::format_to(std::back_inserter(sql), "({},'", id);
        // No byte of a data set's values wants escaping.
        sql += data.fill_value(id, value.data());
        sql += "'),";
      }
      sql.pop_back();
      sql += tail;
      execute("load", sql);
    }
    execute("load", "COMMIT");
    report(progress, "loading", done, data.keys());
  }
}

void mysql_loader::remove_beyond(const data_set& data, const loading_progress& progress) {
  constexpr std::string_view step = "remove rows beyond the data set from";
  execute(step, "DELETE FROM table_test WHERE id < 1");
  // Each statement starts where the one before ended: it would walk over all those deleted and not yet purged
  // otherwise.
  std::int64_t begin = data.keys();
  std::optional<std::int64_t> end;
  do {
    end.reset();
    query(step,
          fmt::format("SELECT id FROM table_test WHERE id > {} ORDER BY id LIMIT {}, 1", begin,
                      rows_a_transaction - 1),
          [&](mysql_session::row columns) { end = parse_integer(*columns[0]); });
    execute(step, fmt::format("DELETE FROM table_test WHERE id > {} AND id <= {}", begin,
                              end.value_or(key::max_id)));
    report(progress, "loading", data.keys(), data.keys());
    begin = end.value_or(key::max_id);
  } while (end);
}

void mysql_loader::write_rows() {
  execute("load", "DELETE FROM user_rows");
  for (std::size_t row = 0; row < user_row_count; ++row) {
    std::string cells;
    for (std::size_t column = 0; column < user_columns().size(); ++column)
      cells += fmt::format("{}{}", column == 0 ? "" : ", ", session_.quote(user_cell(row, column)));
    execute("load", fmt::format("INSERT INTO user_rows VALUES ({})", cells));
  }
}

std::string mysql_loader::read_rows(rows_source from) {
  return read_cells(rows_statement(from));
}

std::string mysql_loader::read_cells(std::string_view statement) {
  if (!select_database()) marked_loader::fail("read rows of", "there is no such database");
  std::string out;
  query("read rows of", statement, [&](mysql_session::row columns) {
    for (const auto& cell : columns) append_cell(out, cell.value_or(""));
  });
  return out;
}

std::optional<std::uint64_t> mysql_loader::connection_limit() {
  std::optional<std::uint64_t> out;
  query("read max_connections of", "SELECT @@max_connections",
        [&](mysql_session::row columns) { out = static_cast<std::uint64_t>(parse_integer(*columns[0])); });
  return out;
}

verification mysql_loader::verify(const data_set& data, const loading_progress& progress) {
  constexpr std::uint64_t rows_a_report = 1024;
  if (!select_database()) marked_loader::fail("read rows back from", "there is no such database");
  verifier check(data);
  std::uint64_t rows = 0;
  query("read rows back from", "SELECT id, str FROM table_test", [&](mysql_session::row columns) {
    // An id below 1 becomes one far beyond the data set.
    const auto id = static_cast<std::uint64_t>(parse_integer(*columns[0]));
    if (columns[1]) {
      check.found(id, *columns[1]);
    } else {
      check.found_no_value(id);
    }
    if (++rows % rows_a_report == 0) {
      report(progress, "verifying", std::min<std::uint64_t>(rows, data.keys()), data.keys());
    }
  });
  verification out = check.finish();
  out.rows = columns_of("user_rows").empty() ? "there is no table user_rows"
                                             // One that is not ours must show.
                                             : describe_difference_from_user_rows(read_cells(fmt::format(
                                                   "SELECT * FROM user_rows LIMIT {}", user_row_count + 1)));
  return out;
}

}  // namespace

std::unique_ptr<loader> make_mysql_loader(const target& where, std::chrono::milliseconds connect_timeout) {
  return std::make_unique<mysql_loader>(where, connect_timeout);
}

}  // namespace dbdyno
