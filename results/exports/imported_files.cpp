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
#include "results/run_file_reader.hpp"
#include "results/run_file_writer.hpp"

namespace dbdyno::results {
namespace {

namespace fs = std::filesystem;

std::string path_of(const std::string& source, const import_options& options) {
  std::error_code ignored;
  const bool directory = !options.out || options.files.size() > 1 || fs::is_directory(*options.out, ignored);
  if (!directory) return *options.out;
  const fs::path name = fs::path(source).stem().string() + ".dbdyno.json";
  return (fs::path(options.out.value_or(".")) / name).lexically_normal().string();
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

}  // namespace

std::vector<imported_file> imported_files(const import_options& options) {
  std::vector<imported_file> files;
  std::set<std::string> paths;
  for (const auto& source : options.files) {
    const auto path = path_of(source, options);
    for (const auto& other : options.files) {
      std::error_code ignored;
      if (fs::equivalent(path, other, ignored)) {
        throw command_line_error(
            fmt::format("{}: would be replaced; name another place with --out", clean_text(other)));
      }
    }
    if (!paths.insert(path).second) {
      throw command_line_error(fmt::format(
          "{}: two files would be written there; import them one by one with --out", clean_text(path)));
    }
    auto imported = import_text(read_file(source), source, options.format);
    imported.run.rows = with_statistics(std::move(imported.run.rows));
    files.push_back(
        {.source = source, .path = path, .text = to_json(imported.run), .remarks = imported.remarks});
  }
  return files;
}

}  // namespace dbdyno::results
