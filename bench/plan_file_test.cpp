#include "bench/plan_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "drivers/errors.hpp"

namespace dbdyno {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr const char* text =
    "# a comment\n"
    "about Two lines  # and another\n"
    "about of text.\n"
    "show ops p99.9\n"
    "\n"
    "duration 1 full 120\n"
    "\tconnections 4,20   full 4,5,6\r\n"
    "cells ^get/\n"
    "depth 8\n"
    "cells ^set/\n"
    "duration 2\n"
    "requests 500000\n"
    "row-seconds 35 full 70";

TEST(plan_file, gives_every_group_what_stands_before_the_first_and_its_own) {
  const plan_file plan = parse_plan("p.plan", text, false);
  EXPECT_EQ(plan.about, "Two lines of text.");
  EXPECT_THAT(plan.columns, ElementsAre("ops", "p99.9"));
  ASSERT_THAT(plan.groups, SizeIs(2));
  EXPECT_EQ(plan.groups[0].filter, "^get/");
  EXPECT_EQ(plan.groups[0].what.duration, 1);
  EXPECT_THAT(plan.groups[0].what.connections, ElementsAre(4, 20));
  EXPECT_THAT(plan.groups[0].what.depths, ElementsAre(8));
  EXPECT_EQ(plan.groups[1].filter, "^set/");
  EXPECT_EQ(plan.groups[1].what.duration, 2);
  EXPECT_THAT(plan.groups[1].what.depths, IsEmpty());
  EXPECT_EQ(plan.groups[1].what.requests, 500'000U);
  EXPECT_EQ(plan.groups[1].row_seconds, 35);
}

TEST(plan_file, has_another_length_where_all_of_it_is_asked_for) {
  const plan_file plan = parse_plan("p.plan", text, true);
  EXPECT_EQ(plan.groups[0].what.duration, 120);
  EXPECT_THAT(plan.groups[0].what.connections, ElementsAre(4, 5, 6));
  EXPECT_EQ(plan.groups[1].what.duration, 2) << "which says nothing of a full length";
  EXPECT_EQ(plan.groups[1].row_seconds, 70);
}

TEST(plan_file, has_a_group_with_a_length_of_its_own_among_numbers_of_requests) {
  const plan_file plan = parse_plan("p.plan", "requests 10\ncells get\nduration 2\ncells set\n", false);
  EXPECT_FALSE(plan.groups[0].what.requests);
  EXPECT_EQ(plan.groups[0].what.duration, 2);
  EXPECT_EQ(plan.groups[1].what.requests, 10U);
  EXPECT_EQ(plan.groups[1].where, "p.plan:4");
}

std::string complaint(std::string_view about) {
  try {
    parse_plan("p.plan", about, false);
  } catch (const usage_error& error) {
    return error.what();
  }
  return "none";
}

TEST(plan_file, names_file_and_line_of_what_it_does_not_understand) {
  EXPECT_THAT(complaint("cells get\ndepht 5\n"), AllOf(HasSubstr("p.plan:2: "), HasSubstr("'depht'")));
  EXPECT_THAT(complaint("cells get\n\n# x\ndepth 0\n"), HasSubstr("p.plan:4: depth"));
  EXPECT_THAT(complaint("cells (\n"), HasSubstr("p.plan:1: cells"));
  EXPECT_THAT(complaint("cells\n"), AllOf(HasSubstr("p.plan:1: cells"), HasSubstr("nothing follows")));
  EXPECT_THAT(complaint("show ops p101\n"), AllOf(HasSubstr("p.plan:1: show"), HasSubstr("'p101'")));
  EXPECT_THAT(complaint("cells get\nratio 0:0"), HasSubstr("p.plan:2: ratio"));
  EXPECT_THAT(complaint("cells get\npin up\n"), AllOf(HasSubstr("p.plan:2: pin"), HasSubstr("'up'")));
  EXPECT_THAT(complaint("about nothing\n"), AllOf(HasSubstr("p.plan"), HasSubstr("cells")));
  EXPECT_THAT(complaint(""), HasSubstr("nothing to run"));
}

TEST(plan_file, is_found_by_name_or_path) {
  for (const built_in_plan& plan : built_in_plans()) {
    EXPECT_THAT(find_plan(std::string(plan.name), false).groups, testing::Not(IsEmpty())) << plan.name;
    EXPECT_THAT(find_plan(std::string(plan.name), true).groups, testing::Not(IsEmpty())) << plan.name;
  }
  EXPECT_THROW(find_plan("quack", false), usage_error);
  EXPECT_THROW(find_plan("./no-such-file", false), usage_error);
}

TEST(sweep, lets_the_first_win_and_a_length_replace_a_number_of_requests) {
  sweep flags;
  flags.depths = {3};
  flags.duration = 2;
  sweep plan;
  plan.depths = {4, 5};
  plan.threads = {6};
  plan.requests = 7;
  const sweep both = overlay(flags, plan);
  EXPECT_THAT(both.depths, ElementsAre(3));
  EXPECT_THAT(both.threads, ElementsAre(6));
  EXPECT_EQ(both.duration, 2);
  EXPECT_FALSE(both.requests);
  flags.requests = 8;
  EXPECT_EQ(overlay(flags, plan).requests, 8U);
}

}  // namespace
}  // namespace dbdyno
