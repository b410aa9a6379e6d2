#include "drivers/mysql/connection.hpp"

#include <errmsg.h>
#include <gmock/gmock.h>
#include <mysql.h>
#include <mysqld_error.h>

#include "drivers/errors.hpp"
#include "drivers/wire/local_listener.hpp"

namespace dbdyno {
namespace {

using std::chrono::milliseconds;
using testing::HasSubstr;
using testing::Not;

target tcp_target() {
  target where;
  where.storage = "mysql";
  where.via = transport::tcp;
  where.host = "127.0.0.1";
  where.port = 1;
  where.user = "somebody";
  where.password = "hush";
  where.database = "hs_test";
  return where;
}

std::string connect_failure(const target& where, milliseconds timeout = milliseconds(3000)) {
  try {
    connect_mysql("mysql/text", where, timeout, {});
  } catch (const setup_error& error) {
    return error.what();
  }
  return "connected";
}

TEST(ClassifyMysqlError, AnswersOfTheServerAreRefusals) {
  for (const unsigned code : {1064U, unsigned{ER_DATA_TOO_LONG}, unsigned{ER_TRUNCATED_WRONG_VALUE_FOR_FIELD},
                              unsigned{ER_LOCK_WAIT_TIMEOUT}, unsigned{ER_NO_SUCH_TABLE}, 3024U, 4025U})
    EXPECT_EQ(classify_mysql_error(code), op_status::refused) << code;
}

TEST(ClassifyMysqlError, EveryWayToLoseAConnectionIsDisconnected) {
  for (const unsigned code :
       {unsigned{CR_SERVER_LOST}, unsigned{CR_SERVER_GONE_ERROR}, unsigned{ER_SERVER_SHUTDOWN},
        unsigned{ER_CONNECTION_KILLED}, 4031U, unsigned{ER_NET_READ_ERROR}, unsigned{ER_NET_READ_INTERRUPTED},
        unsigned{ER_NET_ERROR_ON_WRITE}, unsigned{ER_NET_WRITE_INTERRUPTED}})
    EXPECT_EQ(classify_mysql_error(code), op_status::disconnected) << code;
}

TEST(ClassifyMysqlError, APacketOverTheLimitIsTooLargeWhoeverSaysIt) {
  EXPECT_EQ(classify_mysql_error(CR_NET_PACKET_TOO_LARGE), op_status::too_large);
  EXPECT_EQ(classify_mysql_error(ER_NET_PACKET_TOO_LARGE), op_status::too_large);
}

TEST(ClassifyMysqlError, OtherErrorsOfTheLibraryMeanThatTheProtocolBroke) {
  for (const unsigned code : {unsigned{CR_MALFORMED_PACKET}, unsigned{CR_COMMANDS_OUT_OF_SYNC}})
    EXPECT_EQ(classify_mysql_error(code), op_status::protocol) << code;
}

TEST(ConnectMysql, SaysWhatWasTriedWhereAndWhyWithoutThePassword) {
  const std::string message = connect_failure(tcp_target());
  EXPECT_THAT(message,
              HasSubstr("mysql/text: cannot connect to mysql://somebody:***@127.0.0.1:1/hs_test: 2002: "));
  EXPECT_THAT(message, Not(HasSubstr("hush")));
}

TEST(ConnectMysql, ReportsAMissingSocket) {
  target where = tcp_target();
  where.via = transport::unix_socket;
  where.path = "/nonexistent/mysqld.sock";
  EXPECT_THAT(connect_failure(where), HasSubstr("/nonexistent/mysqld.sock"));
}

TEST(ConnectMysql, GivesUpOnASilentServerAfterTheTimeout) {
  const local_listener server;
  target where = tcp_target();
  where.port = server.port();
  const auto start = std::chrono::steady_clock::now();
  EXPECT_THAT(connect_failure(where, milliseconds(700)), HasSubstr("cannot connect to"));
  EXPECT_GE(std::chrono::steady_clock::now() - start, milliseconds(700));
}

TEST(ConnectMysql, DoesNotFillInTheNameOfWhoRunsIt) {
  target where = tcp_target();
  where.user.clear();
  EXPECT_THAT(connect_failure(where), HasSubstr("the URL names no user"));
}

TEST(ConnectMysql, TakesAHostForNothingButAHost) {
  for (const char* host : {"127.0.0.1,127.0.0.2", "host=127.0.0.1;user=root", "replication://127.0.0.1"}) {
    target where = tcp_target();
    where.host = host;
    EXPECT_THAT(connect_failure(where), HasSubstr("this is not a host name or address")) << host;
  }
}

TEST(LibmariadbVersion, IsThatOfTheLoadedLibrary) {
  EXPECT_EQ(libmariadb_version(), std::string("libmariadb ") + mysql_get_client_info());
}

}  // namespace
}  // namespace dbdyno
