#include "results/exports/export_format.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

using namespace dbdyno::results;
using testing::ElementsAre;
using testing::StrEq;
using testing::ThrowsMessage;

namespace {

TEST(ExportFormats, AreNamedWithCommasBetween) {
  EXPECT_THAT(parse_export_formats("csv"), ElementsAre(export_format::csv));
  EXPECT_THAT(parse_export_formats("prometheus,hlog,prometheus"),
              ElementsAre(export_format::prometheus, export_format::hlog));
}

TEST(ExportFormats, HaveNamesThatAreRead) {
  EXPECT_EQ(
      export_format_names(),
      "hlog, hgrm, gbench, gbench-median, bmf, github-action-smaller, github-action-bigger, csv, prometheus");
  for (const auto format :
       {export_format::gbench_median, export_format::github_action_bigger, export_format::prometheus})
    EXPECT_THAT(parse_export_formats(to_string(format)), ElementsAre(format));
  EXPECT_EQ(extension_of(export_format::prometheus), ".prom") << "node_exporter reads no others";
}

TEST(ExportFormats, NameTheOneThatThereIsNot) {
  for (const char* text : {"csv,xml", "xml"})
    EXPECT_THAT([&] { parse_export_formats(text); }, ThrowsMessage<std::invalid_argument>(StrEq("xml")));
  for (const char* text : {"", "csv,", ",csv"})
    EXPECT_THAT([&] { parse_export_formats(text); }, ThrowsMessage<std::invalid_argument>(StrEq("")));
}

}  // namespace
