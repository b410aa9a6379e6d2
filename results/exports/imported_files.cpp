#include "results/exports/imported_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <set>
#include <system_error>
#include <utility>

#include "results/aggregates.hpp"
#include "results/clean_text.hpp"
#include "results/imports/import_text.hpp"
#include "results/imports/one_benchmark.hpp"
#include "results/run_file_reader.hpp"
#include "results/run_file_writer.hpp"

namespace dbdyno::results {
namespace {

namespace fs = std::filesystem;

std::string path_of(const std::string& source, const import_options& options) {
  std::error_code ignored;
  const bool several = options.files.size() > 1 && !options.as;
  const bool directory = !options.out || several || fs::is_directory(*options.out, ignored);
  if (!directory) return *options.out;
  const fs::path name = fs::path(source).stem().string() + ".dbdyno.json";
  return (fs::path(options.out.value_or(".")) / name).lexically_normal().string();
}

/// Errors: command_line_error if the path is one of the files that are imported.
void expect_no_source(const std::string& path, const import_options& options) {
  for (const auto& source : options.files) {
    std::error_code ignored;
    if (fs::equivalent(path, source, ignored)) {
      throw command_line_error(
          fmt::format("{}: would be replaced; name another place with --out", clean_text(source)));
    }
  }
}

/// Repetitions with their statistics, and the statistics of names without a repetition.
std::vector<row> with_statistics(std::vector<row> rows) {
  std::vector<row> alone;
  std::copy_if(rows.begin(), rows.end(), std::back_inserter(alone),
               [](const row& r) { return r.kind.has_value(); });
  auto all = with_aggregates(std::move(rows));
  std::move(alone.begin(), alone.end(), std::back_inserter(all));
  return all;
}

imported_file file_of(const std::string& source, const std::string& path, imported_run imported) {
  imported.run.rows = with_statistics(std::move(imported.run.rows));
  return {
      .source = source, .path = path, .text = to_json(imported.run), .remarks = std::move(imported.remarks)};
}

imported_file one_benchmark_file(const import_options& options) {
  const std::string& first = options.files.front();
  const auto path = path_of(first, options);
  expect_no_source(path, options);
  std::vector<imported_source> sources;
  std::set<std::string> seen;
  for (const auto& source : options.files) {
    // The same run twice would pass for two that agree.
    if (!seen.insert(fs::weakly_canonical(source).string()).second)
      throw command_line_error(fmt::format("{}: it is given twice", clean_text(source)));
    sources.push_back({source, import_text(read_file(source), source, options.format)});
  }
  const auto is_meant = [&](const std::string& name) {
    return !options.filter || options.filter->accepts(name);
  };
  return file_of(first, path, as_one_benchmark(sources, *options.as, is_meant));
}

}  // namespace

std::vector<imported_file> imported_files(const import_options& options) {
  if (options.as) return {one_benchmark_file(options)};
  std::vector<imported_file> files;
  std::set<std::string> paths;
  for (const auto& source : options.files) {
    const auto path = path_of(source, options);
    expect_no_source(path, options);
    if (!paths.insert(path).second) {
      throw command_line_error(fmt::format(
          "{}: two files would be written there; import them one by one with --out", clean_text(path)));
    }
    files.push_back(file_of(source, path, import_text(read_file(source), source, options.format)));
  }
  return files;
}

}  // namespace dbdyno::results
