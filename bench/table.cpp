#include "bench/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <vector>

#include "bench/judge.hpp"
#include "bench/layers.hpp"
#include "data-loaders/with_thousands.hpp"
#include "results/statistics.hpp"

namespace dbdyno {
namespace {

/// What the repetitions of one cell come to.
struct summary {
  std::vector<double> rates{};
  std::vector<double> cpu{};
  std::vector<double> server_cpu{};
  results::histogram latencies{};
  std::uint64_t misses = 0;
  unsigned failed = 0;
  std::string error{};
  results::verdict_level worst = results::verdict_level::valid;
  std::vector<std::string> reasons{};  ///< of the first row of the worst level

  bool empty() const { return rates.empty() && failed == 0; }
};

summary summarise(const finished_run& run, const std::vector<results::verdict>& verdicts, std::size_t cell) {
  summary out;
  for (std::size_t i = 0; i < run.order.size(); ++i) {
    if (run.order[i].cell != cell || !run.results[i]) continue;
    const row_result& result = *run.results[i];
    out.misses += result.counts.misses();
    if (verdicts[i].level > out.worst) {
      out.worst = verdicts[i].level;
      out.reasons = verdicts[i].reasons;
    }
    if (!result.ok()) {
      ++out.failed;
      if (out.error.empty()) out.error = result.error;
      continue;
    }
    out.rates.push_back(result.operations_per_second);
    out.cpu.push_back(result.client_cpu_per_operation());
    if (result.costs.server.cpu && result.counts.operations() != 0) {
      out.server_cpu.push_back(static_cast<double>(result.costs.server.cpu->count()) /
                               static_cast<double>(result.counts.operations()));
    }
    out.latencies.merge(result.times.ok);
  }
  return out;
}

std::string whole(double value) {
  return with_thousands(static_cast<std::uint64_t>(std::llround(value)));
}

std::string as_time(double nanoseconds) {
  if (nanoseconds < 999.5) return fmt::format("{:.0f} ns", nanoseconds);
  if (nanoseconds < 999.5e3) return fmt::format("{:.3g} us", nanoseconds / 1e3);
  if (nanoseconds < 999.5e6) return fmt::format("{:.3g} ms", nanoseconds / 1e6);
  return fmt::format("{:.3g} s", nanoseconds / 1e9);
}

std::string as_time(const std::optional<double>& nanoseconds) {
  return nanoseconds ? as_time(*nanoseconds) : "-";
}

std::string spread_of(const std::vector<double>& rates) {
  if (rates.size() < 2) return "";
  const double half = (*results::maximum(rates) - *results::minimum(rates)) / 2;
  return fmt::format("{:.0f} %", 100 * half / *results::median(rates));
}

enum column : std::size_t {
  driver,
  mode_,
  via,
  conns,
  depth,
  threads,
  rate,
  ops,
  spread,
  p50,
  p99,
  client,
  server,
  verdict_
};
constexpr std::size_t columns = verdict_ + 1;
using line = std::array<std::string, columns>;
const line header = {"driver", "mode", "transport", "conns", "depth",     "threads",   "due/s",
                     "ops/s",  "+/-",  "p50",       "p99",   "client/op", "server/op", "verdict"};

line describe(const cell& what, const summary& figures) {
  line out;
  out[driver] = fmt::format("{}/{}", what.storage, what.driver);
  out[mode_] = to_string(what.mode);
  out[via] = what.via == transport::in_process ? "-" : std::string(to_string(what.via));
  out[conns] = what.mode == mode::async ? std::to_string(what.connections) : "-";
  out[depth] = what.shows_depth ? std::to_string(what.depth) : "-";
  out[threads] = std::to_string(what.threads);
  out[rate] = what.rate ? whole(*what.rate) : "-";
  if (!figures.rates.empty()) {
    out[ops] = whole(*results::median(figures.rates));
    out[spread] = spread_of(figures.rates);
    out[p50] = as_time(figures.latencies.supported_percentile(50));
    out[p99] = as_time(figures.latencies.supported_percentile(99));
    out[client] = as_time(results::median(figures.cpu));
    // Absent in one repetition, it would be a median of others than the rates'.
    if (figures.server_cpu.size() == figures.rates.size())
      out[server] = as_time(results::median(figures.server_cpu));
    if (out[server].empty()) out[server] = "-";
  }
  if (figures.worst == results::verdict_level::suspect) out[verdict_] = "suspect";
  if (figures.worst == results::verdict_level::invalid) out[verdict_] = "INVALID";
  if (figures.worst == results::verdict_level::valid) out[verdict_] = "valid";
  return out;
}

/// What stands to the right of a line, if anything.
std::string remark(const summary& figures) {
  std::string out;
  if (figures.misses != 0) out += fmt::format("  {} misses", with_thousands(figures.misses));
  if (figures.failed != 0) {
    out += fmt::format("  {} ERRORED: {}",
                       figures.failed == 1 ? "1 repetition" : std::to_string(figures.failed) + " repetitions",
                       figures.error);
  }
  return out;
}

/// A table without the columns that say nothing in any line.
class text_table {
 public:
  void add(line cells) {
    for (std::size_t i = 0; i < columns; ++i) widths_[i] = std::max(widths_[i], cells[i].size());
    lines_.push_back(std::move(cells));
  }
  void drop_if(column which, std::string_view says_nothing) {
    if (std::all_of(lines_.begin(), lines_.end(), [&](const line& l) { return l[which] == says_nothing; }))
      widths_[which] = 0;
  }

