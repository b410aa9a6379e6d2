#include "results/report/report_data.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <set>
#include <string>
#include <vector>

#include "results/example_run.hpp"
#include "results/run_file_reader.hpp"

using namespace dbdyno::results;
using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Le;
using testing::SizeIs;
using testing::ThrowsMessage;

namespace {

json data_of(const std::vector<report_input>& inputs, const report_detail& detail = {}) {
  return json::parse(report_data(inputs, detail));
}

run_file reference(const std::string& name) {
  return load(DBDYNO_REFERENCE "/" + name);
}

std::size_t names_in(const run_file& run) {
  std::set<std::string> names;
  for (const row& each : run.rows) names.insert(each.name);
  return names.size();
}

run_file with_rows(unsigned cells, unsigned repetitions) {
  run_file run;
  for (unsigned c = 0; c < cells; ++c) {
    for (unsigned index = 0; index < repetitions; ++index) {
      row r;
      r.name = fmt::format("get/redis/wire/async/transport:tcp/conns:{}/manual_time", c + 1);
      r.repetition = index;
      r.repetitions = repetitions;
      r.counters["items_per_second"] = 1000.0 + index;
      run.rows.push_back(r);
    }
  }
  return run;
}

TEST(ReportData, HasWhatTheExampleHas) {
  const auto data = data_of({{"runs/example.json", example_run()}});
  const auto& file = data["files"][0];
  EXPECT_EQ(file["label"], "example");
  EXPECT_EQ(file["partial"], true);
  EXPECT_EQ(file["rows"], 2);
  EXPECT_EQ(file["reps"], json({{"failed", 1}, {"suspect", 1}}));
  EXPECT_EQ(file["seed"], "18446744073709551615");  // more than JavaScript's numbers hold
  EXPECT_EQ(file["targets"][0]["version"], "7.0.15");
  ASSERT_THAT(data["cells"], SizeIs(1));
  const auto& cell = data["cells"][0];
  EXPECT_EQ(cell["name"], "get/redis/wire/async/transport:tcp/conns:50/depth:16");
  EXPECT_EQ(cell["level"], "suspect");
  EXPECT_EQ(cell["figures"]["ops"], json({799'940}));
  EXPECT_EQ(cell["latency"]["max"], 75'000'000'000);
  EXPECT_EQ(cell["errors"], json({{"disconnected", 16}, {"timeout", 1}}));
  EXPECT_EQ(cell["refusals"], json({{"ERR", 2}}));
  EXPECT_EQ(cell["reasons"][0], json({"the client's core was 97 % busy", 1}));
  EXPECT_EQ(cell["messages"][0][0], "the server said \"no\"");
  EXPECT_EQ(cell["series"][0]["slices"], json({100, 110.5}));
  EXPECT_EQ(data["layers"][0]["wire"], json({500, -20, 1020}));
  EXPECT_TRUE(data["layers"][0]["library"].is_null());
  EXPECT_EQ(data["searches"][0]["knee"], 500);
  EXPECT_EQ(data["left_out"], json::array());
}

TEST(ReportData, ReducesEveryHistogramToAFewPoints) {
  const auto data = data_of({{"rates.json", reference("rates.json")}});
  ASSERT_THAT(data["cells"], SizeIs(18));
  for (const auto& cell : data["cells"]) {
    EXPECT_THAT(cell["latency"]["curve"], SizeIs(Le(60U)));
    EXPECT_GT(cell["latency"]["curve"].size(), 30U);
    EXPECT_EQ(cell["latency"]["merged"], true);
  }
}

TEST(ReportData, OfAnEmptyRunHasNoCells) {
  const auto data = data_of({{"a.json", {}}});
  EXPECT_EQ(data["cells"], json::array());
  EXPECT_EQ(data["files"][0]["rows"], 0);
}

TEST(ReportData, SaysOfEachFileWhatWasSetAsideAndWhatAnOperationIs) {
  run_file run;
  run.imported = import_info{.format = "google-benchmark", .remarks = {}};
  run.rows.resize(2);
  run.rows[0].name = "a";
  run.rows[0].real_time = 250;
  run.rows[0].cpu_time = 200;
  run.rows[1].name = "b";
  run.rows[1].error_message = "gone";
  const auto data =
      data_of({{"a.json", run, std::vector<std::string>(22, "left out\n")}, {"b.json", example_run()}});
  EXPECT_EQ(data["files"][0]["format"], "google-benchmark");
  const auto& remarks = data["files"][0]["remarks"];
  ASSERT_THAT(remarks, SizeIs(22));
  EXPECT_EQ(remarks[19], "left out ");
  EXPECT_EQ(remarks[20], "and 2 remarks more");
  EXPECT_EQ(remarks[21], "1 of its rows has no items_per_second: there an iteration counts as one operation");
  EXPECT_EQ(data["cells"][0]["figures"]["ops"][0], 4'000'000);
  EXPECT_EQ(data["cells"][0]["figures"]["cpu_time"][0], 200);
  EXPECT_EQ(data["files"][1]["remarks"], json::array());
  EXPECT_FALSE(data["files"][1].contains("format"));
}

TEST(ReportData, NumbersFilesOfOneName) {
  const auto data = data_of({{"a/quick.json", {}}, {"b/quick.json", {}}, {"b/other.txt", {}}});
  EXPECT_EQ(data["files"][0]["label"], "quick (1)");
  EXPECT_EQ(data["files"][1]["label"], "quick (2)");
  EXPECT_EQ(data["files"][2]["label"], "other.txt");
}

TEST(ReportData, TakesTextsOfAnyBytes) {
  auto run = example_run();
  for (auto& each : run.rows) each.name = "a\xff\x01/<b>";
  EXPECT_EQ(data_of({{"a.json", run}})["cells"][0]["name"], "a\xef\xbf\xbd /<b>");
}

TEST(ReportData, NamesTheFileWhoseHistogramCannotBeRead) {
  auto run = example_run();
  run.cells[0].histograms["ok"].count = 1;
  EXPECT_THAT(
      [&] {
        report_data({{"some.json", run}});
      },
      ThrowsMessage<result_file_error>(HasSubstr("some.json: get/redis")));
}

TEST(ReportData, SaysHowManyCellsItLeavesOut) {
  const auto data = data_of({{"a.json", with_rows(30, 2)}, {"b.json", with_rows(2, 2)}}, {.most_cells = 20});
  EXPECT_THAT(data["cells"], SizeIs(12));
  EXPECT_THAT(data["left_out"], ElementsAre("20 of 32 cells"));
}

TEST(ReportData, SaysHowManyReasonsAndMessagesItLeavesOut) {
  auto run = example_run();
  run.cells[0].judged->reasons = {"busy", "late", "short", "busy"};
  const auto left_out = [&](std::size_t texts) {
    return data_of({{"a.json", run}}, {.texts = texts})["left_out"];
  };
  EXPECT_THAT(left_out(3), IsEmpty());
  EXPECT_THAT(left_out(2), ElementsAre("all but 2 reasons and 2 error messages a cell"));
  EXPECT_THAT(left_out(0), ElementsAre("the verdicts' reasons and the error messages"));
  run.cells[0].judged->reasons.clear();
  EXPECT_THAT(left_out(1), IsEmpty());
  EXPECT_THAT(left_out(0), ElementsAre("the verdicts' reasons and the error messages"));
}

TEST(FittedReportData, KeepsAllOfAFullPlan) {
  const run_file plan = reference("quick.json");
  const auto text = fitted_report_data({{"quick.json", plan}}, 850'000);
  EXPECT_LT(text.size(), 300'000U);
  EXPECT_EQ(json::parse(text)["left_out"], json::array());
  EXPECT_THAT(json::parse(text)["cells"], SizeIs(names_in(plan)));
}

TEST(FittedReportData, LeavesOutTheLeastNeededAndSaysSo) {
  const run_file plan = reference("quick.json");
  const auto smaller = fitted_report_data({{"quick.json", plan}}, 130'000);
  EXPECT_LT(smaller.size(), 130'000U);
  EXPECT_THAT(json::parse(smaller)["cells"], SizeIs(names_in(plan)));
  EXPECT_THAT(json::parse(smaller)["left_out"][0], HasSubstr("range around the percentile curves"));
  const auto smallest = fitted_report_data({{"quick.json", plan}}, 20'000);
  EXPECT_LT(smallest.size(), 20'000U);
  EXPECT_THAT(json::parse(smallest)["left_out"].back(),
              HasSubstr(fmt::format("of {} cells", names_in(plan))));
}

TEST(FittedReportData, HoldsAHundredThousandRows) {
  for (const auto& [cells, repetitions] : {std::pair(20'000U, 5U), std::pair(10U, 10'000U)}) {
    const auto text = fitted_report_data({{"large.json", with_rows(cells, repetitions)}}, 850'000);
    EXPECT_LT(text.size(), 850'000U);
    const auto data = json::parse(text);
    EXPECT_EQ(data["files"][0]["rows"], 100'000);
    EXPECT_EQ(data["left_out"].empty(), cells == 10);
  }
}

}  // namespace
