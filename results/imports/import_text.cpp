#include "results/imports/import_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "results/imports/ab.hpp"
#include "results/imports/foreign_text.hpp"
#include "results/imports/google_benchmark.hpp"
#include "results/imports/lenient_json.hpp"
#include "results/imports/memtier.hpp"
#include "results/imports/origins.hpp"
#include "results/imports/redis_benchmark.hpp"
#include "results/imports/sysbench.hpp"
#include "results/imports/wrk.hpp"
#include "results/run_file_reader.hpp"

namespace dbdyno::results {
namespace {

bool has_key(std::string_view text, std::string_view key) {
  const auto keys = top_level_keys(text);
  return std::find(keys.begin(), keys.end(), key) != keys.end();
}

bool looks_like_google_benchmark(std::string_view text) {
  return has_key(text, "benchmarks");
}

}  // namespace

const std::vector<import_format>& import_formats() {
  static const std::vector<import_format> formats = {
      {"google-benchmark", "JSON of Google Benchmark", looks_like_google_benchmark, read_google_benchmark},
      {"memtier_benchmark", "--json-out-file", looks_like_memtier, import_memtier},
      {"redis-benchmark", "--csv", looks_like_redis_benchmark, import_redis_benchmark},
      {"sysbench", "1.0, what it prints", looks_like_sysbench, import_sysbench},
      {"wrk2", "what it prints", looks_like_wrk2, import_wrk2},
      {"wrk", "what it prints", looks_like_wrk, import_wrk},
      {"ab", "what it prints", looks_like_ab, import_ab},
      {"origins", "results/origins/*.csv", looks_like_origins, import_origins}};
  return formats;
}

std::string import_format_names() {
  std::vector<std::string_view> names;
  for (const auto& format : import_formats()) names.push_back(format.name);
  return fmt::format("{}", fmt::join(names, ", "));
}

const import_format* find_import_format(std::string_view name) {
  const auto& formats = import_formats();
  const auto found =
      std::find_if(formats.begin(), formats.end(), [&](const auto& f) { return f.name == name; });
  return found == formats.end() ? nullptr : &*found;
}

const import_format* recognised_format(std::string_view text) {
  const auto& formats = import_formats();
  const auto found =
      std::find_if(formats.begin(), formats.end(), [&](const auto& f) { return f.recognises(text); });
  return found == formats.end() ? nullptr : &*found;
}

bool is_result_file(std::string_view text) {
  return has_key(text, "dbdyno");
}

imported_run import_text(std::string_view text, std::string_view name,
                         std::optional<std::string_view> format) {
  const auto* const found = format ? find_import_format(*format) : recognised_format(text);
  if (format && found == nullptr) {
    throw std::invalid_argument(fmt::format("no format '{}'; there are {}", *format, import_format_names()));
  }
  if (trimmed(text).empty()) throw result_file_error(name, "the file is empty");
  if (is_result_file(text))
    throw result_file_error(name, "a result file of dbdyno already; it needs no import");
  if (found != nullptr) return found->read(text, name);
  // What is meant to be JSON and is none gets its place named.
  if (const auto begin = trimmed(text).front(); begin == '{' || begin == '[') {
    read_json(text, name, [](const node&) {});
  }
  std::string known;
  for (const auto& each : import_formats()) {
    known += fmt::format("{}{} ({})", known.empty() ? "" : ", ", each.name, each.contents);
  }
  throw result_file_error(name, "no results in a format that is known: " + known);
}

}  // namespace dbdyno::results
