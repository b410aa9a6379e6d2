#include "results/cell_group.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <deque>
#include <unordered_map>

#include "results/cell_name.hpp"

namespace dbdyno::results {

std::string_view to_string(standing of) noexcept {
  constexpr std::string_view names[] = {"unjudged", "valid", "suspect", "invalid", "failed"};
  return names[static_cast<int>(of)];
}

standing standing_of(const cell_group::repetition& of) noexcept {
  if (of.figures->error_message) return standing::failed;
  if (of.details == nullptr || !of.details->judged) return standing::unjudged;
  switch (of.details->judged->level) {
    case verdict_level::valid:
      return standing::valid;
    case verdict_level::suspect:
      return standing::suspect;
    case verdict_level::invalid:
      break;
  }
  return standing::invalid;
}

std::vector<cell_group> groups_of(const run_file& run) {
  const auto key = [](const std::string& name, unsigned index) { return fmt::format("{}\n{}", index, name); };
  // A file may have rows of one name and repetition twice; each has details of its own.
  std::unordered_map<std::string, std::deque<const cell*>> details;
  for (const cell& each : run.cells) details[key(each.name, each.repetition)].push_back(&each);

  std::vector<cell_group> groups;
  std::unordered_map<std::string, std::size_t> known;
  for (const row& each : run.rows) {
    if (each.kind) continue;
    const auto [at, is_new] = known.emplace(each.name, groups.size());
    if (is_new) groups.push_back({each.name, {}});
    auto& waiting = details[key(each.name, each.repetition)];
    groups[at->second].repetitions.push_back({&each, waiting.empty() ? nullptr : waiting.front()});
    if (!waiting.empty()) waiting.pop_front();
  }
  std::stable_sort(groups.begin(), groups.end(),
                   [](const auto& a, const auto& b) { return comes_before(a.name, b.name); });
  return groups;
}

}  // namespace dbdyno::results
