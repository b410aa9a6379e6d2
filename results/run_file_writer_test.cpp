#include "results/run_file_writer.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <clocale>
#include <limits>
#include <locale>
#include <stdexcept>
#include <string>
#include <vector>

#include "results/example_run.hpp"
#include "results/run_file_reader.hpp"

using namespace dbdyno::results;
using nlohmann::ordered_json;
using testing::ElementsAre;

namespace {

ordered_json written(const run_file& file) {
  return ordered_json::parse(to_json(file));
}

std::vector<std::string> keys(const ordered_json& object) {
  std::vector<std::string> names;
  for (const auto& member : object.items()) names.push_back(member.key());
  return names;
}

TEST(RunFileWriter, ContextIsGoogleBenchmarksPlusOurVersions) {
  const auto file = written(example_run());
  EXPECT_THAT(keys(file), ElementsAre("context", "benchmarks", "dbdyno"));
  EXPECT_EQ(file["context"], ordered_json::parse(R"({
    "date": "2024-05-31T18:04:09+02:00",
    "host_name": "box",
    "executable": "dbdyno-bench",
    "num_cpus": 4,
    "mhz_per_cpu": 3500,
    "cpu_scaling_enabled": true,
    "caches": [{"type": "Data", "level": 1, "size": 49152, "num_sharing": 2}],
    "load_avg": [0.25, 0.5, 1.0],
    "library_version": "1.7.1",
    "library_build_type": "debug",
    "dbdyno_version": "0.1.0",
    "dbdyno_build_type": "RelWithDebInfo"
  })"));
}

TEST(RunFileWriter, RowsHaveGoogleBenchmarksFormAndOrderOfKeys) {
  const auto rows = written(example_run())["benchmarks"];
  ASSERT_EQ(rows.size(), 3U);
  EXPECT_EQ(rows[0], ordered_json::parse(R"({
    "name": "get/redis/wire/async/transport:tcp/conns:50/depth:16",
    "family_index": 0,
    "per_family_instance_index": 0,
    "run_name": "get/redis/wire/async/transport:tcp/conns:50/depth:16",
    "run_type": "iteration",
    "repetitions": 2,
    "repetition_index": 0,
    "threads": 2,
    "iterations": 1000000,
    "real_time": 1250.1,
    "cpu_time": 600.7,
    "time_unit": "ns",
    "errors": 0.0,
    "items_per_second": 799936.00511959,
    "misses": 0.0,
    "ops": 1000000.0
  })"));
  EXPECT_EQ(rows[1], ordered_json::parse(R"({
    "name": "get/redis/wire/async/transport:tcp/conns:50/depth:16",
    "family_index": 0,
    "per_family_instance_index": 0,
    "run_name": "get/redis/wire/async/transport:tcp/conns:50/depth:16",
    "run_type": "iteration",
    "repetitions": 2,
    "repetition_index": 1,
    "threads": 2,
    "error_occurred": true,
    "error_message": "the server said \"no\"",
    "iterations": 0,
    "real_time": 0.0,
    "cpu_time": 0.0,
    "time_unit": "ns"
  })"));
  EXPECT_THAT(keys(rows[2]), ElementsAre("name", "family_index", "per_family_instance_index", "run_name",
                                         "run_type", "repetitions", "threads", "aggregate_name",
                                         "aggregate_unit", "iterations", "real_time", "cpu_time", "time_unit",
                                         "errors", "items_per_second", "misses", "ops"));
  EXPECT_EQ(rows[2]["name"], "get/redis/wire/async/transport:tcp/conns:50/depth:16_mean");
  EXPECT_EQ(rows[2]["run_name"], "get/redis/wire/async/transport:tcp/conns:50/depth:16");
  EXPECT_EQ(rows[2]["run_type"], "aggregate");
  EXPECT_EQ(rows[2]["aggregate_name"], "mean");
  EXPECT_EQ(rows[2]["aggregate_unit"], "time");
}

TEST(RunFileWriter, CoefficientsOfVariationAreMarkedAsPercentage) {
  run_file file;
  file.rows.resize(2);
  file.rows[0].kind = statistic::stddev;
  file.rows[1].kind = statistic::cv;
  const auto rows = written(file)["benchmarks"];
  EXPECT_EQ(rows[0]["aggregate_unit"], "time");
  EXPECT_EQ(rows[1]["aggregate_unit"], "percentage");
}

TEST(RunFileWriter, FamiliesAreNumberedByFirstAppearance) {
  run_file file;
  for (const auto* name : {"b", "a", "b", "c"}) {
    file.rows.emplace_back();
    file.rows.back().name = name;
  }
  const auto json = written(file);
  std::vector<int> families;
  for (const auto& r : json["benchmarks"]) families.push_back(r["family_index"]);
  EXPECT_THAT(families, ElementsAre(0, 1, 0, 2));
}

TEST(RunFileWriter, OwnPartHoldsMachineTargetsPlanAndCells) {
  auto own = written(example_run())["dbdyno"];
  own["cells"][0]["histograms"]["ok"]["data"] = "...";  // deflated, so that zlib's version decides
  EXPECT_EQ(own, ordered_json::parse(R"({
    "schema": 1,
    "partial": true,
    "machine": {
      "cpu_model": "Fast CPU",
      "cpu_count": 4,
      "virtualised": true,
      "governor": "powersave",
      "kernel": "6.1.0-9-amd64",
      "memory_bytes": 8000000000,
      "pinning": "client=1,server=0",
      "compiler": "GNU 12.2.0",
      "build_type": "RelWithDebInfo",
      "libraries": {"hiredis": "0.14.1", "libmariadb": "3.3.20"}
    },
    "targets": [{
      "storage": "redis",
      "url": "redis://:***@127.0.0.1:6379",
      "throwaway": true,
      "server_version": "7.0.15",
      "transports": ["tcp", "unix"],
      "settings": {"save": ""}
    }],
    "plan": {
      "name": "quick",
      "hash": "cbf29ce484222325",
      "seed": 18446744073709551615,
      "options": {"duration": "0.5", "keys": "100000"},
      "order": [
        {"name": "get/redis/wire/async/transport:tcp/conns:50/depth:16", "repetition": 0},
        {"name": "get/redis/wire/async/transport:tcp/conns:50/depth:16", "repetition": 1}
      ]
    },
    "cells": [
      {
        "name": "get/redis/wire/async/transport:tcp/conns:50/depth:16",
        "repetition": 0,
        "verdict": {"level": "suspect", "reasons": ["the client's core was 97 % busy"]},
        "errors": {},
        "refusals": {"ERR": 2},
        "requests": {"issued": 107, "ok": 100, "missed": 4, "unknown": 2, "unsent": 1},
        "reconnects": 3,
        "downtime_s": 0.25,
        "slices": [100.0, 110.5],
        "start_s": 1.25,
        "window_s": 0.5,
        "histograms": {
          "ok": {
            "encoding": "HdrHistogram V2 deflate base64",
            "data": "...",
            "count": 1001,
            "max_ns": 75000000000,
            "sum_ns": 75500500000,
            "clamped": 1
          }
        }
      },
      {
        "name": "get/redis/wire/async/transport:tcp/conns:50/depth:16",
        "repetition": 1,
        "errors": {"disconnected": 16, "timeout": 1},
        "histograms": {}
      }
    ],
    "searches": [{
      "name": "get/redis/wire/async/transport:tcp/conns:50/depth:16",
      "limit": "p99=5ms",
      "steps": [
        {"rate": 500.0, "kept": true, "figure_ns": 4000000.0},
        {"rate": 900.0, "kept": false}
      ],
      "knee": 500.0,
      "stopped": "interrupted"
    }],
    "layers": [{
      "name": "get/redis/wire/async/transport:tcp/conns:50/depth:16",
      "metric": "time",
      "harness": {"mean_ns": 10.0, "low_ns": 9.5, "high_ns": 10.5},
      "wire": {"mean_ns": 500.0, "low_ns": -20.0, "high_ns": 1020.0}
    }],
    "clock": {"source": "tsc", "ticks_per_second": 2100000000.0, "read_ns": 9.5, "record_ns": 4.0}
  })"));
}

TEST(RunFileWriter, LeavesOutWhatIsUnknown) {
  run_file file;
  file.cells.resize(1);
  file.targets.resize(1);
  const auto json = written(file);
  EXPECT_FALSE(json["context"].contains("mhz_per_cpu"));
  EXPECT_EQ(json["context"]["cpu_scaling_enabled"], false);
  EXPECT_THAT(keys(json["dbdyno"]["machine"]),
              ElementsAre("cpu_count", "compiler", "build_type", "libraries"));
  EXPECT_FALSE(json["dbdyno"]["cells"][0].contains("verdict"));
  EXPECT_FALSE(json["dbdyno"]["targets"][0].contains("server_version"));
  EXPECT_TRUE(json["benchmarks"].is_array());
  EXPECT_TRUE(json["dbdyno"]["plan"]["options"].is_object());
}

TEST(RunFileWriter, LeavesOutHistogramsOfNothing) {
  run_file file;
  file.cells.resize(1);
  file.cells[0].start_s = std::numeric_limits<double>::quiet_NaN();
  file.cells[0].histograms = {{"missed", to_record({})}, {"ok", to_record(example_latencies())}};
  const auto json = written(file)["dbdyno"]["cells"][0];
  EXPECT_THAT(keys(json["histograms"]), ElementsAre("ok"));
  EXPECT_FALSE(json.contains("start_s"));
  EXPECT_FALSE(json.contains("window_s"));
}

TEST(RunFileWriter, LeavesOutNumbersThatAreNotFinite) {
  run_file file;
  file.context.load_avg = {std::numeric_limits<double>::quiet_NaN(), 1};
  file.rows.resize(1);
  file.rows[0].real_time = std::numeric_limits<double>::infinity();
  file.rows[0].cpu_time = std::numeric_limits<double>::quiet_NaN();
  file.rows[0].counters = {{"nan", std::numeric_limits<double>::quiet_NaN()},
                           {"inf", std::numeric_limits<double>::infinity()},
                           {"negative_inf", -std::numeric_limits<double>::infinity()},
                           {"finite", 1}};
  const auto json = written(file);
  const auto& r = json["benchmarks"][0];
  EXPECT_FALSE(r.contains("nan"));
  EXPECT_FALSE(r.contains("inf"));
  EXPECT_FALSE(r.contains("negative_inf"));
  EXPECT_EQ(r["finite"], 1.0);
  EXPECT_EQ(r["real_time"], 0.0);
  EXPECT_EQ(r["cpu_time"], 0.0);
  EXPECT_EQ(json["context"]["load_avg"], ordered_json::parse("[1.0]"));
}

TEST(RunFileWriter, CleansEveryText) {
  run_file file;
  file.rows.resize(1);
  file.rows[0].error_message = std::string("bad\0reply\n\x1b[31m \xFF", 17);
  file.plan.options["quote\""] = "\x01";
  const auto text = to_json(file);
  for (const char c : text) {
    ASSERT_TRUE(c == '\n' || static_cast<unsigned char>(c) >= 0x20) << static_cast<int>(c);
  }
  EXPECT_EQ(text.find("\\u00"), std::string::npos) << "nor escaped";
  const auto json = ordered_json::parse(text);
  EXPECT_EQ(json["benchmarks"][0]["error_message"], "bad reply  [31m \xEF\xBF\xBD");
  EXPECT_EQ(json["dbdyno"]["plan"]["options"]["quote\""], " ");
}

TEST(RunFileWriter, RefusesCountersNamedLikeARowsOwnKeys) {
  for (const auto* name : {"name", "size", "iterations", "threads", "label", "real_time", "run_type"}) {
    run_file file;
    file.rows.resize(1);
    file.rows[0].counters[name] = 1;
    EXPECT_THROW(to_json(file), std::invalid_argument) << name;
  }
}

TEST(RunFileWriter, SaysOfAnImportedRunOnlyWhatIsKnown) {
  run_file file;
  file.imported = import_info{.format = "ab", .remarks = {"a\tremark"}};
  EXPECT_EQ(written(file), ordered_json::parse(R"({
    "context": {},
    "benchmarks": [],
    "dbdyno": {
      "schema": 1,
      "import": {"format": "ab", "remarks": ["a remark"]},
      "partial": false,
      "targets": [],
      "cells": []
    }
  })"));
}

struct comma_punctuation : std::numpunct<char> {
  char do_decimal_point() const override { return ','; }
  char do_thousands_sep() const override { return '.'; }
  std::string do_grouping() const override { return "\3"; }
};

TEST(RunFileWriter, WritesAndReadsNumbersAlikeInEveryLocale) {
  const auto expected = to_json(example_run());
  ASSERT_NE(expected.find("799936.00511959"), std::string::npos);
  // C++ takes the punctuation from here, C from a locale of the machine, if one with a comma is installed.
  const auto previous = std::locale::global(std::locale(std::locale::classic(), new comma_punctuation));
  for (const auto* locale : {"de_DE.UTF-8", "fr_FR.UTF-8"}) {
    if (std::setlocale(LC_ALL, locale) != nullptr) break;
  }
  const auto text = to_json(example_run());
  const auto read_back = parse(text, "run.json");
  std::setlocale(LC_ALL, "C");
  std::locale::global(previous);
  EXPECT_EQ(text, expected);
  EXPECT_EQ(read_back, example_run());
}

}  // namespace
