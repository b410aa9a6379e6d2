#include "results/imports/sysbench.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "results/imports/foreign_text.hpp"
#include "results/run_file_reader.hpp"

namespace dbdyno::results {
namespace {

bool begins_run(std::string_view line) {
  return line.starts_with("sysbench 1.");
}

struct run_text {
  std::size_t line = 0;  ///< where it begins
  std::map<std::string, std::string, std::less<>> values;
  std::vector<std::pair<double, double>> histogram;  ///< ns, count

  std::optional<double> number(std::string_view key) const {
    const auto found = values.find(key);
    return found == values.end() ? std::nullopt : leading_number(found->second);
  }

  /// Of "63574  (63322.94 per sec.)" what stands in parentheses.
  std::optional<double> rate(std::string_view key) const {
    const auto found = values.find(key);
    if (found == values.end()) return std::nullopt;
    const auto open = found->second.find('(');
    return open == std::string::npos ? std::nullopt : leading_number(found->second.substr(open + 1));
  }
};

void read_line(std::string_view line, run_text& run) {
  const auto text = trimmed(line);
  if (text.starts_with('[')) return;  // what --report-interval prints
  const auto words = words_of(text);
  if (words.size() >= 3 && words[1].starts_with('|')) {
    const auto ms = number_in(words.front());
    const auto count = number_in(words.back());
    if (ms && count) run.histogram.emplace_back(*ms * 1e6, *count);
    return;
  }
  const auto colon = text.find(':');
  if (colon == std::string_view::npos) return;
  const auto value = trimmed(text.substr(colon + 1));
  if (!value.empty()) run.values[std::string(text.substr(0, colon))] = value;
}

void read_histogram(const run_text& run, row& r) {
  double total = 0;
  for (const auto& [ns, count] : run.histogram) total += count;
  for (const auto& [counter, share] : {std::pair{"p50_ns", 0.5}, std::pair{"p90_ns", 0.9},
                                       std::pair{"p99_ns", 0.99}, std::pair{"p999_ns", 0.999}}) {
    if (total * (1 - share) < 10) continue;
    double below = 0;
    for (const auto& [ns, count] : run.histogram) {
      below += count;
      if (below >= total * share) {
        set_latency(r, counter, ns);
        break;
      }
    }
  }
}

void read_latencies(const run_text& run, row& r, std::vector<std::string>& remarks) {
  bool too_short = false;
  const auto set = [&](const std::string& counter, std::string_view key) {
    const auto ms = run.number(key);
    if (ms && set_latency(r, counter, *ms * 1e6)) too_short = true;
  };
  read_histogram(run, r);
  set("min_ns", "min");
  set("mean_ns", "avg");
  set("max_ns", "max");
  constexpr std::string_view ending = "th percentile";
  for (const auto& [key, value] : run.values) {
    if (!key.ends_with(ending)) continue;
    const auto percent = count_in(std::string_view(key).substr(0, key.size() - ending.size()));
    const auto counter = percent ? fmt::format("p{}_ns", *percent) : "";
    if (percent && *percent < 100 && !r.counters.contains(counter)) set(counter, key);
  }
  if (too_short) {
    remarks.push_back(fmt::format("{}: latencies that sysbench shows as 0.00 ms are left out", r.name));
  }
}

void read_run(const run_text& run, std::string_view name, run_file& file, std::vector<std::string>& remarks) {
  const auto seconds = run.number("total time");
  const auto events = run.number("total number of events");
  if (!seconds || !events || *events < 0) {
    throw result_file_error(
        name, fmt::format("line {}: the run that begins here has no line \"{}\"; is the text cut off?",
                          run.line, seconds ? "total number of events:" : "total time:"));
  }
  const auto threads = std::clamp(run.number("Number of threads").value_or(1), 1.0, 1e6);
  const auto make = [&](const char* what, const char* unit, std::optional<double> rate, double iterations) {
    row r;
    r.name = fmt::format("sysbench/{}/{}:{}", what, unit, threads);
    r.threads = static_cast<unsigned>(threads);
    r.iterations = as_count(iterations);
    if (rate) set_rate(r, *rate);
    if (!r.real_time) r.error_message = "no event succeeded";
    return r;
  };
  const auto transactions = run.rate("transactions");
  const auto per_second = [&](const char* key, std::optional<double> otherwise) {
    const auto told = run.number(key);
    return told ? told : otherwise;
  };
  const auto by_time = *seconds > 0 ? std::optional(*events / *seconds) : std::nullopt;
  if (transactions) {
    auto r = make("transactions", "conns", transactions, run.number("transactions").value_or(0));
    set_counter(r, "errors", run.number("ignored errors"));
    set_counter(r, "reconnects", run.number("reconnects"));
    read_latencies(run, r, remarks);
    if (run.number("ignored errors").value_or(0) > 0) {
      remarks.push_back(
          fmt::format("{}: {} transactions failed, not in the rate; the queries of theirs that "
                      "succeeded are in the row of queries",
                      r.name, *run.number("ignored errors")));
    }
    file.rows.push_back(std::move(r));
    if (const auto queries = run.rate("queries")) {
      file.rows.push_back(make("queries", "conns", queries, run.number("queries").value_or(0)));
    }
    return;
  }
  const bool memory = run.rate("Total operations").has_value();
  const bool files = run.number("reads/s").has_value();
  auto r = memory  ? make("memory", "threads", run.rate("Total operations"), *events)
           : files ? make("fileio", "threads", by_time, *events)
           : run.number("events per second")
               ? make("cpu", "threads", per_second("events per second", by_time), *events)
               : make("events", "threads", by_time, *events);
  read_latencies(run, r, remarks);
  file.rows.push_back(std::move(r));
  for (const auto* what : {"reads", "writes", "fsyncs"}) {
    const auto rate = run.number(std::string(what) + "/s");
    if (rate && *rate > 0)
      file.rows.push_back(make((std::string("fileio-") + what).c_str(), "threads", rate, 0));
  }
}

}  // namespace

bool looks_like_sysbench(std::string_view text) {
  return !runs_of(text, begins_run).empty();
}

imported_run import_sysbench(std::string_view text, std::string_view name) {
  run_file file;
  std::vector<std::string> remarks;
  for (const auto& lines : runs_of(text, begins_run)) {
    run_text run;
    run.line = lines.front().number;
    for (std::size_t i = 1; i < lines.size(); ++i) read_line(lines[i].text, run);
    read_run(run, name, file, remarks);
  }
  if (file.rows.empty()) throw result_file_error(name, "no line \"sysbench 1.\"");
  number_repetitions(file.rows);
  return finished(std::move(file), "sysbench", std::move(remarks));
}

}  // namespace dbdyno::results
