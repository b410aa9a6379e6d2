// The mysql loader, and HandlerSocket's, which reads what it wrote.
#include "data-loaders/mysql_loader.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <string>
#include <utility>

#include "data-loaders/handlersocket_loader.hpp"
#include "drivers/errors.hpp"
#include "drivers/handlersocket/client.hpp"
#include "drivers/mysql/session.hpp"
#include "fixtures/mariadb_server.hpp"
#include "fixtures/value_writer.hpp"

namespace dbdyno {
namespace {

using testing::AllOf;
using testing::HasSubstr;

constexpr std::chrono::seconds timeout{10};

class sql_tables : public testing::Test {
 protected:
  target where(std::string database = "hs_test") const {
    target out = server_.mysql_tcp();
    out.database = std::move(database);
    return out;
  }
  std::unique_ptr<loader> mysql(std::string database = "hs_test") const {
    return make_mysql_loader(where(std::move(database)), timeout);
  }
  std::unique_ptr<loader> handlersocket(std::string database = "hs_test") const {
    target out = server_.handlersocket();
    out.database = std::move(database);
    return make_handlersocket_loader(out, timeout);
  }
  void run(std::string_view sql) const { mysql_session("test", where(), timeout).execute(sql); }
  std::string read(std::string_view sql) const {
    std::string text = "(none)";
    mysql_session("test", where(), timeout).query(sql, [&](mysql_session::row row) {
      text = row[0].value_or("NULL");
    });
    return text;
  }
  std::string refusal_of_load(std::string database = "hs_test") const {
    try {
      mysql(std::move(database))->load(data_set(10, 16, 1), false, {});
    } catch (const setup_error& error) {
      return error.what();
    }
    return "accepted";
  }

