#include "bench/table_columns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "drivers/errors.hpp"
#include "drivers/parse_number.hpp"
#include "results/figures.hpp"
#include "results/statistics/moments.hpp"

namespace dbdyno {
namespace {

using results::as_time;
using results::whole;

std::string spread_of(const std::vector<double>& rates) {
  if (rates.size() < 2) return "-";
  const double half = (*results::maximum(rates) - *results::minimum(rates)) / 2;
  return fmt::format("{:.0f} %", 100 * half / *results::median(rates));
}

/// Of what was measured; "-" where nothing was.
template <class Figure>
auto measured(Figure figure) {
  return [figure](const cell&, const cell_summary& of) {
    return of.rates.empty() ? std::string("-") : figure(of);
  };
}

/// What a name holds beside its storage, driver, mode, transport and shape.
std::string rest_of_name(const cell& what, const cell_summary&) {
  std::string out;
  const auto add = [&out](const std::string& text) { out += (out.empty() ? "" : " ") + text; };
  if (!what.value_size.empty()) add("value_size:" + what.value_size);
  if (what.order != key_order::uniform) add(fmt::format("key_order:{}", to_string(what.order)));
  if (what.ratio) add("ratio:" + to_string(*what.ratio));
  if (what.multiget_keys != 0) add(fmt::format("keys:{}", what.multiget_keys));
  if (what.reuse != 1) add(fmt::format("reuse:{}", what.reuse));
  if (what.render && what.shows_render) add("render:on");
  if (!what.beside.empty()) add("beside:" + what.beside);
  return out;
}

std::optional<double> percentile_named(const std::string& name) {
  if (name.size() < 2 || name.front() != 'p') return std::nullopt;
  try {
    return parse_decimal("", name.substr(1), "percent", 0.001, 100);
  } catch (const usage_error&) {
    return std::nullopt;
  }
}

std::string percentile_of(const cell_summary& of, double percent) {
  // Not what the histogram's last bucket stands for: waits of minutes are all in it.
  const auto found =
      percent == 100 ? std::optional(of.latencies.max()) : of.latencies.supported_percentile(percent);
  return found ? as_time(static_cast<double>(*found)) : "-";
}

/// None where there is no column of that name.
std::optional<table_column> find_column(const std::string& name) {
  table_column out{.heading = name};
  if (name == "ops") {
    out.text = measured([](const cell_summary& of) { return whole(*results::median(of.operations)); });
  } else if (name == "ms") {
    out.text = measured([](const cell_summary& of) { return whole(1e3 * *results::median(of.windows)); });
  } else if (name == "connect") {
    out.text = measured([](const cell_summary& of) { return as_time(1e9 * *results::median(of.connects)); });
  } else if (name == "mean") {
    out.text = measured([](const cell_summary& of) { return as_time(of.latencies.mean()); });
  } else if (name == "max") {
    out.text = measured([](const cell_summary& of) { return percentile_of(of, 100); });
  } else if (name == "errors") {
    out.text = [](const cell&, const cell_summary& of) { return whole(static_cast<double>(of.errors)); };
  } else if (const auto percent = percentile_named(name)) {
    out.text = measured([percent](const cell_summary& of) { return percentile_of(of, *percent); });
  } else {
    return std::nullopt;
  }
  return out;
}

/// The median; none where a repetition has none.
std::string share_of(const std::vector<double>& parts, std::size_t repetitions) {
  if (parts.size() != repetitions) return "-";
  return fmt::format("{:.0f} %", 100 * *results::median(parts));
}

std::string verdict_of(const cell&, const cell_summary& of) {
  if (of.worst == results::verdict_level::suspect) return "suspect";
  return of.worst == results::verdict_level::invalid ? "INVALID" : "valid";
}

}  // namespace

void require_column(std::string_view where, const std::string& name) {
  if (find_column(name)) return;
  throw usage_error(fmt::format(
      "{}: there is no column '{}'; there are ops, ms, connect, mean, max, errors and percentiles like p99.9",
      where, name));
}

std::vector<table_column> make_columns(const std::vector<std::string>& chosen) {
  std::vector<table_column> out{
      {"driver", true, "",
       [](const cell& c, const cell_summary&) { return fmt::format("{}/{}", c.storage, c.driver); }},
      {"mode", true, "", [](const cell& c, const cell_summary&) { return std::string(to_string(c.mode)); }},
      {"transport", true, "",
       [](const cell& c, const cell_summary&) {
         return c.via == transport::in_process ? "-" : std::string(to_string(c.via));
       }},
      {"conns", false, "-",
       [](const cell& c, const cell_summary&) {
         return c.mode == mode::async ? std::to_string(c.connections) : "-";
       }},
      {"depth", false, "-",
       [](const cell& c, const cell_summary&) { return c.shows_depth ? std::to_string(c.depth) : "-"; }},
      {"threads", false, "1", [](const cell& c, const cell_summary&) { return std::to_string(c.threads); }},
      {"", true, " ", rest_of_name},
      {"due/s", false, "-",
       [](const cell& c, const cell_summary&) { return c.rate ? whole(*c.rate) : std::string("-"); }},
      {"ops/s", false, "", measured([](const cell_summary& of) { return whole(*of.rate()); })},
      {"+/-", false, "-", measured([](const cell_summary& of) { return spread_of(of.rates); })}};
  const std::vector<std::string> usual{"p50", "p99"};
  for (const std::string& name : chosen.empty() ? usual : chosen) out.push_back(*find_column(name));
  out.push_back({"client/op", false, "",
                 measured([](const cell_summary& of) { return as_time(results::median(of.cpu)); })});
  out.push_back({"busy", false, "", measured([](const cell_summary& of) {
                   return of.spins ? "spins" : share_of(of.busiest_core, of.rates.size());
                 })});
  // Absent in one repetition, it would be a median of others than the rates'.
  out.push_back({"server/op", false, "", measured([](const cell_summary& of) {
                   return of.server_cpu.size() == of.rates.size() ? as_time(results::median(of.server_cpu))
                                                                  : std::string("-");
                 })});
  out.push_back({"busy", false, "",
                 measured([](const cell_summary& of) { return share_of(of.server_busy, of.rates.size()); })});
  out.push_back({"verdict", true, "", verdict_of});
  return out;
}

}  // namespace dbdyno
