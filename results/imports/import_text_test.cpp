#include "results/imports/import_text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <random>
#include <stdexcept>

#include "results/example_run.hpp"
#include "results/imports/import_examples.hpp"

using namespace dbdyno::results;
using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

namespace {

std::string format_of(const std::string& text) {
  const auto* const format = recognised_format(text);
  return format == nullptr ? "none" : std::string(format->name);
}

TEST(import_text, recognises_every_example_by_its_content) {
  int examples = 0;
  for (const auto& entry : std::filesystem::directory_iterator(DBDYNO_IMPORT_EXAMPLES)) {
    const auto name = entry.path().filename().string();
    if (name == "README.md") continue;
    ++examples;
    const auto format = format_of(read_file(entry.path().string()));
    // Named for the program, with what is particular behind a dash.
    EXPECT_THAT(name, StartsWith(format == "memtier_benchmark" ? "memtier" : format)) << format;
    const auto imported = import_text(read_file(entry.path().string()), name);
    EXPECT_EQ(imported.run.imported->format, format);
    EXPECT_FALSE(imported.run.rows.empty()) << name;
    expect_round_trip(imported);
  }
  EXPECT_EQ(examples, 24);
  for (const auto& entry : std::filesystem::directory_iterator(DBDYNO_ORIGINS)) {
    if (entry.path().extension() != ".csv") continue;
    EXPECT_EQ(format_of(read_file(entry.path().string())), "origins") << entry.path();
  }
}

TEST(import_text, gives_rows_names_without_what_a_regular_expression_would_take) {
  for (const auto& entry : std::filesystem::directory_iterator(DBDYNO_IMPORT_EXAMPLES)) {
    if (entry.path().extension() == ".md") continue;
    for (const auto& r : import_text(read_file(entry.path().string()), "x").run.rows) {
      EXPECT_EQ(r.name.find_first_of(" .^$*+?()[]{}|\\"), std::string::npos) << r.name;
    }
  }
}

TEST(import_text, refuses_a_text_it_does_not_know_and_names_what_it_does) {
  EXPECT_EQ(error_of([] { import_text("Dear diary,\n", "notes.txt"); }),
            "notes.txt: no results in a format that is known: google-benchmark (JSON of Google Benchmark), "
            "memtier_benchmark (--json-out-file), redis-benchmark (--csv), sysbench (1.0, what it prints), "
            "wrk2 (what it "
            "prints), wrk (what it prints), ab (what it prints), origins (results/origins/*.csv)");
  EXPECT_THAT(error_of([] { import_text("{\"a\": 1}", "a.json"); }),
              HasSubstr("no results in a format that is known"));
  EXPECT_THAT(error_of([] { import_text("[1]", "a.json"); }),
              HasSubstr("no results in a format that is known"));
}

TEST(import_text, says_where_a_text_is_broken_that_is_meant_to_be_json) {
  EXPECT_THAT(error_of([] { import_text("{\"a\": 1,\n}", "a.json"); }),
              StartsWith("a.json: parse error at line 2, column 1: "));
  const auto text = example("memtier-mixed.json");
  EXPECT_THAT(error_of([&] { import_text(text.substr(0, 3000), "m.json"); }),
              StartsWith("m.json: parse error at line "));
}

TEST(import_text, refuses_an_empty_text_and_results_of_its_own) {
  EXPECT_EQ(error_of([] { import_text("", "a.txt"); }), "a.txt: the file is empty");
  EXPECT_EQ(error_of([] { import_text(" \n\t\n", "a.txt", "wrk"); }), "a.txt: the file is empty");
  EXPECT_EQ(error_of([] { import_text(to_json(example_run()), "a.json"); }),
            "a.json: a result file of dbdyno already; it needs no import");
}

TEST(import_text, takes_the_format_that_it_is_told) {
  EXPECT_EQ(import_text(example("wrk.txt"), "a.txt", "wrk2").run.rows[0].name, "wrk2/root/conns:4/threads:1");
  EXPECT_EQ(error_of([] { import_text(example("wrk.txt"), "a.txt", "ab"); }),
            "a.txt: no line \"This is ApacheBench\"");
  EXPECT_THROW(import_text("x", "a.txt", "fio"), std::invalid_argument);
}

TEST(import_text, takes_no_cut_off_text_of_any_format_for_whole_nor_crashes) {
  for (const auto& entry : std::filesystem::directory_iterator(DBDYNO_IMPORT_EXAMPLES)) {
    if (entry.path().extension() == ".md") continue;
    const auto text = read_file(entry.path().string());
    for (std::size_t size = 0; size < text.size(); size += 1 + text.size() / 60) {
      try {
        const auto imported = import_text(text.substr(0, size), "cut", recognised_format(text)->name);
        EXPECT_FALSE(imported.run.rows.empty());
      } catch (const result_file_error& error) {
        EXPECT_THAT(error.what(), StartsWith("cut: "));
      }
    }
  }
}

TEST(import_text, stands_texts_with_other_bytes_in_them) {
  std::mt19937 random(7);
  const std::string bytes = "0919.-+eE\"{}[],:()%/\\ \n\0\x7f\xff#|nNi";
  for (const auto& entry : std::filesystem::directory_iterator(DBDYNO_IMPORT_EXAMPLES)) {
    if (entry.path().extension() == ".md") continue;
    const auto text = read_file(entry.path().string());
    const auto format = recognised_format(text)->name;
    for (int round = 0; round < 40; ++round) {
      auto damaged = text;
      for (int change = 0; change < 8; ++change) {
        auto& byte = damaged[random() % damaged.size()];
        byte = bytes[random() % bytes.size()];
      }
      try {
        expect_round_trip(import_text(damaged, "damaged", format));
      } catch (const result_file_error& error) {
        EXPECT_THAT(error.what(), StartsWith("damaged: "));
      }
    }
  }
}

}  // namespace
