#include "drivers/errors.hpp"

#include <gtest/gtest.h>

#include <string>

namespace dbdyno {
namespace {

TEST(setup_error, says_what_failed_and_what_to_do_where_that_is_known) {
  EXPECT_STREQ(setup_error("x/y", "open", "box:1", "on fire").what(), "x/y: cannot open box:1: on fire");
  const setup_error refused("redis/wire", "connect to", "127.0.0.1:1", "Connection refused");
  EXPECT_STREQ(
      refused.what(),
      "redis/wire: cannot connect to 127.0.0.1:1: Connection refused; does the server run and listen "
      "there?");
  EXPECT_EQ(refused.reason(), "Connection refused");
}

TEST(setup_error, names_the_urls_form_that_a_server_wants) {
  for (const auto& [reason, form] :
       {std::pair<std::string, std::string>{"NOAUTH Authentication required.", "redis://:password@host:port"},
        {"1045: Access denied for user 'x'", "mysql://user:password@host:port/db"},
        {"unauth: 3 1 unauth", "handlersocket://:secret@host:port/db"}}) {
    const std::string text = setup_error("x/y", "authenticate at", "box:1", reason).what();
    EXPECT_NE(text.find(reason + "; the URL takes "), std::string::npos) << text;
    EXPECT_NE(text.find(form), std::string::npos) << text;
  }
}

}  // namespace
}  // namespace dbdyno
