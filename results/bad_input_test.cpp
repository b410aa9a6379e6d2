// What each of the programs that read result files says of files that are not as they should be.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fstream>
#include <string>
#include <vector>

#include "results/command_output.hpp"
#include "results/example_run.hpp"
#include "results/run_file_writer.hpp"
#include "results/temporary_directory.hpp"

namespace dbdyno::results {
namespace {

using nlohmann::json;
using testing::HasSubstr;

std::string row_text(const std::string& name, int repetition, const std::string& time,
                     const std::string& unit = "ns", const std::string& more = "") {
  return fmt::format(R"({{"name": "{0}", "run_name": "{0}", "run_type": "iteration", "repetitions": 5,
"repetition_index": {1}, "iterations": 9, "real_time": {2}, "cpu_time": {2}, "time_unit": "{3}"{4}}})",
                     name, repetition, time, unit, more);
}

/// Google Benchmark's, of these rows.
std::string file_of(const std::vector<std::string>& rows) {
  return fmt::format("{{\"context\": {{}}, \"benchmarks\": [{}]}}", fmt::join(rows, ",\n"));
}

std::vector<std::string> good_rows() {
  std::vector<std::string> out;
  for (int i = 0; i < 5; ++i) out.push_back(row_text("a", i, std::to_string(100 + i)));
  return out;
}

std::vector<std::string> good_rows_and(const std::vector<std::string>& more) {
  std::vector<std::string> out = good_rows();
  out.insert(out.end(), more.begin(), more.end());
  return out;
}

/// Ours, changed.
template <class Change>
std::string example_with(Change change) {
  json run = json::parse(to_json(example_run()));
  change(run);
  return run.dump();
}

struct answer {
  int code;
  std::string says;
};

struct bad_file {
  std::string what;
  std::string text;
  answer compare, report, exported;
};

/// Where all three say the same.
bad_file refused(const std::string& what, const std::string& text, const std::string& says) {
  return {what, text, {2, says}, {2, says}, {2, says}};
}

std::vector<bad_file> bad_files() {
  const std::string good = file_of(good_rows());
  const std::string remark = "bad.json: 1 row: ended in an error";
  const answer no_histograms{2, "bad.json: it has no histograms, as google-benchmark writes none"};
  return {
      refused("empty", "", "bad.json: the file is empty"),
      refused("blank", " \n\t\n", "bad.json: the file is empty"),
      refused("truncated", good.substr(0, good.size() / 2), "bad.json: parse error at line 5, column "),
      refused("not JSON", "hello", "bad.json: parse error at line 1, column 1: "),
      refused("a list", "[1, 2]", "bad.json: not a result file: expected an object, found array"),
      refused("JSON of another kind", R"({"users": []})",
              "bad.json: not a result file: /benchmarks: missing"),
      refused("no rows", file_of({}), "bad.json: not a result file: /benchmarks: it has no rows"),
      refused("too large a number", file_of({"\n" + row_text("a", 0, "1e999")}),
              "bad.json: parse error at line 3, column "),
      refused("no figure but NaN", file_of({row_text("a", 0, "NaN")}), "/benchmarks: no row has a figure"),
      refused("no unit of time", file_of({row_text("a", 0, "1", "weeks")}),
              "/benchmarks/0/time_unit: unknown value"),
      refused("NaN in ours", example_with([](json& run) { run["benchmarks"][0]["p99_ns"] = nullptr; }),
              "bad.json: not a result file: /benchmarks/0/p99_ns: expected a number, found null"),
      refused("another unit in ours",
              example_with([](json& run) { run["benchmarks"][0]["time_unit"] = "us"; }),
              "bad.json: not a result file: /benchmarks/0/time_unit: unknown value \"us\""),
      refused("ours of later times", example_with([](json& run) { run["dbdyno"]["schema"] = 2; }),
              "bad.json: not a result file: /dbdyno/schema: schema 2 where this program reads 1"),
      {"NaN and Infinity",
       file_of(good_rows_and({row_text("a", 5, "NaN", "ns", R"(, "x": -Infinity, "y": 1)")})),
       {0, "bad.json: 3 figures: left out, being NaN or infinite; the first is real_time of a"},
       {0, "bad.json: 3 figures: left out"},
       no_histograms},
      {"aggregates only",
       file_of({R"({"name": "a_mean", "run_name": "a", "run_type": "aggregate", "aggregate_name": "mean",
                   "iterations": 3, "real_time": 100, "cpu_time": 90, "time_unit": "ns"})"}),
       {0, "its repetitions are not in the file"},
       {2, "bad.json: only statistics in it, no repetition to draw"},
       no_histograms},
      {"one repetition",
       file_of({row_text("a", 0, "100")}),
       {0, "cannot tell"},
       {0, "x.html"},
       no_histograms},
      {"an error row",
       file_of(good_rows_and(
           {row_text("a", 5, "0", "ns", R"(, "error_occurred": true, "error_message": "gone")")})),
       {0, remark},
       {0, remark},
       no_histograms},
      {"error rows only",
       file_of({row_text("a", 0, "0", "ns", R"(, "error_occurred": true, "error_message": "gone")")}),
       {2, remark + " or without being run, counting for nothing; the first is a: gone"},
       {0, remark},
       no_histograms},
      {"duplicate names",
       file_of(good_rows_and(good_rows())),
       {0, "bad.json: 5 rows: with the name and repetition of another one, so further repetitions of it"},
       {0, "bad.json: 5 rows: with the name and repetition"},
       no_histograms},
      {"mixed units",
       file_of(good_rows_and({row_text("b", 0, "0.1", "us")})),
       {0, "bad.json: times are in ns (5 rows), us (1 row); all were converted to ns"},
       {0, "bad.json: times are in ns (5 rows), us (1 row)"},
       no_histograms},
  };
}

