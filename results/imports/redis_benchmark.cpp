#include "results/imports/redis_benchmark.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <iterator>
#include <string>
#include <utility>

#include "results/imports/foreign_text.hpp"
#include "results/run_file_reader.hpp"

namespace dbdyno::results {
namespace {

constexpr std::string_view header_begin = "\"test\",\"rps\"";

/// A line of the old form: "PING_INLINE","54945.05".
bool is_test_and_rate(std::string_view line) {
  if (!line.starts_with('"') || !line.ends_with('"')) return false;
  const auto fields = csv_fields(line);
  return fields.size() == 2 && !fields[0].empty() && number_in(fields[1]);
}

struct known_column {
  std::string_view name;
  std::string_view counter;
};
constexpr known_column latency_columns[] = {{"avg_latency_ms", "mean_ns"}, {"min_latency_ms", "min_ns"},
                                            {"p50_latency_ms", "p50_ns"},  {"p95_latency_ms", "p95_ns"},
                                            {"p99_latency_ms", "p99_ns"},  {"max_latency_ms", "max_ns"}};

std::string row_name(const std::string& test) {
  std::string part = name_part(test);
  std::transform(part.begin(), part.end(), part.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return part + "/redis/redis-benchmark";
}

}  // namespace

bool looks_like_redis_benchmark(std::string_view text) {
  for (const auto& line : lines_of(text)) {
    if (trimmed(line.text).empty()) continue;
    if (line.text.starts_with(header_begin) || is_test_and_rate(line.text)) return true;
    if (line.text.starts_with('"') || line.number > 5) return false;  // a warning may come first
  }
  return false;
}

imported_run import_redis_benchmark(std::string_view text, std::string_view name) {
  run_file run;
  std::vector<std::string> remarks;
  std::vector<std::string> columns{"test", "rps"};
  for (const auto& line : lines_of(text)) {
    if (trimmed(line.text).empty()) continue;
    if (line.text.starts_with(header_begin)) {
      columns = csv_fields(line.text);
      continue;
    }
    const auto complain = [&](const std::string& what) {
      throw result_file_error(name, fmt::format("line {}: {}", line.number, what));
    };
    if (!line.text.starts_with('"')) {
      remarks.push_back(fmt::format("line {} is no result: {}", line.number, trimmed(line.text)));
      continue;
    }
    const auto fields = csv_fields(line.text);
    if (fields.size() != columns.size()) {
      complain(fmt::format("{} fields where there should be {}; is the text cut off?", fields.size(),
                           columns.size()));
    }
    row r;
    r.name = row_name(fields[0]);
    for (std::size_t i = 1; i < fields.size(); ++i) {
      const auto value = number_in(fields[i]);
      if (!value) {
        remarks.push_back(fmt::format("{}: {} is not a finite number but {}", r.name, columns[i], fields[i]));
        continue;
      }
      const auto* const latency =
          std::find_if(std::begin(latency_columns), std::end(latency_columns),
                       [&](const known_column& known) { return known.name == columns[i]; });
      if (columns[i] == "rps") {
        set_rate(r, *value);
      } else if (latency != std::end(latency_columns)) {
        set_latency(r, std::string(latency->counter), *value * 1e6);
      } else {
        remarks.push_back(fmt::format("{}: the column {} is not known", r.name, columns[i]));
      }
    }
    if (!r.real_time) r.error_message = "no rate";
    run.rows.push_back(std::move(r));
  }
  if (run.rows.empty()) throw result_file_error(name, "no results of redis-benchmark --csv in it");
  number_repetitions(run.rows);
  return finished(std::move(run), "redis-benchmark", std::move(remarks));
}

}  // namespace dbdyno::results
