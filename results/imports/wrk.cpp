#include "results/imports/wrk.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "results/imports/foreign_text.hpp"
#include "results/run_file_reader.hpp"

namespace dbdyno::results {
namespace {

constexpr std::string_view begin_of_url = " test @ ";

bool begins_run(std::string_view line) {
  return line.starts_with("Running ") && line.find(begin_of_url) != std::string_view::npos;
}

/// What was read of one run.
struct run_text {
  std::size_t line = 0;  ///< where it begins
  std::string url;
  std::uint64_t threads = 1;
  std::uint64_t connections = 0;
  std::optional<std::uint64_t> requests;
  std::optional<double> rate;
  std::uint64_t bad_status = 0, connect = 0, read = 0, write = 0, timeout = 0;
  std::string prefix;  ///< of the latencies that follow
  row r;
};

/// Percentile lines of both programs and of the spectrum; p99_ns of 99 and 99.000.
std::string percentile_counter(double percent) {
  auto digits = fmt::format("{}", percent);
  digits.erase(std::remove(digits.begin(), digits.end(), '.'), digits.end());
  return "p" + digits + "_ns";
}

/// `words` is a line of the spectrum: milliseconds, quantile, count, 1 / (1 - quantile). It tells three
/// digits behind the point where the percentiles above it tell two, but only some of these quantiles.
void read_spectrum_line(const std::vector<std::string_view>& words, run_text& run) {
  const auto ms = number_in(words[0]);
  const auto quantile = number_in(words[1]);
  if (!ms || !quantile) return;
  for (const double percent : {50.0, 75.0, 90.0}) {
    if (std::abs(*quantile * 100 - percent) < 1e-6) {
      set_latency(run.r, run.prefix + percentile_counter(percent), *ms * 1e6);
    }
  }
}

/// #[Max     =       12.496, Total count    =        39500], and the like with Mean and StdDeviation.
void read_spectrum_end(std::string_view line, run_text& run) {
  const auto ms = [&](std::string_view key) -> std::optional<double> {
    const auto at = line.find(key);
    if (at == std::string_view::npos) return std::nullopt;
    const auto value = leading_number(line.substr(std::min(line.find('=', at), line.size() - 1) + 1));
    return value ? std::optional(*value * 1e6) : std::nullopt;
  };
  for (const auto& [key, counter] :
       {std::pair{"[Mean", "mean_ns"}, std::pair{"StdDeviation", "stddev_ns"}, std::pair{"[Max", "max_ns"}}) {
    set_latency(run.r, run.prefix + counter, ms(key));
  }
}

void read_latency_line(const std::vector<std::string_view>& words, run_text& run) {
  // Latency    96.75us  241.13us   3.88ms   97.76%
  set_latency(run.r, "mean_ns", duration_in(words[1]));
  set_latency(run.r, "stddev_ns", duration_in(words[2]));
  set_latency(run.r, "max_ns", duration_in(words[3]));
}

std::uint64_t named_count(std::string_view line, std::string_view name) {
  const auto at = line.find(std::string(name) + " ");
  if (at == std::string_view::npos) return 0;
  return as_count(leading_number(line.substr(at + name.size() + 1)));
}

void read_line(std::string_view line, run_text& run) {
  const auto words = words_of(line);
  if (words.empty()) return;
  if (words.size() == 5 && words[1] == "threads" && words[4] == "connections") {
    run.threads = count_in(words[0]).value_or(1);
    run.connections = count_in(words[3]).value_or(0);
  } else if (words[0] == "Latency" && words.size() == 5 && duration_in(words[1])) {
    read_latency_line(words, run);
  } else if (words[0] == "Latency" && words.size() > 1 && words[1] == "Distribution") {
    run.prefix = line.find("Uncorrected") == std::string_view::npos ? "" : "service_";
  } else if (words.size() == 2 && words[0].ends_with('%') && duration_in(words[1])) {
    const auto percent = number_in(words[0].substr(0, words[0].size() - 1));
    if (percent) {
      set_latency(run.r, run.prefix + (*percent == 100 ? "max_ns" : percentile_counter(*percent)),
                  duration_in(words[1]));
    }
  } else if (words.size() == 4 && number_in(words[0]) && number_in(words[1])) {
    read_spectrum_line(words, run);
  } else if (line.starts_with("#[")) {
    read_spectrum_end(line, run);
  } else if (words.size() > 3 && words[1] == "requests" && words[2] == "in") {
    run.requests = count_in(words[0]);
  } else if (line.find("Socket errors:") != std::string_view::npos) {
    run.connect = named_count(line, "connect");
    run.read = named_count(line, "read");
    run.write = named_count(line, "write");
    run.timeout = named_count(line, "timeout");
  } else if (const auto bad = after(trimmed(line), "Non-2xx or 3xx responses:")) {
    run.bad_status = count_in(*bad).value_or(0);
  } else if (const auto rate = after(line, "Requests/sec:")) {
    run.rate = number_in(*rate);
  }
}

row row_of(run_text run, std::string_view program, bool timeouts_are_replies, std::string_view name,
           std::vector<std::string>& remarks) {
  if (!run.requests || !run.rate) {
    throw result_file_error(
        name, fmt::format("line {}: the run that begins here has no line \"{}\"; is the text cut off?",
                          run.line, run.requests ? "Requests/sec:" : "... requests in ..."));
  }
  row& r = run.r;
  r.name = fmt::format("{}/{}", program, path_part(run.url));
  if (run.connections != 0) r.name += fmt::format("/conns:{}", run.connections);
  r.name += fmt::format("/threads:{}", run.threads);
  r.threads = static_cast<unsigned>(std::min<std::uint64_t>(run.threads, 1'000'000));
  set_counter(r, "errors",
              static_cast<double>(run.bad_status + run.connect + run.read + run.write + run.timeout));
  std::string what;
  const auto add = [&](std::uint64_t count, std::string_view failure) {
    if (count != 0) what += fmt::format("{}{} {}", what.empty() ? "" : ", ", count, failure);
  };
  const auto late = timeouts_are_replies ? run.timeout : 0;
  add(run.bad_status, "with a status of 400 or above");
  add(late, "later than the timeout");
  set_rate_of_good(r, *run.rate, *run.requests, run.bad_status + late, what, remarks);
  if (*run.requests == 0) r.error_message = "no request was answered";
  what.clear();
  add(run.connect, "connect");
  add(run.read, "read");
  add(run.write, "write");
  add(run.timeout - late, "timeout");
  if (!what.empty()) {
    remarks.push_back(
        fmt::format("{}: requests failed at the sockets, none of them in the rate: {}", r.name, what));
  }
  return std::move(r);
}

imported_run read_runs(std::string_view text, std::string_view name, std::string_view program,
                       bool timeouts_are_replies) {
  run_file file;
  std::vector<std::string> remarks;
  for (const auto& lines : runs_of(text, begins_run)) {
    const auto first = lines.front().text;
    run_text run;
    run.line = lines.front().number;
    run.url = trimmed(first.substr(first.find(begin_of_url) + begin_of_url.size()));
    for (std::size_t i = 1; i < lines.size(); ++i) read_line(lines[i].text, run);
    file.rows.push_back(row_of(std::move(run), program, timeouts_are_replies, name, remarks));
  }
  if (file.rows.empty()) {
    throw result_file_error(name,
                            fmt::format("no line \"Running ... test @ URL\", as {} prints it", program));
  }
  number_repetitions(file.rows);
  return finished(std::move(file), program, std::move(remarks));
}

}  // namespace

bool looks_like_wrk(std::string_view text) {
  return !runs_of(text, begins_run).empty();
}

bool looks_like_wrk2(std::string_view text) {
  return looks_like_wrk(text) && (text.find("Thread calibration:") != std::string_view::npos ||
                                  text.find("(HdrHistogram - ") != std::string_view::npos);
}

imported_run import_wrk(std::string_view text, std::string_view name) {
  return read_runs(text, name, "wrk", true);
}

imported_run import_wrk2(std::string_view text, std::string_view name) {
  return read_runs(text, name, "wrk2", false);
}

}  // namespace dbdyno::results