  mariadb_server server_;
};

TEST_F(sql_tables, read_back_through_handlersocket_as_through_sql) {
  EXPECT_EQ(handlersocket()->read_marker(), std::nullopt);
  const data_set data(5000, 1024, 1);
  mysql()->load(data, false, {});
  EXPECT_EQ(handlersocket()->read_marker(), data);
  const verification through_sql = mysql()->verify(data, {});
  const verification through_handlersocket = handlersocket()->verify(data, {});
  EXPECT_TRUE(through_handlersocket.as_loaded()) << through_handlersocket.to_string();
  EXPECT_EQ(through_handlersocket.checksum, through_sql.checksum);

  value_writer writer(data, 1);
  const auto update = [&](int id, std::string_view value) {
    run("UPDATE table_test SET str='" + std::string(value) + "' WHERE id=" + std::to_string(id));
  };
  update(1, writer.next(data.make_key(1)));
  update(2, "short");
  run("UPDATE table_test SET str=NULL WHERE id=3");
  run("DELETE FROM table_test WHERE id=4");
  run("INSERT INTO table_test VALUES (5001, 'x'), (2147483647, 'y'), (-1, 'z')");
  for (const auto& reader : {mysql(), handlersocket()}) {
    const verification found = reader->verify(data, {});
    EXPECT_EQ(found.to_string(),
              "4,996 of 5,000 keys intact, 1 overwritten by sets, 1 missing, 2 with a wrong value, 3 beyond "
              "the data set: "
              "run dbdyno-load again to restore");
  }
  mysql()->load(data, false, {});
  EXPECT_TRUE(handlersocket()->verify(data, {}).as_loaded());
  EXPECT_THROW(handlersocket()->load(data, false, {}), usage_error);
}

TEST_F(sql_tables, are_loaded_again_while_handlersocket_has_them_open) {
  mysql()->load(data_set(2000, 16, 1), false, {});
  handlersocket_client client("test", server_.handlersocket(), handlersocket_port::reads, timeout);
  client.open_index(1, "hs_test", "table_test", "PRIMARY", "str");
  ASSERT_EQ(client.find(1, "2000", 1).size(), 1U);
  mysql()->load(data_set(100, 16, 2), false, {});
  EXPECT_EQ(client.find(1, "2000", 1).size(), 0U);
  mysql()->load(data_set(3000, 16, 3), true, {});
  EXPECT_EQ(client.find(1, "3000", 1).size(), 1U);
}

TEST_F(sql_tables, are_the_same_where_the_server_takes_no_files) {
  const data_set data(25'001, 300, 1);
  mysql()->load(data, false, {});
  const verification by_files = mysql()->verify(data, {});
  EXPECT_TRUE(by_files.as_loaded()) << by_files.to_string();
  const auto statements_run = [&](const char* counter) {
    return std::stol(read(std::string("SELECT VARIABLE_VALUE FROM information_schema.GLOBAL_STATUS WHERE "
                                      "VARIABLE_NAME='") +
                          counter + "'"));
  };
  const long loads = statements_run("COM_LOAD");
  const long inserts = statements_run("COM_INSERT");
  EXPECT_GT(loads, 0);
  run("SET GLOBAL local_infile=OFF");
  run("UPDATE table_test SET str='changed' WHERE id=20000");
  mysql()->load(data, false, {});
  EXPECT_GT(statements_run("COM_INSERT"), inserts + 1) << "more than the rows and the marker";
  const verification by_statements = mysql()->verify(data, {});
  EXPECT_TRUE(by_statements.as_loaded()) << by_statements.to_string();
  EXPECT_EQ(by_statements.checksum, by_files.checksum);
}

TEST_F(sql_tables, are_made_in_a_database_that_is_not_there_yet) {
  const std::string database = "odd`name";
  EXPECT_EQ(mysql(database)->read_marker(), std::nullopt);
  const data_set data(10, 16, 1);
  mysql(database)->load(data, false, {});
  EXPECT_EQ(mysql(database)->read_marker(), data);
  EXPECT_TRUE(mysql(database)->verify(data, {}).as_loaded());
  EXPECT_EQ(mysql()->read_marker(), std::nullopt);

  // With no name in the URL, it is the default one.
  mysql("")->load(data, false, {});
  EXPECT_EQ(handlersocket("")->read_marker(), data);
}

TEST_F(sql_tables, with_other_columns_are_refused_and_kept_unless_replaced) {
  run("DROP TABLE table_test");
  run("CREATE TABLE table_test (id INT PRIMARY KEY, name TEXT)");
  run("INSERT INTO table_test VALUES (1, 'precious')");
  EXPECT_THAT(refusal_of_load(), AllOf(HasSubstr("a table table_test with other columns"),
                                       HasSubstr("name text"), HasSubstr("--replace")));
  EXPECT_EQ(read("SELECT name FROM table_test"), "precious");

  run("CREATE TABLE dbdyno_marker (what TEXT)");
  mysql()->load(data_set(10, 16, 1), true, {});
  EXPECT_TRUE(mysql()->verify(data_set(10, 16, 1), {}).as_loaded());
  EXPECT_EQ(handlersocket()->read_marker(), data_set(10, 16, 1));
}

TEST_F(sql_tables, that_somebody_keeps_locked_end_the_load_with_an_error) {
  mysql()->load(data_set(10, 16, 1), false, {});
  mysql_session other("test", where(), timeout);
  other.execute("START TRANSACTION");
  other.execute("UPDATE table_test SET str='locked' WHERE id=5");
  EXPECT_THAT(refusal_of_load(), AllOf(HasSubstr("1205"), HasSubstr("another connection holds a lock")));
  other.execute("ROLLBACK");
  EXPECT_EQ(refusal_of_load(), "accepted");
}

TEST_F(sql_tables, are_loaded_through_small_packets) {
  run("SET GLOBAL max_allowed_packet=2048");
  const data_set data(300, 1024, 1);
  mysql()->load(data, false, {});
  EXPECT_TRUE(mysql()->verify(data, {}).as_loaded());
}

TEST_F(sql_tables, are_not_reached_with_a_wrong_secret_which_no_message_shows) {
  target wrong_mysql = where();
  wrong_mysql.password = "n0t-it";
  target wrong_handlersocket = server_.handlersocket();
  wrong_handlersocket.password = "n0t-it";
  for (const target& wrong : {wrong_mysql, wrong_handlersocket}) {
    try {
      make_loader(wrong, timeout);
      FAIL() << wrong.storage << " let us in";
    } catch (const setup_error& error) {
      EXPECT_THAT(error.what(), HasSubstr(wrong.masked()));
      EXPECT_THAT(error.what(), testing::Not(HasSubstr("n0t-it")));
    }
  }
}

}  // namespace
}  // namespace dbdyno
