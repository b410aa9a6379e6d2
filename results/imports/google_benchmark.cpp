#include "results/imports/google_benchmark.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <map>
#include <set>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "results/clean_text.hpp"
#include "results/imports/foreign_text.hpp"
#include "results/imports/lenient_json.hpp"
#include "results/schema.hpp"

namespace dbdyno::results {
namespace {

struct time_unit {
  std::string_view name;
  double ns;
};
constexpr time_unit time_units[] = {{"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}};

/// What the name of a statistic's row ends with, where nothing else says that it is one.
constexpr std::string_view old_suffixes[] = {"_mean", "_median", "_stddev", "_cv", "_BigO", "_RMS"};

/// Things of one kind that were set aside: how many, and the first.
struct set_aside {
  std::size_t count = 0;
  std::string first;

  void add(const std::string& what) {
    if (count++ == 0) first = what;
  }
};

/// A row as it stands in the file.
struct file_row {
  row r;
  std::string statistic_name;  ///< empty in a repetition
  bool has_repetition = false;
};

class google_benchmark_reader {
 public:
  imported_run read(const node& root) {
    if (const auto context = root.find("context")) read_context(*context);
    const auto benchmarks = root.at("benchmarks");
    find_old_statistics(benchmarks);
    benchmarks.for_each_element([&](const node& value) { read_row(value); });
    if (rows_.empty()) {
      throw value_error{benchmarks.pointer(), skipped_.count == 0 ? "it has no rows" : "no row has a figure"};
    }
    place_rows();
    remark_on_what_was_set_aside();
    return finished(std::move(run_), "google-benchmark", std::move(remarks_));
  }

 private:
  void read_context(const node& context) {
    std::set<std::string> unknown;
    auto& machine = run_.machine;
    const auto text = [&](const node& value, std::string& out) {
      if (value.is_text()) out = clean_text(value.text());
      return value.is_text();
    };
    const auto count = [&](const node& value, unsigned& out) {
      const bool known = value.is_number() && value.number() >= 1 && value.number() < 4e9;
      if (known) out = static_cast<unsigned>(value.number());
      return known;
    };
    context.for_each_member([&](const std::string& key, const node& value) {
      bool known = true;
      if (key == "date") {
        known = text(value, run_.context.date);
      } else if (key == "host_name") {
        known = text(value, machine.host_name);
      } else if (key == "executable") {
        known = text(value, run_.context.executable);
        auto& path = run_.context.executable;
        path.erase(0, path.find_last_of("/\\") + 1);
      } else if (key == "library_version") {
        known = text(value, run_.context.library_version);
      } else if (key == "library_build_type") {
        known = text(value, run_.context.library_build_type);
      } else if (key == "num_cpus") {
        known = count(value, machine.cpu_count);
      } else if (key == "mhz_per_cpu") {
        unsigned mhz = 0;
        known = count(value, mhz);
        if (known) machine.cpu_mhz = mhz;
      } else if (key == "load_avg") {
        value.for_each_element([&](const node& average) {
          if (average.is_number()) run_.context.load_avg.push_back(average.number());
        });
      } else if (key == "caches") {
        value.for_each_element([&](const node& cache) { read_cache(cache); });
      } else if (key == "cpu_scaling_enabled" && value.truth()) {
        remarks_.emplace_back("the machine scaled the frequencies of its CPUs");
      } else {
        known = key == "cpu_scaling_enabled" || key == "aslr_enabled" || key == "json_schema_version";
      }
      if (!known) unknown.insert(key);
    });
    if (!unknown.empty()) {
      remarks_.push_back(fmt::format("of the context is not kept: {}", fmt::join(unknown, ", ")));
    }
  }

  void read_cache(const node& value) {
    const auto number = [&](const char* key) {
      const auto found = value.find(key);
      return found && found->is_number() && found->number() >= 0 ? found->number() : 0;
    };
    const auto type = value.find("type");
    run_.machine.caches.push_back(
        {.type = type && type->is_text() ? clean_text(type->text()) : "",
         .level = static_cast<unsigned>(std::min(number("level"), 1e9)),
         .size = static_cast<std::uint64_t>(std::min(number("size"), 1e18)),
         .num_sharing = static_cast<unsigned>(std::min(number("num_sharing"), 1e9))});
  }

  /// Before 1.4 rows did not say whether they are statistics. They are if their name less the suffix is
  /// another row's, or the names with all three suffixes of that time are there.
  void find_old_statistics(const node& benchmarks) {
    std::unordered_set<std::string> names;
    bool old = false;
    benchmarks.for_each_element([&](const node& value) {
      if (value.find("run_type")) return;
      old = true;
      if (const auto name = value.find("name"); name && name->is_text()) names.insert(name->text());
    });
    if (!old) return;
    for (const auto& name : names) {
      for (const auto suffix : old_suffixes) {
        if (!name.ends_with(suffix)) continue;
        const auto base = name.substr(0, name.size() - suffix.size());
        if (names.contains(base) || (names.contains(base + "_mean") && names.contains(base + "_median") &&
                                     names.contains(base + "_stddev"))) {
          old_statistics_[name] = suffix.substr(1);
        }
      }
    }
  }

  /// The statistic's name if the row is one.
  std::string statistic_of(const node& value, const std::string& name) const {
    const auto told = value.find("aggregate_name");
    if (const auto type = value.find("run_type")) {
      enum class run_type : std::uint8_t { iteration, aggregate };
      if (type->one_of<run_type>({"iteration", "aggregate"}) == run_type::iteration) return "";
      return told ? told->text() : value.at("aggregate_name").text();
    }
    if (told) return told->text();
    const auto old = old_statistics_.find(name);
    return old == old_statistics_.end() ? "" : std::string(old->second);
  }

  static std::uint64_t whole(const node& value) {
    const double number = value.number();
    if (!(number >= 0) || number > 1.8e19 || std::trunc(number) != number) {
      throw value_error{value.pointer(), fmt::format("expected a whole number, found {}", number)};
    }
    return static_cast<std::uint64_t>(number);
  }

  std::uint64_t whole_or(const node& object, const char* key, std::uint64_t otherwise,
                         std::uint64_t highest) {
    const auto value = object.find(key);
    if (!value) return otherwise;
    if (value->is_not_finite()) {
      not_finite_.add(fmt::format("{} of {}", key, object.at("name").text()));
      return otherwise;
    }
    return std::min(whole(*value), highest);
  }

  std::optional<double> time(const node& object, const char* key, double ns, const std::string& name) {
    const auto value = object.find(key);
    if (!value) return std::nullopt;
    if (value->is_not_finite()) {
      not_finite_.add(fmt::format("{} of {}", key, name));
      return std::nullopt;
    }
    return value->number() * ns;
  }

  double read_unit(const node& value) {
    const auto found = value.find("time_unit");
    const auto name = found ? found->text() : "ns";
    const auto* const unit = std::find_if(std::begin(time_units), std::end(time_units),
                                          [&](const time_unit& each) { return each.name == name; });
    if (unit == std::end(time_units)) {
      throw value_error{found->pointer(), fmt::format("unknown value \"{}\"", name)};
    }
    ++rows_of_unit_[static_cast<std::size_t>(unit - std::begin(time_units))];
    return unit->ns;
  }

  void read_error(const node& value, row& r) {
    const auto is_true = [&](const char* key) {
      const auto found = value.find(key);
      return found && found->truth();
    };
    const auto message = [&](const char* key) {
      const auto found = value.find(key);
      return found && !found->text().empty() ? clean_text(found->text()) : "it does not say why";
    };
    if (is_true("error_occurred")) {
      r.error_message = message("error_message");
      errors_.add(r.name + ": " + *r.error_message);
    } else if (is_true("skipped")) {
      r.error_message = "skipped: " + message("skip_message");
      errors_.add(r.name + ": " + *r.error_message);
    }
  }

  void read_counters(const node& value, row& r) {
    value.for_each_member([&](const std::string& key, const node& member) {
      // The row's own keys of any version, and those of rows that are set aside.
      static const std::unordered_set<std::string> own = {
          "name",      "family_index",     "per_family_instance_index",
          "run_name",  "run_type",         "repetitions",
          "threads",   "repetition_index", "aggregate_name",
          "skipped",   "skip_message",     "aggregate_unit",
          "cpu_time",  "error_occurred",   "error_message",
          "time_unit", "iterations",       "real_time"};
      if (own.contains(key)) return;
      const auto counter = clean_text(key);
      if (member.is_not_finite()) {
        not_finite_.add(fmt::format("{} of {}", counter, r.name));
      } else if (key == "label" && member.is_text()) {
        labels_.add(fmt::format("\"{}\" of {}", member.text(), r.name));
      } else if (member.is_number() && !is_reserved_row_key(counter)) {
        r.counters[counter] = member.number();
      } else {
        no_counters_.add(fmt::format("{} of {}", counter, r.name));
      }
    });
  }

  void read_row(const node& value) {
    const auto full_name = value.at("name").text();
    if (full_name.empty()) throw value_error{value.at("name").pointer(), "a name is empty"};
    file_row found;
    found.statistic_name = statistic_of(value, full_name);
    auto name = full_name;
    if (const auto run_name = value.find("run_name")) {
      name = run_name->text();
    } else if (const auto suffix = "_" + found.statistic_name;
               !found.statistic_name.empty() && name.ends_with(suffix)) {
      name.resize(name.size() - suffix.size());
    }
    row& r = found.r;
    r.name = clean_text(name);
    if (!found.statistic_name.empty()) {
      const auto* const kind =
          std::find(std::begin(statistic_names), std::end(statistic_names), found.statistic_name);
      if (kind == std::end(statistic_names)) {
        other_statistics_.add(clean_text(full_name));
        return;
      }
      r.kind = static_cast<statistic>(kind - std::begin(statistic_names));
    }
    constexpr std::uint64_t most = 4'000'000'000;
    r.threads = static_cast<unsigned>(whole_or(value, "threads", 1, most));
    r.repetitions = static_cast<unsigned>(whole_or(value, "repetitions", 1, most));
    r.iterations = whole_or(value, "iterations", 0, UINT64_MAX);
    found.has_repetition = value.find("repetition_index").has_value();
    if (!r.kind) r.repetition = static_cast<unsigned>(whole_or(value, "repetition_index", 0, most));
    const double unit = read_unit(value);
    const double ns = r.kind == statistic::cv ? 1 : unit;
    r.real_time = time(value, "real_time", ns, r.name);
    r.cpu_time = time(value, "cpu_time", ns, r.name);
    read_error(value, r);
    read_counters(value, r);
    if (!r.kind) {
      if (r.real_time == 0) r.real_time.reset();
      if (r.cpu_time == 0) r.cpu_time.reset();
    }
    if (!r.real_time && !r.cpu_time && r.counters.empty() && !r.error_message) {
      skipped_.add(r.name);
      return;
    }
    rows_.push_back(std::move(found));
  }

  /// What is in the file of one name.
  struct name_rows {
    std::vector<std::size_t> repetitions;
    std::vector<std::size_t> statistics;
  };

  void place_rows() {
    std::unordered_map<std::string_view, std::size_t> index;
    std::vector<name_rows> names;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      const auto at = index.try_emplace(rows_[i].r.name, names.size()).first->second;
      if (at == names.size()) names.emplace_back();
      (rows_[i].r.kind ? names[at].statistics : names[at].repetitions).push_back(i);
    }
    std::vector<row> placed;
    placed.reserve(rows_.size());
    for (const auto& name : names) {
      place_repetitions(name.repetitions, placed);
      place_statistics(name, placed);
    }
    run_.rows = std::move(placed);
  }

  void place_repetitions(const std::vector<std::size_t>& indices, std::vector<row>& placed) {
    std::unordered_set<unsigned> taken;
    unsigned next = 0;
    for (const auto i : indices) {
      if (rows_[i].has_repetition) next = std::max(next, rows_[i].r.repetition + 1);
    }
    for (const auto i : indices) {
      auto& r = rows_[i].r;
      // Where the file does not number repetitions, those it announces are none that came twice.
      const bool announced = !rows_[i].has_repetition && next < r.repetitions;
      if (rows_[i].has_repetition ? !taken.insert(r.repetition).second : next > 0) {
        if (!announced) duplicates_.add(r.name);
        r.repetition = next;
      }
      next = std::max(next, r.repetition + 1);
    }
    const auto begin = static_cast<std::ptrdiff_t>(placed.size());
    for (const auto i : indices) placed.push_back(std::move(rows_[i].r));
    std::stable_sort(placed.begin() + begin, placed.end(),
                     [](const row& a, const row& b) { return a.repetition < b.repetition; });
    for (auto r = placed.begin() + begin; r != placed.end(); ++r) {
      r->repetitions = std::max(r->repetitions, placed.back().repetition + 1);
    }
  }

  void place_statistics(const name_rows& name, std::vector<row>& placed) {
    std::set<statistic> seen;
    for (const auto i : name.statistics) {
      auto& r = rows_[i].r;
      if (!name.repetitions.empty()) {
        statistics_.add(fmt::format("{}_{}", r.name, to_string(*r.kind)));
      } else if (!seen.insert(*r.kind).second) {
        second_statistics_.add(fmt::format("{}_{}", r.name, to_string(*r.kind)));
      } else {
        if (seen.size() == 1) only_statistics_.add(r.name);
        placed.push_back(std::move(r));
      }
    }
  }

  void remark_on_what_was_set_aside() {
    const auto remark = [&](const set_aside& what, std::string_view noun, std::string_view fate) {
      if (what.count == 0) return;
      remarks_.push_back(fmt::format("{}: {}; the first is {}", counted(what.count, noun), fate, what.first));
    };
    remark(errors_, "row", "ended in an error or without being run, counting for nothing");
    remark(duplicates_, "row", "with the name and repetition of another one, so further repetitions of it");
    remark(statistics_, "statistic", "set aside, since the repetitions themselves are in the file");
    remark(second_statistics_, "statistic", "set aside, since the same one had been there before");
    remark(only_statistics_, "name", "known only by statistics, without a single repetition");
    remark(other_statistics_, "statistic", "set aside, being neither mean, median, stddev nor cv");
    remark(not_finite_, "figure", "left out, being NaN or infinite");
    remark(labels_, "label", "not kept");
    remark(no_counters_, "value", "not kept, being no number or having the name of a row's own key");
    remark(skipped_, "row", "set aside, being without any figure");
    std::vector<std::string> units;
    for (std::size_t i = 0; i < rows_of_unit_.size(); ++i) {
      if (rows_of_unit_[i] == 0) continue;
      units.push_back(fmt::format("{} ({})", time_units[i].name, counted(rows_of_unit_[i], "row")));
    }
    if (units.size() > 1) {
      remarks_.push_back(fmt::format("times are in {}; all were converted to ns", fmt::join(units, ", ")));
    }
  }

  run_file run_;
  std::vector<std::string> remarks_;
  std::vector<file_row> rows_;
  std::unordered_map<std::string, std::string_view> old_statistics_;
  std::array<std::size_t, std::size(time_units)> rows_of_unit_{};
  set_aside errors_, duplicates_, statistics_, second_statistics_, only_statistics_, other_statistics_;
  set_aside not_finite_, labels_, no_counters_, skipped_;
};

}  // namespace

imported_run read_google_benchmark(std::string_view text, std::string_view name) {
  imported_run out;
  read_json(text, name, [&](const node& root) { out = google_benchmark_reader().read(root); });
  return out;
}

}  // namespace dbdyno::results
