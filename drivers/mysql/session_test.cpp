#include "drivers/mysql/session.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>

#include "fixtures/mariadb_server.hpp"

namespace dbdyno {
namespace {

using std::chrono::seconds;
using std::chrono::steady_clock;

TEST(MysqlSession, GivesUpAServerThatSaysNothing) {
  const mariadb_server server;
  mysql_session session("test", server.mysql_tcp(), seconds(5), {.longest_wait = seconds(1)});
  const auto begin = steady_clock::now();
  try {
    session.execute("SELECT SLEEP(60)");
    ADD_FAILURE() << "it was waited for";
  } catch (const mysql_error& error) {
    constexpr unsigned server_lost = 2013;
    EXPECT_EQ(error.code(), server_lost) << error.what();
  }
  const auto waited = steady_clock::now() - begin;
  EXPECT_GE(waited, seconds(1));
  EXPECT_LT(waited, seconds(30));
  // The connection is lost, and says so at once.
  EXPECT_THROW(session.execute("SELECT 1"), mysql_error);
}

TEST(MysqlSession, WaitsForASlowAnswerOtherwise) {
  const mariadb_server server;
  mysql_session session("test", server.mysql_unix(), seconds(1));
  EXPECT_NO_THROW(session.execute("SELECT SLEEP(2)"));
}

}  // namespace
}  // namespace dbdyno
