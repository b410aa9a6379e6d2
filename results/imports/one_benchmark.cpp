#include "results/imports/one_benchmark.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>
#include <set>
#include <utility>

#include "results/clean_text.hpp"
#include "results/run_file_reader.hpp"

namespace dbdyno::results {
namespace {

std::string format_of(const run_file& run) {
  return run.imported ? run.imported->format : "";
}

/// The name of the one benchmark that is meant.
std::string find_benchmark(const imported_source& source,
                           const std::function<bool(const std::string&)>& is_meant) {
  std::set<std::string> all;
  std::set<std::string> meant;
  for (const row& each : source.results.run.rows) {
    all.insert(clean_text(each.name));
    if (is_meant(each.name)) meant.insert(each.name);
  }
  if (meant.empty()) {
    throw result_file_error(source.path,
                            fmt::format("it has no such benchmark, but {}", fmt::join(all, ", ")));
  }
  if (meant.size() > 1) {
    throw result_file_error(
        source.path,
        fmt::format("it has several benchmarks, and one can have the name: pick it with --filter; "
                    "there are {}",
                    fmt::join(all, ", ")));
  }
  return *meant.begin();
}

}  // namespace

imported_run as_one_benchmark(const std::vector<imported_source>& sources, std::string_view name,
                              const std::function<bool(const std::string&)>& is_meant) {
  imported_run out = sources.front().results;
  out.run.rows.clear();
  out.remarks.clear();

  unsigned repetitions = 0;
  std::map<std::string, std::vector<std::string>> origins;
  const std::string format = format_of(out.run);
  for (const imported_source& source : sources) {
    const run_file& run = source.results.run;
    if (format_of(run) != format) {
      throw result_file_error(source.path,
                              fmt::format("it is of {}, and {} of {}: one program at a time", format_of(run),
                                          clean_text(sources.front().path), format));
    }
    const std::string benchmark = find_benchmark(source, is_meant);
    for (row each : run.rows) {
      if (each.name != benchmark) continue;
      if (each.kind && sources.size() > 1)
        throw result_file_error(source.path, "it has statistics only, which make no repetition");
      each.name = name;
      if (!each.kind) each.repetition = repetitions++;
      out.run.rows.push_back(std::move(each));
    }
    origins[benchmark].push_back(clean_text(source.path));
    for (const std::string& remark : source.results.remarks)
      out.remarks.push_back(sources.size() > 1 ? fmt::format("{}: {}", clean_text(source.path), remark)
                                               : remark);
  }
  for (row& each : out.run.rows)
    if (!each.kind) each.repetitions = repetitions;
  std::vector<std::string> texts;
  texts.reserve(origins.size());
  for (const auto& [benchmark, files] : origins)
    texts.push_back(fmt::format("{} of {}", clean_text(benchmark), fmt::join(files, ", ")));
  out.remarks.push_back(fmt::format("named by hand; it was {}", fmt::join(texts, ", ")));
  if (out.run.imported) out.run.imported->remarks = out.remarks;
  return out;
}

}  // namespace dbdyno::results
