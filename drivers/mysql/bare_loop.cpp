// What libmariadb takes for a point select by itself: a loop around the library with nothing else in it, for
// scripts/peers to hold mysql/text and mysql/binary against by instructions.
//   DBDYNO_MYSQL_URL=mysql://... dbdyno-bare-mysql text|prepared REQUESTS
#include <mysql.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "drivers/target.hpp"

namespace {

constexpr unsigned long value_size = 100;
constexpr std::size_t keys = 4096;
/// Every second key of the first 8,192, so that the lengths are nearly a uniform draw's of 10,000.
int key_at(std::size_t i) {
  return static_cast<int>(1 + 2 * (i % keys));
}

/// Both return how many replies were not a value.
long ask_as_text(MYSQL* handle, long requests) {
  std::vector<std::string> statements;
  for (std::size_t i = 0; i < keys; ++i)
    statements.push_back("SELECT str FROM table_test WHERE id=" + std::to_string(key_at(i)));
  long wrong = 0;
  for (long i = 0; i < requests; ++i) {
    const std::string& statement = statements[static_cast<std::size_t>(i) % keys];
    if (mysql_real_query(handle, statement.data(), statement.size()) != 0) return requests;
    MYSQL_RES* const result = mysql_use_result(handle);
    if (result == nullptr) return requests;
    char** const row = mysql_fetch_row(result);
    if (row == nullptr || mysql_fetch_lengths(result)[0] != value_size) ++wrong;
    while (mysql_fetch_row(result) != nullptr) ++wrong;
    mysql_free_result(result);
  }
  return wrong;
}

long ask_prepared(MYSQL* handle, long requests) {
  constexpr std::string_view text = "SELECT str FROM table_test WHERE id=?";
  MYSQL_STMT* const statement = mysql_stmt_init(handle);
  if (mysql_stmt_prepare(statement, text.data(), text.size()) != 0) return requests;
  int id = 0;
  MYSQL_BIND parameter{};
  parameter.buffer_type = MYSQL_TYPE_LONG;
  parameter.buffer = &id;
  char value[1024];
  unsigned long size = 0;
  MYSQL_BIND column{};
  column.buffer_type = MYSQL_TYPE_STRING;
  column.buffer = value;
  column.buffer_length = sizeof value;
  column.length = &size;
  if (mysql_stmt_bind_param(statement, &parameter) != 0 || mysql_stmt_bind_result(statement, &column) != 0)
    return requests;
  long wrong = 0;
  for (long i = 0; i < requests; ++i) {
    id = key_at(static_cast<std::size_t>(i));
    if (mysql_stmt_execute(statement) != 0) return requests;
    if (mysql_stmt_fetch(statement) != 0 || size != value_size) ++wrong;
    mysql_stmt_free_result(statement);
  }
  mysql_stmt_close(statement);
  return wrong;
}

}  // namespace

int main(int argc, char** argv) {
  const char* const url = std::getenv("DBDYNO_MYSQL_URL");
  const std::string_view how = argc == 3 ? argv[1] : "";
  if (url == nullptr || (how != "text" && how != "prepared")) {
    std::fputs("DBDYNO_MYSQL_URL=mysql://... dbdyno-bare-mysql text|prepared REQUESTS\n", stderr);
    return 2;
  }
  const dbdyno::target where = dbdyno::parse_target(url);
  MYSQL* const handle = mysql_init(nullptr);
  if (mysql_real_connect(handle, where.host.c_str(), where.user.c_str(), where.password.c_str(),
                         where.database.c_str(), where.port, nullptr, 0) == nullptr) {
    std::fprintf(stderr, "dbdyno-bare-mysql: %s\n", mysql_error(handle));
    return 4;
  }
  const long requests = std::atol(argv[2]);
  const long wrong = how == "text" ? ask_as_text(handle, requests) : ask_prepared(handle, requests);
  mysql_close(handle);
  if (wrong != 0) std::fprintf(stderr, "dbdyno-bare-mysql: %ld replies were no value of 100 bytes\n", wrong);
  return wrong == 0 ? 0 : 1;
}
