#include "bench/findings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "results/figures.hpp"
#include "results/statistics/moments.hpp"

namespace dbdyno {
namespace {

using results::as_time;
using results::whole;

/// A cell that was measured and may be believed.
struct point {
  const cell* what;
  const cell_summary* figures;

  double rate() const { return *figures->rate(); }
};

std::vector<point> usable_points(const run_plan& plan, const std::vector<cell_summary>& summaries) {
  std::vector<point> out;
  for (std::size_t c = 0; c < summaries.size(); ++c) {
    if (summaries[c].rates.empty() || summaries[c].worst == results::verdict_level::invalid) continue;
    out.push_back({&plan.cells[c].what, &summaries[c]});
  }
  return out;
}

std::string driver_of(const cell& what) {
  return what.storage + "/" + what.driver;
}

/// The control, the storage that is none, and the echo are no contenders.
bool is_contender(const cell& what) {
  return what.storage != "null" && what.storage != "memory" && what.storage != "echo";
}

/// The best points of all drivers in one discipline, the fastest first.
std::vector<point> rank(std::vector<point> of) {
  std::stable_sort(of.begin(), of.end(), [](const point& a, const point& b) { return a.rate() > b.rate(); });
  std::vector<point> out;
  for (const point& one : of) {
    const bool known = std::any_of(out.begin(), out.end(), [&](const point& better) {
      return driver_of(*better.what) == driver_of(*one.what);
    });
    if (!known) out.push_back(one);
  }
  return out;
}

std::string discipline_of(const cell& what) {
  std::string out = fmt::format("{}, {}", what.workload, to_string(what.mode));
  if (what.requests) out += fmt::format(", {} requests", whole(static_cast<double>(*what.requests)));
  if (what.via != transport::in_process) out += fmt::format(" over {}", to_string(what.via));
  if (!what.value_size.empty()) out += ", values of " + what.value_size;
  if (what.order != key_order::uniform) out += fmt::format(", {} keys", to_string(what.order));
  if (what.ratio) out += ", ratio " + to_string(*what.ratio);
  if (what.render && what.shows_render) out += ", rendered";
  if (what.multiget_keys != 0) out += fmt::format(", {} keys a request", what.multiget_keys);
  if (what.reuse != 1) out += fmt::format(", {} requests a connection", what.reuse);
  return out;
}

/// Things that have a name in common, in the order of their first appearance.
template <class Thing>
using named_groups = std::vector<std::pair<std::string, std::vector<Thing>>>;

template <class Thing>
void add_to(named_groups<Thing>& groups, const std::string& name, const Thing& one) {
  const auto found =
      std::find_if(groups.begin(), groups.end(), [&](const auto& entry) { return entry.first == name; });
  if (found != groups.end()) {
    found->second.push_back(one);
  } else {
    groups.push_back({name, {one}});
  }
}

using rankings = named_groups<point>;

rankings rank_all(const std::vector<point>& points) {
  rankings out;
  for (const point& one : points) {
    if (!is_contender(*one.what) || one.what->is_open_loop()) continue;
    add_to(out, discipline_of(*one.what), one);
  }
  for (auto& [name, contenders] : out) contenders = rank(std::move(contenders));
  return out;
}

/// By a tenth, and with every repetition ahead of every one of the other's.
bool is_ahead(const point& a, const point& b) {
  constexpr double margin = 1.1;
  return a.rate() > margin * b.rate() &&
         *results::minimum(a.figures->rates) > *results::maximum(b.figures->rates);
}

/// " at conns:50 depth:16", of what the ranked ones differ in.
std::string shape_of(const cell& what, const std::vector<point>& ranked) {
  std::string out;
  const auto add = [&](const char* name, std::uint32_t cell::*value) {
    const auto is_like_this = [&](const point& other) { return other.what->*value == what.*value; };
    if (!std::all_of(ranked.begin(), ranked.end(), is_like_this))
      out += fmt::format("{} {}:{}", out.empty() ? " at" : "", name, what.*value);
  };
  add("conns", &cell::connections);
  add("depth", &cell::depth);
  add("threads", &cell::threads);
  return out;
}

std::string tell_ranking(const std::string& discipline, const std::vector<point>& ranked) {
  if (ranked.size() < 2) return "";
  const point& best = ranked.front();
  const bool ahead_of_all = std::all_of(ranked.begin() + 1, ranked.end(),
                                        [&](const point& other) { return is_ahead(best, other); });
  std::string out = fmt::format(
      "{}: {}{} {}, with {}/s", discipline, driver_of(*best.what), shape_of(*best.what, ranked),
      ahead_of_all ? "was fastest in every repetition" : "has the highest median", whole(best.rate()));
  for (std::size_t i = 1; i < ranked.size(); ++i)
    out += fmt::format("{}{}{} {:.2f}{}", i == 1 ? "; of that, " : ", ", driver_of(*ranked[i].what),
                       shape_of(*ranked[i].what, ranked), ranked[i].rate() / best.rate(),
                       is_ahead(best, ranked[i]) ? "" : " (too close to tell)");
  return out + ".\n";
}

std::optional<std::size_t> place_of(const std::vector<point>& ranked, const std::string& driver) {
  for (std::size_t i = 0; i < ranked.size(); ++i) {
    if (driver_of(*ranked[i].what) == driver) return i;
  }
  return std::nullopt;
}

/// Two drivers of one storage, of which one is ahead in one discipline and the other in another.
std::string tell_flips(const rankings& all) {
  std::map<std::string, std::string> told;
  for (const auto& [here, ahead] : all) {
    for (std::size_t a = 0; a < ahead.size(); ++a) {
      for (std::size_t b = a + 1; b < ahead.size(); ++b) {
        if (ahead[a].what->storage != ahead[b].what->storage) continue;
        const std::string winner = driver_of(*ahead[a].what);
        const std::string loser = driver_of(*ahead[b].what);
        for (const auto& [there, behind] : all) {
          const auto first = place_of(behind, winner);
          const auto second = place_of(behind, loser);
          if (!first || !second) continue;
          if (!is_ahead(ahead[a], ahead[b]) || !is_ahead(behind[*second], behind[*first])) continue;
          const std::string pair = std::min(winner, loser) + std::max(winner, loser);
          told.try_emplace(pair, fmt::format("{} is ahead of {} in {}, and behind it in {}.\n", winner, loser,
                                             here, there));
        }
      }
    }
  }
  std::string out;
  for (const auto& [pair, text] : told) out += text;
  return out;
}

/// A dimension that a series of cells differs in.
struct dimension {
  const char* name;
  void (*erase)(cell&);
  double (*value)(const cell&);
};

constexpr dimension dimensions[] = {
    {"conns", [](cell& c) { c.connections = 1; }, [](const cell& c) { return double{1} * c.connections; }},
    {"depth",
     [](cell& c) {
       c.depth = 1;
       c.shows_depth = false;
       // All at once, there are as many requests as may be outstanding.
       if (c.requests) c.requests = 1;
     },
     [](const cell& c) { return double{1} * c.depth; }},
    {"threads",
     [](cell& c) {
       c.threads = 1;
       if (c.mode != mode::async) c.connections = 1;
     },
     [](const cell& c) { return double{1} * c.threads; }}};

std::string tell_series(const dimension& along, const std::string& name, std::vector<point> series) {
  std::stable_sort(series.begin(), series.end(), [&](const point& a, const point& b) {
    return along.value(*a.what) < along.value(*b.what);
  });
  const auto best = std::max_element(series.begin(), series.end(),
                                     [](const point& a, const point& b) { return a.rate() < b.rate(); });
  const point& last = series.back();
  std::string out = fmt::format("{}: most at {}:{:.0f} with {}/s", name, along.name, along.value(*best->what),
                                whole(best->rate()));
  if (&*best == &last) return out + ", the end of the sweep.\n";
  out += fmt::format("; at {}:{:.0f} {:.2f} of that", along.name, along.value(*last.what),
                     last.rate() / best->rate());
  const auto early = best->figures->latencies.supported_percentile(99);
  const auto late = last.figures->latencies.supported_percentile(99);
  if (early && late) {
    out += fmt::format(", p99 {} instead of {}", as_time(static_cast<double>(*late)),
                       as_time(static_cast<double>(*early)));
  }
  return out + ".\n";
}

/// A cell's id less the dimension: of all that it differs in from others of its series.
std::string without(const cell& what, const dimension& along) {
  std::string out = what.id();
  const auto strip = [&out](const std::string& parameter) {
    if (const auto at = out.find(parameter); at != std::string::npos) out.erase(at, parameter.size());
  };
  strip(fmt::format("/{}:{:.0f}", along.name, along.value(what)));
  cell rest = what;
  along.erase(rest);
  if (rest.requests != what.requests) strip(fmt::format("/requests:{}", *what.requests));
  return out;
}

/// Nothing where there are more series than anybody would read about.
std::string tell_sweeps(const std::vector<point>& points) {
  constexpr int most = 16;
  int told = 0;
  std::string out;
  for (const dimension& along : dimensions) {
    named_groups<point> series;
    for (const point& one : points) {
      if (one.what->is_open_loop()) continue;
      cell rest = *one.what;
      along.erase(rest);
      // Its place is told apart by what is left, its name is that of one cell less the dimension.
      add_to(series, rest.id(), one);
    }
    for (auto& [id, cells] : series) {
      if (cells.size() < 2) continue;
      const std::string name = without(*cells.front().what, along);
      out += tell_series(along, name, std::move(cells));
      if (++told > most) return "";
    }
  }
  return out;
}

/// Of cells with rates: the highest one kept, and what it does to the tail.
std::string tell_rates(const run_plan& plan, const std::vector<cell_summary>& summaries) {
  named_groups<std::size_t> series;
  for (std::size_t c = 0; c < summaries.size(); ++c) {
    cell rest = plan.cells[c].what;
    if (!rest.rate || summaries[c].empty()) continue;
    rest.rate.reset();
    rest.rate_percent.reset();
    add_to(series, rest.id(), c);
  }
  std::string out;
  for (auto& [id, cells] : series) {
    if (cells.size() < 2) continue;
    std::stable_sort(cells.begin(), cells.end(), [&](std::size_t a, std::size_t b) {
      return *plan.cells[a].what.rate < *plan.cells[b].what.rate;
    });
    std::optional<std::size_t> kept;
    std::optional<std::size_t> missed;
    for (const std::size_t c : cells) {
      const bool ok = summaries[c].worst != results::verdict_level::invalid;
      if (ok && !missed) kept = c;
      if (!ok && !missed) missed = c;
    }
    const auto tail = [&](std::size_t c) {
      const auto found = summaries[c].latencies.supported_percentile(99);
      return found ? as_time(static_cast<double>(*found)) : std::string("unknown");
    };
    out += id + ": ";
    if (!kept) {
      out += fmt::format("keeps none of the rates, the lowest of which is {}/s",
                         whole(*plan.cells[cells.front()].what.rate));
    } else {
      out += fmt::format("keeps {}/s with p99 {}, against {} at {}/s", whole(*plan.cells[*kept].what.rate),
                         tail(*kept), tail(cells.front()), whole(*plan.cells[cells.front()].what.rate));
    }
    if (missed) {
      const cell_summary& figures = summaries[*missed];
      const std::string rate = whole(*plan.cells[*missed].what.rate);
      // What else is wrong with a row says nothing about its rate.
      out += figures.missed_rate
                 ? fmt::format("; {}/s is too much", rate)
                 : fmt::format("; {}/s is invalid: {}", rate, fmt::join(figures.reasons, "; "));
    }
    out += ".\n";
  }
  return out;
}

std::string tell_limits(const std::vector<point>& points, std::size_t invalid, std::size_t all) {
  constexpr double full = 0.9;
  std::size_t wire = 0;
  std::size_t client = 0;
  for (const point& one : points) {
    if (one.what->via == transport::in_process || one.figures->spins) continue;
    ++wire;
    if (*results::median(one.figures->busiest_core) > full) ++client;
  }
  std::string out;
  if (client != 0)
    out += fmt::format("A client thread was over 90 % busy in {} of the {} cells that cross a wire.\n",
                       client, wire);
  if (invalid != 0) out += fmt::format("{} of {} cells are invalid and left out here.\n", invalid, all);
  return out;
}

}  // namespace

std::string describe_findings(const run_plan& plan, const std::vector<cell_summary>& summaries) {
  const std::vector<point> points = usable_points(plan, summaries);
  const rankings all = rank_all(points);
  std::string out;
  for (const auto& [discipline, ranked] : all) out += tell_ranking(discipline, ranked);
  out += tell_flips(all);
  out += tell_sweeps(points);
  out += tell_rates(plan, summaries);
  std::size_t invalid = 0;
  std::size_t measured = 0;
  for (const cell_summary& one : summaries) {
    if (one.empty()) continue;
    ++measured;
    if (one.worst == results::verdict_level::invalid) ++invalid;
  }
  if (out.empty()) return "";
  return "\nFound:\n" + out + tell_limits(points, invalid, measured);
}

}  // namespace dbdyno
