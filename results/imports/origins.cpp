#include "results/imports/origins.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>

#include "results/imports/foreign_text.hpp"
#include "results/run_file_reader.hpp"

namespace dbdyno::results {
namespace {

/// The fields of one line by the names of their columns.
class record {
 public:
  record(const std::vector<std::string>& columns, std::vector<std::string> fields) {
    for (std::size_t i = 0; i < columns.size(); ++i) fields_[columns[i]] = std::move(fields[i]);
  }

  std::string part(const std::string& column) const { return name_part(fields_.at(column)); }

  double number(const std::string& column) const {
    const auto value = number_in(fields_.at(column));
    if (!value || *value < 0) {
      throw std::invalid_argument(fmt::format("{}: '{}' is no such number", column, fields_.at(column)));
    }
    return *value;
  }

  std::uint64_t count(const std::string& column) const { return as_count(number(column)); }

 private:
  std::map<std::string, std::string> fields_;
};

row read_point_get(const record& line, std::vector<std::string>&) {
  row r;
  const auto mode = line.part("mode");
  r.name = fmt::format("get/{}/{}/{}", line.part("storage"), line.part("client"), mode);
  // All requests were issued at once there.
  if (mode == "async") r.name += fmt::format("/depth:{}", line.count("requests"));
  r.iterations = line.count("requests");
  set_rate(r, line.number("ops_per_second"));
  return r;
}

row read_sweep(const record& line, std::vector<std::string>& remarks) {
  row r;
  r.name = fmt::format("http/{}/conns:{}", line.part("backend"), line.count("connections"));
  const auto failed = line.count("responses_failed");
  r.counters["errors"] = static_cast<double>(failed);
  for (const auto* figure : {"mean", "p50", "p90", "p75", "p99", "max"}) {
    set_latency(r, fmt::format("{}_ns", figure), line.number(fmt::format("{}_ms", figure)) * 1e6);
  }
  set_latency(r, "stddev_ns", line.number("stdev_ms") * 1e6);
  set_rate_of_good(r, line.number("responses_per_second"), line.count("responses_total"), failed,
                   "replies that are errors", remarks);
  return r;
}

row read_blog(const record& line, std::vector<std::string>&) {
  row r;
  r.name =
      fmt::format("{}/{}/conns:{}", line.part("experiment"), line.part("variant"), line.count("connections"));
  set_rate(r, line.number("requests_per_second"));
  set_latency(r, "mean_ns", line.number("mean_ms") * 1e6);
  set_latency(r, "max_ns", line.number("max_ms") * 1e6);
  return r;
}

struct origin {
  std::string_view header;
  row (*read)(const record&, std::vector<std::string>&);
};
constexpr origin origins[] = {
    {"mode,client,storage,requests,milliseconds,ops_per_second", read_point_get},
    {"backend,connections,responses_per_second,responses_total,responses_failed,mean_ms,stdev_ms,p50_ms,p75_"
     "ms,"
     "p90_ms,p99_ms,max_ms",
     read_sweep},
    {"experiment,variant,connections,requests_per_second,mean_ms,max_ms", read_blog}};

const origin* origin_of(std::string_view text) {
  auto header = text.substr(0, text.find('\n'));
  if (header.ends_with('\r')) header.remove_suffix(1);
  for (const auto& each : origins) {
    if (each.header == header) return &each;
  }
  return nullptr;
}

}  // namespace

bool looks_like_origins(std::string_view text) {
  return origin_of(text) != nullptr;
}

imported_run import_origins(std::string_view text, std::string_view name) {
  const auto* const origin = origin_of(text);
  if (origin == nullptr)
    throw result_file_error(name, "line 1: not the first line of a file of results/origins");
  const auto columns = csv_fields(origin->header);
  run_file file;
  std::vector<std::string> remarks;
  for (const auto& line : lines_of(text)) {
    if (line.number == 1 || trimmed(line.text).empty()) continue;
    auto fields = csv_fields(line.text);
    if (fields.size() != columns.size()) {
      throw result_file_error(
          name, fmt::format("line {}: {} fields where there should be {}; is the text cut off?", line.number,
                            fields.size(), columns.size()));
    }
    try {
      file.rows.push_back(origin->read(record(columns, std::move(fields)), remarks));
    } catch (const std::invalid_argument& error) {
      throw result_file_error(name, fmt::format("line {}: {}", line.number, error.what()));
    }
  }
  if (file.rows.empty()) throw result_file_error(name, "no line behind the first");
  number_repetitions(file.rows);
  return finished(std::move(file), "origins", std::move(remarks));
}

}  // namespace dbdyno::results
