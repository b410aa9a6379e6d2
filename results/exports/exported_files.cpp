#include "results/exports/exported_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "results/exports/histogram_log.hpp"
#include "results/exports/percentile_table.hpp"
#include "results/run_file_reader.hpp"

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

std::vector<exported_file> exported_files(const run_file& run, const export_options& options) {
  std::vector<log_interval> intervals;
  std::vector<merged> benchmarks;
  std::map<std::pair<std::string_view, std::string_view>, std::size_t> place_of;
  for (const cell& each : run.cells) {
    if (options.filter && !options.filter->accepts(each.name)) continue;
    for (const auto& [kind, record] : each.histograms) {
      const auto place = place_of.try_emplace({each.name, kind}, benchmarks.size());
      if (place.second) benchmarks.push_back({.benchmark = each.name, .kind = kind});
      try {
        benchmarks[place.first->second].durations.merge(to_histogram(record));
      } catch (const std::runtime_error& error) {
        throw result_file_error(options.file, fmt::format("{}, repetition {}, histogram \"{}\": {}",
                                                          each.name, each.repetition, kind, error.what()));
      }
      intervals.push_back({.tag = tag_of(each.name, kind),
                           .start_s = each.start_s.value_or(0),
                           .length_s = each.window_s.value_or(0),
                           .record = record});
    }
  }

  std::vector<exported_file> files;
  if (options.hlog && !intervals.empty()) {
    files.push_back({.name = std::filesystem::path(options.file).stem().string() + ".hlog",
                     .text = histogram_log(run.context.date, std::move(intervals))});
  }
  if (options.hgrm) {
    std::set<std::string> used;
    for (const merged& each : benchmarks) {
      files.push_back({.name = unused_file_name(each.benchmark, each.kind, used),
                       .text = percentile_table(each.durations)});
    }
  }
  return files;
}

}  // namespace dbdyno::results
