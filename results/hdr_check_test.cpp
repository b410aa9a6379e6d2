// What HdrHistogram's own implementation and the one for JavaScript read from our encodings, against our
// figures.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "results/command_output.hpp"
#include "results/example_run.hpp"
#include "results/exports/percentile_table.hpp"
#include "results/hdr_encoding.hpp"
#include "results/run_file_writer.hpp"
#include "results/temporary_directory.hpp"

using namespace dbdyno::results;

namespace {

histogram from(std::initializer_list<std::uint64_t> durations, std::uint64_t times = 1) {
  histogram h;
  for (const std::uint64_t duration : durations) h.record(duration, times);
  return h;
}

/// Steps of so many nanoseconds up from the first.
histogram staircase(std::uint64_t steps, std::uint64_t step) {
  histogram h;
  for (std::uint64_t i = 1; i <= steps; ++i) h.record(i * step);
  return h;
}

histogram millions(std::mt19937_64& random) {
  std::lognormal_distribution<double> latency(std::log(250'000.0), 0.7);
  histogram h;
  for (int i = 0; i < 3'000'000; ++i) h.record(static_cast<std::uint64_t>(latency(random)));
  return h;
}

histogram wide(std::mt19937_64& random) {
  histogram h;
  constexpr std::size_t end = histogram::index_of(histogram::highest);
  for (std::size_t index = 0; index < end; index += random() % 7 + 1) {
    h.record(histogram::lowest_at(index), random() % 5'000 + 1);
  }
  return h;
}

histogram uneven(std::mt19937_64& random) {
  histogram h;
  for (int i = 0; i < 99'991; ++i) h.record(random() % 1'000'000'000);
  return h;
}

histogram clamped() {
  auto h = from({2'000'000}, 10'000);
  h.record(75'000'000'000, 12);
  return h;
}

histogram counts_beyond_32_bits() {
  auto h = from({1});
  h.record(60'000'000, (std::uint64_t{1} << 31U) + 12'345);
  return h;
}

/// Histograms whose encodings differ as much as they can.
std::vector<histogram> examples() {
  std::mt19937_64 random(1);
  std::vector<histogram> all;
  all.push_back(from({0}));
  all.push_back(from({5'000'001}));
  all.push_back(from({histogram::highest}));
  all.push_back(from({1'000'000}, 12'345'678));
  all.push_back(from({3, 2047, 2048, 700'000}));
  all.push_back(millions(random));
  all.push_back(wide(random));
  all.push_back(uneven(random));
  all.push_back(clamped());
  all.push_back(counts_beyond_32_bits());
  // Percentiles at the very border of a bucket.
  for (const std::uint64_t steps : {100U, 1000U, 10'000U, 30'000U})
    all.push_back(staircase(steps, 1'000'000));
  return all;
}

/// As HdrCheck.java and hdr_check.js print them.
std::string figures_of(const histogram& h) {
  std::ostringstream line;
  line << "count " << h.count() << " max " << h.percentile(100).value();
  for (const double percent : {0.0, 50.0, 90.0, 99.0, 99.9, 99.99, 100.0}) {
    line << " p " << h.percentile(percent).value();
  }
  for (std::size_t index = 0; index < histogram::size; ++index) {
    if (h.count_at(index) != 0) line << ' ' << histogram::highest_at(index) << ':' << h.count_at(index);
  }
  return line.str();
}

std::string figures_of(const std::vector<histogram>& all) {
  std::string lines;
  for (const auto& h : all) lines += figures_of(h) + "\n";
  return lines;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

void expect_equal_lines(const std::string& ours, const std::string& theirs) {
  const auto a = lines_of(ours);
  const auto b = lines_of(theirs);
  ASSERT_EQ(a.size(), b.size()) << theirs.substr(0, 2000);
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] == b[i]) continue;
    ADD_FAILURE() << "line " << i << "\nours:   " << a[i].substr(0, 400)
                  << "\ntheirs: " << b[i].substr(0, 400);
  }
}

class hdr_check : public testing::Test {
 protected:
  std::string path(const std::string& name) const { return (directory_.path() / name).string(); }

  std::string encoded(const std::vector<histogram>& all) const {
    std::ofstream out(path("encoded"));
    for (const auto& h : all) out << encode_compressed_base64(h) << '\n';
    return path("encoded");
  }

  /// The .hlog file that dbdyno-export makes of the example run with two more repetitions.
  std::string exported_log() const {
    auto run = example_run();
    run.cells.push_back(run.cells.front());
    run.cells.back().repetition = 2;
    run.cells.back().start_s = 0.125;
    histogram missed;
    missed.record(42, 3);
    run.cells.back().histograms.emplace("missed", to_record(missed));
    save(path("run.json"), run);
    const auto result = run_command("'" DBDYNO_EXPORT_PATH "' --format hlog --out '" + path(".") + "' '" +
                                    path("run.json") + "'");
    EXPECT_EQ(result.code, 0) << result.text;
    return path("run.hlog");
  }

  /// Tag, start and end in milliseconds since the epoch, figures.
  static std::string expected_log() {
    const std::string name = "get/redis/wire/async/transport:tcp/conns:50/depth:16/";
    histogram missed;
    missed.record(42, 3);
    return name + "missed 1717171449125 1717171449625 " + figures_of(missed) + "\n" +  //
           name + "ok 1717171449125 1717171449625 " + figures_of(example_latencies()) + "\n" + name +
           "ok 1717171450250 1717171450750 " + figures_of(example_latencies()) + "\n";
  }

  std::string java(const std::string& task, const std::string& file) const {
    return succeed(DBDYNO_JAVA " -cp '" DBDYNO_HDRHISTOGRAM_JAR "' '" DBDYNO_HDR_CHECK_SOURCES
                               "/HdrCheck.java' " +
                   task + " '" + file + "'");
  }

  static std::string succeed(const std::string& command) {
    auto result = run_command(command);
    EXPECT_EQ(result.code, 0) << command << "\n" << result.text;
    return std::move(result.text);
  }

 private:
  temporary_directory directory_;
};

TEST_F(hdr_check, JavaReadsOurHistogramsAndFindsOurPercentiles) {
  const auto all = examples();
  expect_equal_lines(figures_of(all), java("figures", encoded(all)));
}

TEST_F(hdr_check, WeReadWhatJavaWrites) {
  const auto all = examples();
  const auto texts = lines_of(java("again", encoded(all)));
  ASSERT_EQ(texts.size(), all.size());
  std::string theirs;
  for (const auto& text : texts) theirs += figures_of(decode_compressed_base64(text)) + "\n";
  expect_equal_lines(figures_of(all), theirs);
}

TEST_F(hdr_check, TablesAreJavasToTheLastDigit) {
  std::string ours;
  const auto all = examples();
  for (const auto& h : all) ours += percentile_table(decode_v2(encode_v2(h)));  // without what was clamped
  const auto a = lines_of(ours);
  const auto b = lines_of(java("tables", encoded(all)));
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] == b[i]) continue;
    // Java rounds a tie in the shortest decimal up, C the binary number behind it.
    ASSERT_EQ(a[i].size(), b[i].size()) << a[i] << "\n" << b[i];
    std::istringstream in_a(a[i]);
    std::istringstream in_b(b[i]);
    for (std::string x, y; in_a >> x && in_b >> y;) {
      if (x == y) continue;
      const auto decimals = x.size() - x.find('.') - 1;
      EXPECT_NEAR(std::stod(x), std::stod(y), 1.01 * std::pow(10.0, -static_cast<double>(decimals)))
          << a[i] << "\n"
          << b[i];
    }
  }
}

TEST_F(hdr_check, JavaReadsOurLog) {
  expect_equal_lines(expected_log(), java("log", exported_log()));
}

TEST_F(hdr_check, JavaScriptReadsOurHistogramsFindsOurPercentilesAndReadsOurLog) {
  std::filesystem::create_directories(DBDYNO_HDR_CHECK_BUILD);
  for (const auto* file : {"package.json", "package-lock.json", "hdr_check.js"}) {
    std::filesystem::copy_file(std::filesystem::path(DBDYNO_HDR_CHECK_SOURCES) / file,
                               std::filesystem::path(DBDYNO_HDR_CHECK_BUILD) / file,
                               std::filesystem::copy_options::overwrite_existing);
  }
  const std::string there = "cd '" DBDYNO_HDR_CHECK_BUILD "' && ";
  succeed(there + DBDYNO_NPM
          " ci --ignore-scripts --prefer-offline --no-audit --no-fund --no-update-notifier");
  const auto all = examples();
  expect_equal_lines(figures_of(all),
                     succeed(there + DBDYNO_NODE " hdr_check.js figures '" + encoded(all) + "'"));
  expect_equal_lines(expected_log(),
                     succeed(there + DBDYNO_NODE " hdr_check.js log '" + exported_log() + "'"));
}

}  // namespace
