#include "results/run_file_reader.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <functional>
#include <string>

#include "results/example_run.hpp"
#include "results/run_file_writer.hpp"
#include "results/temporary_directory.hpp"

using namespace dbdyno::results;
using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

namespace {

std::string message_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const result_file_error& error) {
    return error.what();
  }
  return "no error";
}

std::string message_for(const std::string& text) {
  return message_of([&] { parse(text, "run.json"); });
}

/// What is said about the example after a change to its JSON.
std::string message_after(const std::function<void(json&)>& change) {
  auto document = json::parse(to_json(example_run()));
  change(document);
  return message_for(document.dump());
}

TEST(RunFileReader, ReadsBackWhatWasSaved) {
  const temporary_directory directory;
  const auto path = (directory.path() / "run.json").string();
  save(path, example_run());
  EXPECT_EQ(load(path), example_run());
}

TEST(RunFileReader, ReadsBackAnEmptyRun) {
  EXPECT_EQ(parse(to_json({}), "run.json"), run_file{});
}

TEST(RunFileReader, IgnoresKeysItDoesNotKnow) {
  auto document = json::parse(to_json(example_run()));
  document["later"] = 1;
  document["context"]["later"] = {1, 2};
  document["benchmarks"][0]["label"] = "slow";
  document["dbdyno"]["cells"][0]["later"] = "text";
  EXPECT_EQ(parse(document.dump(), "run.json"), example_run());
}

TEST(RunFileReader, HistogramsComeBackToTheLastFigure) {
  const auto read = parse(to_json(example_run()), "run.json");
  EXPECT_TRUE(to_histogram(read.cells[0].histograms.at("ok")) == example_latencies());
}

TEST(RunFileReader, ReadsFilesOfBeforeThereWereHistograms) {
  auto document = json::parse(to_json(example_run()));
  for (auto& cell : document["dbdyno"]["cells"]) {
    for (const auto* key : {"histograms", "start_s", "window_s"}) cell.erase(key);
  }
  const auto read = parse(document.dump(), "run.json");
  EXPECT_TRUE(read.cells[0].histograms.empty());
  EXPECT_FALSE(read.cells[0].start_s);
}

run_file imported_run_file() {
  run_file file;
  file.rows.push_back(example_run().rows[0]);
  file.imported = import_info{.format = "wrk", .remarks = {"one", "two"}};
  return file;
}

TEST(RunFileReader, ReadsBackAnImportedRunOfWhichNothingElseIsKnown) {
  EXPECT_EQ(parse(to_json(imported_run_file()), "run.json"), imported_run_file());
  auto file = imported_run_file();
  file.context = {.date = "2020-01-01",
                  .executable = "bench",
                  .load_avg = {1, 0.5},
                  .library_build_type = "release",
                  .library_version = "v1.8.0",
                  .dbdyno_version = "",
                  .dbdyno_build_type = ""};
  file.machine.host_name = "box";
  file.machine.cpu_count = 2;
  file.machine.cpu_mhz = 3000;
  file.machine.caches = {{"Data", 1, 49152, 2}};
  EXPECT_EQ(parse(to_json(file), "run.json"), file);
}

TEST(RunFileReader, RefusesAnImportThatSaysNotOfWhat) {
  auto document = json::parse(to_json(imported_run_file()));
  document["dbdyno"]["import"].erase("format");
  EXPECT_EQ(message_for(document.dump()), "run.json: not a result file: /dbdyno/import/format: missing");
}

TEST(RunFileReader, RequiresOfARunOfOursWhatOnlyImportsMayLack) {
  for (const auto* key : {"machine", "plan"}) {
    EXPECT_EQ(message_after([&](json& j) { j["dbdyno"].erase(key); }),
              std::string("run.json: not a result file: /dbdyno/") + key + ": missing");
  }
  EXPECT_EQ(message_after([](json& j) { j["context"].erase("host_name"); }),
            "run.json: not a result file: /context/host_name: missing");
}

TEST(RunFileReader, NamesAFileThatCannotBeRead) {
  const temporary_directory directory;
  const auto missing = (directory.path() / "none.json").string();
  EXPECT_EQ(message_of([&] { load(missing); }), missing + ": No such file or directory");
  EXPECT_EQ(message_of([&] { load(directory.path().string()); }),
            directory.path().string() + ": Is a directory");
}

TEST(RunFileReader, SaysWhereBrokenJsonIsBroken) {
  EXPECT_EQ(message_for(""), "run.json: the file is empty");
  EXPECT_THAT(message_for("{\n  \"context\": nan"),
              StartsWith("run.json: parse error at line 2, column 15: "));
  const auto whole = to_json(example_run());
  EXPECT_THAT(message_for(whole.substr(0, whole.size() / 2)), StartsWith("run.json: parse error at line "));
}

TEST(RunFileReader, RefusesJsonOfAnotherKind) {
  EXPECT_EQ(message_for("[]"), "run.json: not a result file: expected an object, found array");
  EXPECT_EQ(message_for("{}"), "run.json: not a result file: /context: missing");
  EXPECT_EQ(message_after([](json& j) { j.erase("dbdyno"); }),
            "run.json: not a result file: /dbdyno: missing");
  EXPECT_THAT(
      message_after([](json& j) { j["dbdyno"]["schema"] = 2; }),
      AllOf(StartsWith("run.json: "), HasSubstr("/dbdyno/schema: schema 2 where this program reads 1")));
}

TEST(RunFileReader, PointsAtTheValueThatIsWrong) {
  EXPECT_THAT(message_after([](json& j) { j["benchmarks"][1].erase("run_name"); }),
              HasSubstr("/benchmarks/1/run_name: missing"));
  EXPECT_THAT(message_after([](json& j) { j["benchmarks"][0]["real_time"] = "fast"; }),
              HasSubstr("/benchmarks/0/real_time: expected a number, found string"));
  EXPECT_THAT(message_after([](json& j) { j["benchmarks"][2]["aggregate_name"] = "BigO"; }),
              HasSubstr("/benchmarks/2/aggregate_name: unknown value \"BigO\""));
  EXPECT_THAT(message_after([](json& j) { j["dbdyno"]["cells"][1]["errors"]["timeout"] = -1; }),
              HasSubstr("/dbdyno/cells/1/errors/timeout: expected a whole number"));
  EXPECT_THAT(message_after([](json& j) { j["dbdyno"]["cells"][0]["histograms"]["ok"]["encoding"] = "V3"; }),
              HasSubstr("/dbdyno/cells/0/histograms/ok/encoding: unknown value \"V3\""));
  EXPECT_THAT(message_after([](json& j) { j["dbdyno"]["cells"][0]["histograms"]["ok"].erase("max_ns"); }),
              HasSubstr("/dbdyno/cells/0/histograms/ok/max_ns: missing"));
  EXPECT_THAT(message_after([](json& j) { j["benchmarks"][0]["threads"] = 4'294'967'296; }),
              HasSubstr("/benchmarks/0/threads: expected a whole number"));
  EXPECT_THAT(message_after([](json& j) { j["dbdyno"]["partial"] = 0; }),
              HasSubstr("/dbdyno/partial: expected true or false, found number"));
  EXPECT_THAT(message_after([](json& j) { j["dbdyno"]["plan"]["order"] = "random"; }),
              HasSubstr("/dbdyno/plan/order: expected an array, found string"));
}

}  // namespace