  std::string heading() const { return format(header, ""); }
  std::string format(std::size_t index, const std::string& right) const {
    return format(lines_[index], right);
  }

 private:
  std::string format(const line& cells, const std::string& right) const {
    std::string out;
    for (std::size_t i = 0; i < columns; ++i) {
      if (widths_[i] == 0) continue;
      if (!out.empty()) out += "  ";
      // Words to the left, numbers to the right.
      const std::size_t width = std::max(widths_[i], header[i].size());
      const bool words = i <= via || i == verdict_;
      out += words ? fmt::format("{:<{}}", cells[i], width) : fmt::format("{:>{}}", cells[i], width);
    }
    out += right;
    out.erase(out.find_last_not_of(' ') + 1);
    return out + '\n';
  }

  std::array<std::size_t, columns> widths_{};
  std::vector<line> lines_;
};

/// Why not to believe what is not valid: of every invalid cell, and of the suspect ones as long as they are
/// few.
std::string list_reasons(const finished_run& run, const std::vector<summary>& summaries) {
  constexpr std::ptrdiff_t few = 8;
  const auto is_suspect = [](const summary& s) { return s.worst == results::verdict_level::suspect; };
  const auto suspects = std::count_if(summaries.begin(), summaries.end(), is_suspect);
  std::string out;
  for (std::size_t c = 0; c < summaries.size(); ++c) {
    const summary& figures = summaries[c];
    // An error stands beside its line already.
    if (figures.reasons.empty() || figures.failed != 0 || (is_suspect(figures) && suspects > few)) continue;
    out += run.plan.cells[c].what.id() + "\n";
    for (const std::string& reason : figures.reasons) out += "  " + reason + "\n";
  }
  if (suspects > few) {
    out += fmt::format(
        "{} of {} cells are suspect; a narrower filter prints why, the result file (--out) holds it\n",
        suspects, summaries.size());
  }
  return out.empty() ? out : "\nNot to be taken at face value:\n" + out;
}

std::string describe_layer(const std::optional<results::interval_estimate>& layer) {
  if (!layer) return "-";
  const double half = (layer->high - layer->low) / 2;
  const std::string sign = layer->mean < 0 ? "-" : "";
  const std::string out = fmt::format("{}{} +/- {}", sign, as_time(std::abs(layer->mean)), as_time(half));
  return layer->contains_zero() ? out + " (below noise)" : out;
}

std::string describe_layers(const finished_run& run) {
  const std::vector<cell_layers> layers = split_layers(run);
  if (layers.empty()) return "";
  std::string out =
      "\nLayers, per operation, mean and 95 % interval: harness is the null driver, wire a bare socket echo "
      "of as "
      "many bytes less that,\nlibrary the cell less the echo (in time, the server's work too).\n";
  for (const cell_layers& one : layers) {
    out += run.plan.cells[one.cell].what.id() + "\n";
    for (const auto& [name, split] : {std::pair{"time", one.time}, std::pair{"client CPU", one.client_cpu}}) {
      out += fmt::format("  {:<10}  harness {}, wire {}, library {}\n", name, describe_layer(split.harness),
                         describe_layer(split.wire), describe_layer(split.library));
    }
  }
  return out;
}

std::string describe_searches(const finished_run& run, const bench_options& options) {
  std::string out;
  for (const finished_search& search : run.searches) {
    const std::string name = run.plan.cells[search.cell].what.id();
    if (!search.stopped.empty()) {
      out += fmt::format("{}: no highest rate found: {}\n", name, search.stopped);
    } else if (!search.knee) {
      out += fmt::format("{}: no rate keeps {}\n", name, to_string(*options.max_rate_under));
    } else {
      out += fmt::format("{}: {} per second is the highest rate that keeps {} ({} tried; closed loop {})\n",
                         name, whole(*search.knee), to_string(*options.max_rate_under), search.steps.size(),
                         whole(*search.closed_loop));
    }
  }
  return out.empty() ? out : "\n" + out;
}

std::string explain(const finished_run& run, const bench_options& options) {
  const std::string window = options.requests ? fmt::format("{} requests", with_thousands(*options.requests))
                                              : fmt::format("{:g} s", run.plan.duration);
  const char* latency = "latency of all repetitions together";
  if (!options.rates.empty()) latency = "response time, from when a request was due, of all repetitions";
  if (options.max_rate_under)
    latency = "latency; with due/s, of the response time, from when a request was due";
  // A search runs each rate once.
  const unsigned repetitions = options.max_rate_under ? 1 : options.repetitions;
  std::string out =
      repetitions == 1
          ? fmt::format("ops/s: operations completed and checked per second, in {};\n", window)
          : fmt::format(
                "ops/s: operations completed and checked per second, the median of {} repetitions of "
                "{}, less those that errored;\n"
                "+/-: half the range between the slowest and the fastest repetition, as a part of the "
                "median;\n",
                repetitions, window);
  out += fmt::format(
      "p50, p99: percentiles of the {};\n"
      "client/op, server/op: CPU time per operation, user and system: of the measuring threads, of the "
      "server's process.\n",
      latency);
  return out;
}

}  // namespace

std::string make_table(const finished_run& run, const bench_options& options) {
  const std::vector<results::verdict> verdicts = judge(run);
  std::vector<summary> summaries;
  text_table table;
  for (std::size_t c = 0; c < run.plan.cells.size(); ++c) {
    summaries.push_back(summarise(run, verdicts, c));
    table.add(describe(run.plan.cells[c].what, summaries.back()));
  }
  table.drop_if(threads, "1");
  table.drop_if(rate, "-");
  table.drop_if(spread, "");
  std::string out;
  std::string workload;
  for (std::size_t c = 0; c < summaries.size(); ++c) {
    if (summaries[c].empty()) continue;
    if (run.plan.cells[c].what.workload != workload) {
      workload = run.plan.cells[c].what.workload;
      out += fmt::format("{}{}\n", out.empty() ? "" : "\n", workload) + table.heading();
    }
    out += table.format(c, remark(summaries[c]));
  }
  if (!out.empty())
    out += "\n" + explain(run, options) + describe_layers(run) + describe_searches(run, options) +
           list_reasons(run, summaries);
  return out;
}

}  // namespace dbdyno