class bad_input : public testing::Test {
 protected:
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(directory_.path() / name) << text;
  }
  command_output run(const std::string& command) const {
    return run_command("cd '" + directory_.path().string() + "' && " + command);
  }
  void expect(const answer& wanted, const std::string& program, const std::string& command) const {
    SCOPED_TRACE(program);
    const command_output got = run(command);
    EXPECT_EQ(got.code, wanted.code) << got.text;
    EXPECT_THAT(got.text, HasSubstr(wanted.says));
  }

 private:
  temporary_directory directory_;
};

TEST_F(bad_input, has_its_answer_from_every_program) {
  write("good.json", file_of(good_rows()));
  for (const bad_file& each : bad_files()) {
    SCOPED_TRACE(each.what);
    write("bad.json", each.text);
    expect(each.compare, "compare", "'" DBDYNO_COMPARE_PATH "' good.json bad.json --metric real_time");
    expect(each.report, "report", "'" DBDYNO_REPORT_PATH "' bad.json -o x.html");
    expect(each.exported, "export", "'" DBDYNO_EXPORT_PATH "' bad.json");
  }
}

TEST_F(bad_input, of_ours_with_rows_twice_is_compared_and_drawn_with_a_remark) {
  const auto twice = [](json& run) {
    run["benchmarks"].push_back(run["benchmarks"][0]);
    run["dbdyno"]["cells"].push_back(run["dbdyno"]["cells"][0]);
  };
  write("bad.json", example_with(twice));
  const std::string remark = "bad.json: 1 row with the name and repetition of another one";
  expect({0, remark}, "compare", "'" DBDYNO_COMPARE_PATH "' bad.json bad.json");
  expect({0, remark}, "report", "'" DBDYNO_REPORT_PATH "' bad.json -o x.html");
  expect({0, remark}, "export", "'" DBDYNO_EXPORT_PATH "' bad.json");
}

TEST_F(bad_input, may_have_a_hundred_thousand_rows) {
  std::vector<std::string> rows;
  for (int i = 0; i < 100'000; ++i)
    rows.push_back(row_text(fmt::format("a/{}", i / 5), i % 5, std::to_string(100 + i % 7)));
  write("a.json", file_of(rows));
  expect({0, "a/19999 "}, "compare", "'" DBDYNO_COMPARE_PATH "' a.json a.json --metric real_time");
  expect({0, "x.html"}, "report", "'" DBDYNO_REPORT_PATH "' a.json -o x.html");
  expect({2, "no histograms"}, "export", "'" DBDYNO_EXPORT_PATH "' a.json");
}

}  // namespace
}  // namespace dbdyno::results
