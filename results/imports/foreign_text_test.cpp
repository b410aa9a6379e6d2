#include "results/imports/foreign_text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

using namespace dbdyno::results;
using testing::ElementsAre;

namespace {

TEST(foreign_text, numbers_the_lines_whatever_ends_them) {
  const auto lines = lines_of("a\r\n\nb");
  ASSERT_EQ(lines.size(), 3U);
  EXPECT_EQ(lines[0].text, "a");
  EXPECT_EQ(lines[1].text, "");
  EXPECT_EQ(lines[2].text, "b");
  EXPECT_EQ(lines[2].number, 3U);
  EXPECT_TRUE(lines_of("").empty());
}

TEST(foreign_text, reads_csv_with_and_without_quotes) {
  EXPECT_THAT(csv_fields(R"("GET, all","1.5",2,"a ""b""",)"),
              ElementsAre("GET, all", "1.5", "2", "a \"b\"", ""));
}

TEST(foreign_text, reads_finite_numbers_only_and_with_a_point_only) {
  EXPECT_EQ(number_in(" 1.5 "), 1.5);
  for (const auto* text : {"", "1.5x", "nan", "-nan", "inf", "1,5", "x"})
    EXPECT_FALSE(number_in(text)) << text;
  EXPECT_EQ(leading_number("3197.72 [#/sec] (mean)"), 3197.72);
  EXPECT_EQ(count_in("18446744073709551615"), std::numeric_limits<std::uint64_t>::max());
  for (const auto* text : {"-1", "1.0", "18446744073709551616"}) EXPECT_FALSE(count_in(text)) << text;
}

TEST(foreign_text, keeps_counts_within_what_they_can_hold) {
  EXPECT_EQ(as_count(12.9), 12U);
  EXPECT_EQ(as_count(1e300), 1'000'000'000'000'000'000U);
  EXPECT_EQ(as_count(-1), 0U);
  EXPECT_EQ(as_count(std::numeric_limits<double>::quiet_NaN()), 0U);
  EXPECT_EQ(as_count(std::nullopt), 0U);
}

TEST(foreign_text, converts_durations_to_nanoseconds) {
  EXPECT_EQ(duration_in("634.00us"), 634e3);
  EXPECT_EQ(duration_in("1.15ms"), 1.15e6);
  EXPECT_EQ(duration_in("2.00s"), 2e9);
  EXPECT_EQ(duration_in("1.50m"), 90e9);
  EXPECT_EQ(duration_in("1.00h"), 3600e9);
  for (const auto* text : {"1.5", "10k", "50%", "-nanus"}) EXPECT_FALSE(duration_in(text)) << text;
}

TEST(foreign_text, makes_names_that_mean_nothing_in_a_regular_expression) {
  EXPECT_EQ(name_part("LPUSH (needed to benchmark LRANGE)"), "LPUSH-needed-to-benchmark-LRANGE");
  EXPECT_EQ(name_part("GET key:__rand_int__"), "GET-key-__rand_int__");
  EXPECT_EQ(name_part("a.b/c*^$[x]{y}|\\d+?"), "a-b-c-x-y-d");
  EXPECT_EQ(name_part("()"), "unnamed");
  EXPECT_EQ(path_part("http://127.0.0.1:80/a/b.html?x=1#y"), "a-b-html");
  EXPECT_EQ(path_part("http://127.0.0.1:80/"), "root");
  EXPECT_EQ(path_part("http://127.0.0.1:80"), "root");
  EXPECT_EQ(path_part("/?q=1"), "root");
}

TEST(foreign_text, counts_only_the_good_requests_into_a_rate) {
  std::vector<std::string> remarks;
  row r;
  r.name = "x";
  set_rate_of_good(r, 1000, 200, 50, "too late", remarks);
  EXPECT_EQ(r.iterations, 150U);
  EXPECT_DOUBLE_EQ(r.counters.at("items_per_second"), 750);
  EXPECT_DOUBLE_EQ(*r.real_time, 1e9 / 750);
  EXPECT_THAT(
      remarks,
      ElementsAre("x: 50 of 200 requests failed (too late) and are not counted, so 750.00/s where the "
                  "file says 1000.00/s; the latencies cover them, too"));
}

TEST(foreign_text, has_no_rate_where_every_request_failed) {
  std::vector<std::string> remarks;
  row r;
  r.name = "x";
  set_rate_of_good(r, 1000, 200, 300, "503", remarks);
  EXPECT_EQ(r.iterations, 0U);
  EXPECT_FALSE(r.real_time);
  EXPECT_FALSE(r.counters.contains("items_per_second"));
  EXPECT_EQ(r.error_message, "all 200 requests failed: 503");
  EXPECT_EQ(remarks.size(), 1U);
}

TEST(foreign_text, makes_rows_of_one_name_repetitions_side_by_side) {
  std::vector<row> rows(3);
  rows[0].name = rows[2].name = "a";
  rows[1].name = "b";
  rows[2].iterations = 7;
  number_repetitions(rows);
  EXPECT_EQ(rows[1].name, "a");
  EXPECT_EQ(rows[1].repetition, 1U);
  EXPECT_EQ(rows[1].repetitions, 2U);
  EXPECT_EQ(rows[1].iterations, 7U);
  EXPECT_EQ(rows[2].repetitions, 1U);
}

}  // namespace
