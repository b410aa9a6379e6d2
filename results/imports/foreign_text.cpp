#include "results/imports/foreign_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <unordered_map>
#include <utility>

#include "results/clean_text.hpp"

namespace dbdyno::results {
namespace {

bool is_space(char c) {
  return std::isspace(static_cast<unsigned char>(c)) != 0;
}

struct number_and_rest {
  double number;
  std::string_view rest;
};

std::optional<number_and_rest> split_number(std::string_view text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || !std::isfinite(number)) return std::nullopt;
  return number_and_rest{number, text.substr(static_cast<std::size_t>(end - text.data()))};
}

}  // namespace

std::vector<text_line> lines_of(std::string_view text) {
  std::vector<text_line> lines;
  for (std::size_t number = 1; !text.empty(); ++number) {
    const auto end = std::min(text.find('\n'), text.size());
    auto line = text.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    lines.push_back({line, number});
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

std::vector<std::vector<text_line>> runs_of(std::string_view text, bool (*begins)(std::string_view line)) {
  std::vector<std::vector<text_line>> runs;
  for (const auto& line : lines_of(text)) {
    if (begins(line.text)) runs.emplace_back();
    if (!runs.empty()) runs.back().push_back(line);
  }
  return runs;
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  for (text = trimmed(text); !text.empty(); text = trimmed(text)) {
    const auto end =
        static_cast<std::size_t>(std::find_if(text.begin(), text.end(), is_space) - text.begin());
    words.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return words;
}

std::optional<std::string_view> after(std::string_view text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return std::nullopt;
  return text.substr(prefix.size());
}

std::vector<std::string> csv_fields(std::string_view line) {
  std::vector<std::string> fields(1);
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (c == '"' && quoted && i + 1 < line.size() && line[i + 1] == '"') {
      fields.back() += line[++i];
    } else if (c == '"') {
      quoted = !quoted;
    } else if (c == ',' && !quoted) {
      fields.emplace_back();
    } else {
      fields.back() += c;
    }
  }
  return fields;
}

std::optional<double> number_in(std::string_view text) {
  const auto found = split_number(trimmed(text));
  return found && found->rest.empty() ? std::optional(found->number) : std::nullopt;
}

std::optional<std::uint64_t> count_in(std::string_view text) {
  text = trimmed(text);
  std::uint64_t count = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return count;
}

std::optional<double> leading_number(std::string_view text) {
  const auto found = split_number(trimmed(text));
  return found ? std::optional(found->number) : std::nullopt;
}

std::uint64_t as_count(std::optional<double> number) {
  // What compares false with 0 is NaN.
  return number && *number > 0 ? static_cast<std::uint64_t>(std::min(*number, 1e18)) : 0;
}

std::optional<double> duration_in(std::string_view text) {
  const auto found = split_number(trimmed(text));
  if (!found) return std::nullopt;
  constexpr std::pair<std::string_view, double> units[] = {{"ns", 1},  {"us", 1e3}, {"ms", 1e6},
                                                           {"s", 1e9}, {"m", 60e9}, {"h", 3600e9}};
  for (const auto& [unit, ns] : units) {
    if (found->rest == unit) return found->number * ns;
  }
  return std::nullopt;
}

std::string name_part(std::string_view text) {
  std::string part;
  for (const char c : clean_text(text)) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) != 0 || byte >= 0x80 || c == '_' || c == ',' || c == '%') {
      part += c;
    } else if (!part.empty() && part.back() != '-') {
      part += '-';
    }
  }
  if (part.ends_with('-')) part.pop_back();
  return part.empty() ? "unnamed" : part;
}

std::string path_part(std::string_view url) {
  if (const auto scheme = url.find("://"); scheme != std::string_view::npos) {
    url.remove_prefix(scheme + 3);
    url.remove_prefix(std::min(url.find('/'), url.size()));
  }
  url = url.substr(0, url.find_first_of("?#"));
  return url.find_first_not_of('/') == std::string_view::npos ? "root" : name_part(url);
}

void set_counter(row& r, const std::string& counter, std::optional<double> value) {
  if (value && std::isfinite(*value)) r.counters[counter] = *value;
}

bool set_latency(row& r, const std::string& counter, std::optional<double> ns) {
  if (ns && *ns == 0) return true;
  // No program tells fractions of a nanosecond; 0.109 ms times a million is a bit more than 109,000.
  set_counter(r, counter, ns ? std::optional(std::round(*ns)) : std::nullopt);
  return false;
}

void set_rate(row& r, double rate) {
  if (!std::isfinite(rate) || rate <= 0) return;
  r.counters["items_per_second"] = rate;
  r.real_time = 1e9 / rate;
}

void set_rate_of_good(row& r, double rate, std::uint64_t completed, std::uint64_t failed,
                      std::string_view what, std::vector<std::string>& remarks) {
  failed = std::min(failed, completed);
  const auto good = completed - failed;
  r.iterations = good;
  if (failed == 0) return set_rate(r, rate);
  if (good == 0) {
    r.error_message = fmt::format("all {} requests failed: {}", completed, what);
    remarks.push_back(fmt::format("{}: {}", r.name, *r.error_message));
    return;
  }
  const double good_rate = rate * static_cast<double>(good) / static_cast<double>(completed);
  set_rate(r, good_rate);
  remarks.push_back(
      fmt::format("{}: {} of {} requests failed ({}) and are not counted, so {:.2f}/s where the "
                  "file says {:.2f}/s; the latencies cover them, too",
                  r.name, failed, completed, what, good_rate, rate));
}

void number_repetitions(std::vector<row>& rows) {
  std::unordered_map<std::string, unsigned> seen;
  std::unordered_map<std::string, std::size_t> order;
  for (auto& r : rows) {
    order.try_emplace(r.name, order.size());
    r.repetition = seen[r.name]++;
  }
  for (auto& r : rows) r.repetitions = seen[r.name];
  std::stable_sort(rows.begin(), rows.end(),
                   [&](const row& a, const row& b) { return order[a.name] < order[b.name]; });
}

imported_run finished(run_file run, std::string_view format, std::vector<std::string> remarks) {
  for (auto& remark : remarks) remark = clean_text(remark);
  for (auto& r : run.rows) {
    if (r.error_message) r.error_message = clean_text(*r.error_message);
  }
  run.imported = import_info{.format = std::string(format), .remarks = remarks};
  return {.run = std::move(run), .remarks = std::move(remarks)};
}

std::string counted(std::size_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

}  // namespace dbdyno::results
