#include "results/imports/load_results.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <filesystem>

#include "results/example_run.hpp"
#include "results/imports/import_examples.hpp"
#include "results/imports/import_text.hpp"
#include "results/temporary_directory.hpp"

using namespace dbdyno::results;
using testing::IsEmpty;
using testing::StartsWith;

namespace {

TEST(load_results, reads_result_files_of_ours_as_the_reader_does) {
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(DBDYNO_REFERENCE)) {
    if (entry.path().extension() != ".json") continue;
    ++files;
    const auto loaded = load_results(entry.path().string());
    EXPECT_EQ(loaded.run, load(entry.path().string()));
    EXPECT_FALSE(loaded.run.imported);
    EXPECT_THAT(loaded.remarks, IsEmpty());
  }
  EXPECT_GE(files, 9);
  EXPECT_EQ(parse_results(to_json(example_run()), "a.json").run, example_run());
}

TEST(load_results, reads_ours_without_what_is_ours_as_google_benchmarks) {
  auto document = nlohmann::json::parse(to_json(example_run()));
  document.erase("dbdyno");
  const auto loaded = parse_results(document.dump(), "a.json");
  EXPECT_EQ(loaded.run.imported->format, "google-benchmark");
  ASSERT_EQ(loaded.run.rows.size(), 2U);
  EXPECT_EQ(loaded.run.rows[0], example_run().rows[0]);
  EXPECT_EQ(loaded.run.rows[1].error_message, "the server said \"no\"");
  EXPECT_EQ(loaded.run.plan.hash, "");
}

TEST(load_results, comes_with_the_remarks_of_the_import) {
  const auto imported = import_text(example("wrk-failed.txt"), "w.txt");
  const temporary_directory directory;
  const auto path = (directory.path() / "w.json").string();
  save(path, imported.run);
  EXPECT_EQ(load_results(path).remarks, imported.remarks);
  EXPECT_EQ(load_results(path).remarks.size(), 1U);
}

TEST(load_results, says_how_to_import_what_it_does_not_read_itself) {
  EXPECT_EQ(error_of([] { parse_results(example("wrk.txt"), "w.txt"); }),
            "w.txt: results of wrk; dbdyno-export --import makes a result file of them");
  EXPECT_EQ(error_of([] { parse_results(example("memtier-mixed.json"), "m.json"); }),
            "m.json: results of memtier_benchmark; dbdyno-export --import makes a result file of them");
}

TEST(load_results, names_the_file_in_whatever_is_wrong) {
  EXPECT_EQ(error_of([] { load_results("none.json"); }), "none.json: No such file or directory");
  EXPECT_EQ(error_of([] { parse_results("", "a.json"); }), "a.json: the file is empty");
  EXPECT_THAT(error_of([] { parse_results("hello", "a.json"); }),
              StartsWith("a.json: parse error at line 1, column 1"));
  EXPECT_EQ(error_of([] { parse_results(R"({"dbdyno": 1})", "a.json"); }),
            "a.json: not a result file: /context: missing");
  EXPECT_EQ(error_of([] { parse_results("{}", "a.json"); }),
            "a.json: not a result file: /benchmarks: missing");
  const auto whole = to_json(example_run());
  EXPECT_THAT(error_of([&] { parse_results(whole.substr(0, whole.size() / 2), "a.json"); }),
              StartsWith("a.json: parse error at line "));
}

}  // namespace
