#include "results/imports/ab.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "results/imports/foreign_text.hpp"
#include "results/run_file_reader.hpp"

namespace dbdyno::results {
namespace {

constexpr std::string_view first_line = "This is ApacheBench";

bool begins_run(std::string_view line) {
  return line.starts_with(first_line);
}

struct run_text {
  std::size_t line = 0;  ///< where it begins
  std::string path;
  std::uint64_t connections = 0;
  std::optional<std::uint64_t> completed;
  std::optional<double> rate;
  std::uint64_t failed = 0, connect = 0, length = 0, not_2xx = 0, kept_alive = 0;
  bool too_short = false;  ///< a latency was less than ab shows
  row r;
};

/// (Connect: 0, Receive: 0, Length: 200, Exceptions: 0)
std::uint64_t count_behind(std::string_view line, std::string_view key) {
  const auto at = line.find(key);
  if (at == std::string_view::npos) return 0;
  return as_count(leading_number(line.substr(at + key.size())));
}

void read_line(std::string_view line, run_text& run) {
  const auto text = trimmed(line);
  const auto words = words_of(text);
  if (words.empty()) return;
  const auto latency = [&](const std::string& counter, std::string_view ms) {
    const auto value = number_in(ms);
    if (value && set_latency(run.r, counter, *value * 1e6)) run.too_short = true;
  };
  if (const auto path = after(text, "Document Path:")) {
    run.path = trimmed(*path);
  } else if (const auto level = after(text, "Concurrency Level:")) {
    run.connections = count_in(*level).value_or(0);
  } else if (const auto completed = after(text, "Complete requests:")) {
    run.completed = count_in(*completed);
  } else if (const auto failed = after(text, "Failed requests:")) {
    run.failed = count_in(*failed).value_or(0);
  } else if (text.starts_with("(Connect:")) {
    run.connect = count_behind(text, "Connect:");
    run.length = count_behind(text, "Length:");
  } else if (const auto not_2xx = after(text, "Non-2xx responses:")) {
    run.not_2xx = count_in(*not_2xx).value_or(0);
  } else if (const auto kept = after(text, "Keep-Alive requests:")) {
    run.kept_alive = count_in(*kept).value_or(0);
  } else if (const auto rate = after(text, "Requests per second:")) {
    run.rate = leading_number(*rate);
  } else if (words[0] == "Total:" && words.size() == 6) {  // min, mean, deviation, median, max
    latency("min_ns", words[1]);
    latency("mean_ns", words[2]);
    set_latency(run.r, "stddev_ns",
                number_in(words[3]) ? std::optional(*number_in(words[3]) * 1e6) : std::nullopt);
    latency("max_ns", words[5]);
  } else if (words.size() >= 2 && words[0].ends_with('%')) {
    const auto percent = count_in(words[0].substr(0, words[0].size() - 1));
    // 66 is two thirds, and 100 the maximum again.
    if (percent && (*percent == 50 || *percent == 75 || *percent >= 90) && *percent < 100) {
      latency(fmt::format("p{}_ns", *percent), words[1]);
    }
  }
}

row row_of(run_text run, std::string_view name, std::vector<std::string>& remarks) {
  if (!run.completed || !run.rate) {
    throw result_file_error(
        name,
        fmt::format("line {}: the run that begins here has no line \"{}\"; is the text cut off, or did ab "
                    "give up?",
                    run.line, run.completed ? "Requests per second:" : "Complete requests:"));
  }
  row& r = run.r;
  r.name = "ab/" + path_part(run.path);
  if (run.connections != 0) r.name += fmt::format("/conns:{}", run.connections);
  if (run.kept_alive != 0) r.name += "/keep-alive";
  // Connections that failed are tried again and no requests. A reply with an error mostly has another length.
  const auto in_rate = run.failed - std::min(run.failed, run.connect);
  const bool same = run.length >= run.not_2xx && run.length + run.not_2xx < *run.completed;
  const auto failed = same ? in_rate : in_rate + run.not_2xx;
  set_counter(r, "errors",
              static_cast<double>(std::max(run.failed, failed + std::min(run.failed, run.connect))));
  set_rate_of_good(r, *run.rate, *run.completed, failed,
                   fmt::format("{} of another length than the first, {} not 2xx", run.length, run.not_2xx),
                   remarks);
  if (*run.completed == 0) r.error_message = "no request was answered";
  if (run.too_short) {
    remarks.push_back(fmt::format("{}: latencies that ab shows as 0 ms are left out", r.name));
  }
  return std::move(r);
}

}  // namespace

bool looks_like_ab(std::string_view text) {
  return !runs_of(text, begins_run).empty();
}

imported_run import_ab(std::string_view text, std::string_view name) {
  run_file file;
  std::vector<std::string> remarks;
  for (const auto& lines : runs_of(text, begins_run)) {
    run_text run;
    run.line = lines.front().number;
    for (const auto& line : lines) read_line(line.text, run);
    file.rows.push_back(row_of(std::move(run), name, remarks));
  }
  if (file.rows.empty()) {
    throw result_file_error(name, fmt::format("no line \"{}\"", first_line));
  }
  number_repetitions(file.rows);
  return finished(std::move(file), "ab", std::move(remarks));
}

}  // namespace dbdyno::results
