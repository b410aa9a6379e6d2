#include "drivers/mysql/statements.hpp"

#include <gmock/gmock.h>

#include <string>

#include "drivers/mysql/value_buffer.hpp"

namespace dbdyno {
namespace {

std::string escaped(std::string_view text) {
  std::string out(2 * text.size(), '#');
  out.resize(static_cast<std::size_t>(escape_mysql_literal(out.data(), text) - out.data()));
  return out;
}

// The inverse, as the server reads a literal.
std::string as_read_by_server(std::string_view literal) {
  std::string text;
  for (std::size_t i = 0; i < literal.size(); ++i) {
    if (literal[i] != '\\') {
      text += literal[i];
    } else {
      ++i;
      text += literal.at(i) == '0' ? '\0' : literal.at(i);
    }
  }
  return text;
}

TEST(EscapeMysqlLiteral, LeavesPlainTextAlone) {
  EXPECT_EQ(escaped(""), "");
  EXPECT_EQ(escaped("abc"), "abc");
  EXPECT_EQ(escaped("eight---and more"), "eight---and more");
  EXPECT_EQ(escaped("\xE2\x82\xAC \"%_\n"), "\xE2\x82\xAC \"%_\n");
}

TEST(EscapeMysqlLiteral, EscapesQuoteBackslashAndNul) {
  EXPECT_EQ(escaped("it's"), "it\\'s");
  EXPECT_EQ(escaped("C:\\"), "C:\\\\");
  EXPECT_EQ(escaped(std::string_view("a\0b", 3)), "a\\0b");
  EXPECT_EQ(escaped("''''''''''"), "\\'\\'\\'\\'\\'\\'\\'\\'\\'\\'");
}

TEST(EscapeMysqlLiteral, FindsASpecialByteAtEveryPlaceOfEveryLength) {
  for (const char special : {'\'', '\\', '\0'}) {
    for (std::size_t size = 1; size <= 25; ++size) {
      for (std::size_t place = 0; place < size; ++place) {
        std::string text(size, 'x');
        text[place] = special;
        const std::string literal = escaped(text);
        EXPECT_EQ(literal.size(), size + 1) << int{special} << ' ' << place << '/' << size;
        EXPECT_EQ(as_read_by_server(literal), text) << int{special} << ' ' << place << '/' << size;
      }
    }
  }
}

TEST(EscapeMysqlLiteral, EscapesNoOtherByteValue) {
  for (int byte = 1; byte < 256; ++byte) {
    if (byte == '\'' || byte == '\\') continue;
    const std::string text(9, static_cast<char>(byte));
    EXPECT_EQ(escaped(text), text) << byte;
  }
}

TEST(MysqlStatements, BuildSelectAndUpdateByKey) {
  mysql_statements statements(16);
  EXPECT_EQ(statements.get(key(42, 0)), "SELECT str FROM table_test WHERE id=42");
  EXPECT_EQ(statements.set(key(42, 0), "a'b"), "UPDATE table_test SET str='a\\'b' WHERE id=42");
  EXPECT_EQ(statements.set(key(7, 0), ""), "UPDATE table_test SET str='' WHERE id=7");
}

TEST(MysqlStatements, CarryNothingOverFromALongerStatement) {
  mysql_statements statements(16);
  statements.get(key(key::max_id, 0));
  statements.set(key(key::max_id, 0), "'''' 0123456789");
  EXPECT_EQ(statements.get(key(1, 0)), "SELECT str FROM table_test WHERE id=1");
  EXPECT_EQ(statements.set(key(1, 0), "x"), "UPDATE table_test SET str='x' WHERE id=1");
}

TEST(MysqlStatements, CapacityIsThatOfTheLongestStatement) {
  mysql_statements statements(1024);
  EXPECT_EQ(statements.set(key(key::max_id, 0), std::string(1024, '\'')).size(),
            mysql_statements::capacity(1024));
}

TEST(MysqlValueBuffer, KeepsValuesUpToItsCapacity) {
  mysql_value_buffer buffer(4);
  EXPECT_TRUE(buffer.assign("abcd", 4));
  EXPECT_EQ(buffer.view(), "abcd");
  EXPECT_TRUE(buffer.assign("", 0));
  EXPECT_EQ(buffer.view(), "");
}

TEST(MysqlValueBuffer, TakesNothingOfALongerValue) {
  mysql_value_buffer buffer(4);
  EXPECT_FALSE(buffer.assign("abcde", 5));
  EXPECT_EQ(buffer.view(), "");
}

}  // namespace
}  // namespace dbdyno
