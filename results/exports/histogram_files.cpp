#include "results/exports/histogram_files.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "results/exports/cell_histogram.hpp"
#include "results/exports/histogram_log.hpp"
#include "results/exports/percentile_table.hpp"

namespace dbdyno::results {
namespace {

bool is_plain(char c) noexcept {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '-';
}

/// A name for a file, whatever the benchmark is called. Those that differ only in what had to be replaced get
/// a number.
std::string unused_file_name(std::string_view benchmark, std::string_view kind, std::set<std::string>& used) {
  constexpr std::size_t longest = 200;
  auto stem = fmt::format("{}_{}", benchmark.substr(0, longest), kind.substr(0, 20));
  for (char& c : stem) {
    if (c == ':') c = '-';
    if (!is_plain(c)) c = '_';
  }
  if (stem.front() == '.') stem.front() = '_';
  auto name = stem + ".hgrm";
  for (unsigned number = 2; !used.insert(name).second; ++number)
    name = fmt::format("{}_{}.hgrm", stem, number);
  return name;
}

std::string tag_of(std::string_view benchmark, std::string_view kind) {
  auto tag = fmt::format("{}/{}", benchmark, kind);
  for (char& c : tag) {
    if (c == ',' || c == ' ' || c == '\n' || c == '\r') c = '_';
  }
  return tag;
}

/// Those of one benchmark and kind over its repetitions, by first appearance.
struct merged {
  std::string_view benchmark;
  std::string_view kind;
  histogram durations{};
};

}  // namespace

std::string all_histograms(const run_file& run) {
  std::vector<log_interval> intervals;
  for (const cell& each : run.cells) {
    for (const auto& [kind, record] : each.histograms) {
      histogram_of(each, kind);  // what nobody can read is not handed on
      intervals.push_back({.tag = tag_of(each.name, kind),
                           .start_s = each.start_s.value_or(0),
                           .length_s = each.window_s.value_or(0),
                           .record = record});
    }
  }
  return histogram_log(run.context.date, std::move(intervals));
}

std::vector<exported_file> merged_histograms(const run_file& run) {
  std::vector<merged> benchmarks;
  std::map<std::pair<std::string_view, std::string_view>, std::size_t> place_of;
  for (const cell& each : run.cells) {
    for (const auto& [kind, record] : each.histograms) {
      const auto place = place_of.try_emplace({each.name, kind}, benchmarks.size());
      if (place.second) benchmarks.push_back({.benchmark = each.name, .kind = kind});
      benchmarks[place.first->second].durations.merge(histogram_of(each, kind));
    }
  }
  std::vector<exported_file> files;
  files.reserve(benchmarks.size());
  std::set<std::string> used;
  for (const merged& each : benchmarks) {
    files.push_back({.name = unused_file_name(each.benchmark, each.kind, used),
                     .text = percentile_table(each.durations)});
  }
  return files;
}

}  // namespace dbdyno::results
