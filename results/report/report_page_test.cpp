#include "results/report/report_page.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "results/base64.hpp"
#include "results/example_run.hpp"
#include "results/report/page_parts.hpp"
#include "results/report/report_data.hpp"
#include "results/report/sha256.hpp"
#include "results/run_file_reader.hpp"

using namespace dbdyno::results;
using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;

namespace {

constexpr const char* evil = "</script><img src=x onerror=alert(1)>";

/// The texts between the tags, in order.
std::vector<std::string> between(const std::string& page, const std::string& begin, const std::string& end) {
  std::vector<std::string> out;
  for (std::size_t at = 0; (at = page.find(begin, at)) != std::string::npos;) {
    at += begin.size();
    const auto stop = page.find(end, at);
    out.push_back(page.substr(at, stop - at));
    at = stop;
  }
  return out;
}

std::string source_of(const std::string& text) {
  const auto digest = sha256(text);
  return "'sha256-" + encode_base64({reinterpret_cast<const char*>(digest.data()), digest.size()}) + "'";
}

TEST(ReportPage, AllowsItsOwnScriptsAndStylesByHashAndNothingElse) {
  const auto page = report_page("a title", "{}");
  const auto scripts = between(page, "<script>", "</script>");
  const auto styles = between(page, "<style>", "</style>");
  ASSERT_THAT(scripts, SizeIs(2));
  ASSERT_THAT(styles, SizeIs(2));
  const auto policies = between(page, "http-equiv=\"Content-Security-Policy\" content=\"", "\"");
  ASSERT_THAT(policies, SizeIs(1));
  EXPECT_EQ(policies[0], "default-src 'none'; script-src " + source_of(scripts[0]) + " " +
                             source_of(scripts[1]) + "; style-src " + source_of(styles[0]) + " " +
                             source_of(styles[1]) + "; base-uri 'none'; form-action 'none'");
}

TEST(ReportPage, StartsNothingButItsScripts) {
  const auto page = report_page("a title", "{}");
  // Three ends of scripts: the data and the two scripts. No handler, no style in a tag, no reference.
  EXPECT_THAT(between(page, "<script", ">"), SizeIs(3));
  EXPECT_THAT(between(page, "</script", ">"), SizeIs(3));
  const std::string form(page::form);
  for (const char* banned :
       {" onclick", " onerror", " onload", " style=", " src=", "<link", "<iframe", "http:", "https:"})
    EXPECT_THAT(form, Not(HasSubstr(banned)));
  EXPECT_THAT(std::string(page::style), Not(HasSubstr("url(")));
  EXPECT_THAT(std::string(page::script), Not(HasSubstr("innerHTML")));
  EXPECT_THAT(page, HasSubstr("Permission is hereby granted"));
}

TEST(ReportPage, KeepsMarkupInTitlesText) {
  const auto page = report_page(evil, "{}");
  EXPECT_THAT(page, Not(HasSubstr("<img")));
  EXPECT_THAT(page, HasSubstr("<h1>&lt;/script&gt;&lt;img src=x onerror=alert(1)&gt;</h1>"));
  EXPECT_THAT(report_page("{{data}} \"&", "{}"), HasSubstr("<h1>{{data}} &quot;&amp;</h1>"));
}

TEST(ReportPage, KeepsMarkupInLabelsText) {
  auto run = example_run();
  for (auto& each : run.rows) each.name = evil;
  for (auto& each : run.cells) {
    each.name = evil;
    each.judged = verdict{verdict_level::suspect, {evil, "<!-- <script>"}};
    each.errors[evil] = 3;
  }
  run.machine.host_name = run.plan.name = run.targets[0].storage = evil;
  run.plan.options[evil] = evil;
  const auto data = report_data({{std::string("<b>") + evil + ".json", run}});
  const auto page = report_page("a title", data);
  EXPECT_THAT(page, Not(HasSubstr("<img")));
  EXPECT_THAT(between(page, "</script", ">"), SizeIs(3));
  const auto embedded = between(page, "id=\"data\">", "</script>").at(0);
  EXPECT_EQ(embedded.find('<'), std::string::npos);
  EXPECT_EQ(nlohmann::json::parse(embedded), nlohmann::json::parse(data));
}

TEST(ReportPage, OfAFullPlanIsBelow1Megabyte) {
  const auto run = load(DBDYNO_REFERENCE "/quick.json");
  EXPECT_LT(report_page("quick", report_data({{"quick.json", run}})).size(), 1'000'000U);
}

}  // namespace
