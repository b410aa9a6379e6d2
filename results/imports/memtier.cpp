#include "results/imports/memtier.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <string>
#include <utility>

#include "results/imports/foreign_text.hpp"
#include "results/imports/lenient_json.hpp"
#include "results/run_file_reader.hpp"

namespace dbdyno::results {
namespace {

std::optional<double> number_at(const node& object, const char* key) {
  const auto found = object.find(key);
  return found && found->is_number() ? std::optional(found->number()) : std::nullopt;
}

std::string text_at(const node& object, const char* key) {
  const auto found = object.find(key);
  return found && found->is_text() ? found->text() : "";
}

bool is_run(std::string_view key) {
  return key.starts_with("RUN #") && key.ends_with(" RESULTS");
}

/// What all rows of a file have in common.
struct set_up {
  std::string storage = "redis";
  std::string transport = "tcp";
  std::string ratio;
  unsigned threads = 1;
  unsigned connections = 0;  ///< 0 if unknown
  unsigned depth = 0;        ///< 0 if unknown
};

set_up read_set_up(const node& root) {
  set_up out;
  if (const auto configuration = root.find("configuration")) {
    if (text_at(*configuration, "protocol").starts_with("memcache")) out.storage = "memcached";
    if (!text_at(*configuration, "unix socket").empty()) out.transport = "unix";
    out.ratio = text_at(*configuration, "ratio");
    const auto threads = number_at(*configuration, "threads").value_or(1);
    out.threads = static_cast<unsigned>(std::clamp(threads, 1.0, 1e6));
    const auto clients = number_at(*configuration, "clients").value_or(0);
    out.connections = static_cast<unsigned>(std::clamp(clients * threads, 0.0, 1e9));
    out.depth =
        static_cast<unsigned>(std::clamp(number_at(*configuration, "pipeline").value_or(0), 0.0, 1e9));
  }
  return out;
}

std::string row_name(const set_up& what, std::string_view operation, bool mixed) {
  auto name =
      fmt::format("{}/{}/memtier_benchmark/async/transport:{}", operation, what.storage, what.transport);
  if (what.connections != 0) name += fmt::format("/conns:{}", what.connections);
  if (what.depth != 0) name += fmt::format("/depth:{}", what.depth);
  if (mixed && !what.ratio.empty()) name += "/ratio:" + name_part(what.ratio);
  return name;
}

std::string operation_of(const std::string& key) {
  if (key == "Sets") return "set";
  if (key == "Gets") return "get";
  if (key == "Totals") return "all";
  std::string out = name_part(key);
  std::transform(out.begin(), out.end(), out.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return out;
}

void read_latencies(const node& figures, row& r) {
  const auto ms = [&](const node& object, const char* key) -> std::optional<double> {
    const auto value = number_at(object, key);
    return value ? std::optional(*value * 1e6) : std::nullopt;
  };
  const auto mean = ms(figures, "Average Latency");
  set_latency(r, "mean_ns", mean ? mean : ms(figures, "Latency"));
  set_latency(r, "min_ns", ms(figures, "Min Latency"));
  set_latency(r, "max_ns", ms(figures, "Max Latency"));
  const auto read_percentiles = [&](const node& object) {
    object.for_each_member([&](const std::string& key, const node& value) {
      if (!key.starts_with('p') || !value.is_number()) return;
      const auto percent = number_in(std::string_view(key).substr(1));
      if (!percent || *percent <= 0 || *percent >= 100) return;
      // p50.00 is p50_ns, p99.90 is p999_ns.
      auto digits = fmt::format("{}", *percent);
      digits.erase(std::remove(digits.begin(), digits.end(), '.'), digits.end());
      set_latency(r, "p" + digits + "_ns", value.number() * 1e6);
    });
  };
  const auto percentiles = figures.find("Percentile Latencies");
  read_percentiles(percentiles ? *percentiles : figures);
}

void read_row(const set_up& what, const std::string& key, const node& figures, bool mixed, run_file& run,
              std::vector<std::string>& remarks) {
  row r;
  r.name = row_name(what, operation_of(key), mixed);
  r.threads = what.threads;
  const double rate = figures.at("Ops/sec").number();
  const auto count = number_at(figures, "Count");
  const double completed = count && *count > 0 ? std::floor(*count) : 0;
  const double misses_rate = number_at(figures, "Misses/sec").value_or(0);
  const double hits_rate = number_at(figures, "Hits/sec").value_or(0);
  // Gets of several keys count keys here; what of these an operation had cannot be told.
  const bool by_operation = hits_rate + misses_rate <= rate * 1.001;
  double good = rate;
  if (misses_rate > 0 && by_operation) {
    const double misses = std::min(std::round(completed * misses_rate / rate), completed);
    good = std::max(rate - misses_rate, 0.0);
    r.iterations = as_count(completed - misses);
    r.counters["misses"] = misses;
    remarks.push_back(
        fmt::format("{}: {:.2f} of {:.2f} operations a second found no key and are not counted, so "
                    "{:.2f}/s; the latencies cover them, too",
                    r.name, misses_rate, rate, good));
  } else {
    r.iterations = as_count(completed);
    if (misses_rate > 0) {
      remarks.push_back(
          fmt::format("{}: {:.2f} keys a second were not found; as it counts keys, not operations, "
                      "the rate covers them",
                      r.name, misses_rate));
    }
  }
  set_rate(r, good);
  if (!r.real_time) r.error_message = "no operation succeeded";
  set_counter(r, "errors", number_at(figures, "Connection Errors"));
  read_latencies(figures, r);
  run.rows.push_back(std::move(r));
}

void read_section(const set_up& what, const node& section, run_file& run, std::vector<std::string>& remarks) {
  const auto worked = [](const std::string& key, const node& figures) {
    return key != "Runtime" && figures.is_object() && number_at(figures, "Ops/sec").value_or(0) > 0;
  };
  int operations = 0;
  section.for_each_member([&](const std::string& key, const node& figures) {
    if (key != "Totals" && worked(key, figures)) ++operations;
  });
  const auto before = run.rows.size();
  section.for_each_member([&](const std::string& key, const node& figures) {
    if (!figures.is_object()) remarks.push_back(fmt::format("{} set aside, being no operation", key));
    // Of one operation alone the totals are the same again.
    if (worked(key, figures) && (key != "Totals" || operations != 1)) {
      read_row(what, key, figures, operations > 1, run, remarks);
    }
  });
  if (run.rows.size() == before) throw value_error{section.pointer(), "no operation in it"};
}

}  // namespace

bool looks_like_memtier(std::string_view text) {
  const auto keys = top_level_keys(text);
  return std::any_of(keys.begin(), keys.end(), [](std::string_view key) {
    return key == "ALL STATS" || key == "run information" || key.starts_with("AGGREGATED AVERAGE RESULTS");
  });
}

imported_run import_memtier(std::string_view text, std::string_view name) {
  run_file run;
  std::vector<std::string> remarks;
  read_json(text, name, [&](const node& root) {
    const auto what = read_set_up(root);
    std::vector<std::pair<std::uint64_t, std::string>> runs;
    std::string average, others;
    root.for_each_member([&](const std::string& key, const node&) {
      if (is_run(key)) {
        runs.emplace_back(as_count(leading_number(key.substr(5))), key);
      } else if (key.starts_with("AGGREGATED AVERAGE RESULTS")) {
        average = key;
      } else if (key.ends_with(" RUN RESULTS")) {
        others += (others.empty() ? "" : ", ") + key;
      }
    });
    std::sort(runs.begin(), runs.end());
    if (!runs.empty()) {
      for (const auto& [number, key] : runs) read_section(what, root.at(key.c_str()), run, remarks);
      if (!average.empty()) remarks.push_back(average + " set aside, since every run is in the file");
    } else if (!average.empty()) {
      read_section(what, root.at(average.c_str()), run, remarks);
      remarks.push_back(
          fmt::format("the average of several runs is one row; {} set aside; --print-all-runs "
                      "keeps them as repetitions",
                      others.empty() ? "nothing" : others));
    } else {
      read_section(what, root.at("ALL STATS"), run, remarks);
    }
  });
  number_repetitions(run.rows);
  return finished(std::move(run), "memtier_benchmark", std::move(remarks));
}

}  // namespace dbdyno::results
