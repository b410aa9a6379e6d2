#include "results/exports/export_format.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <stdexcept>

namespace dbdyno::results {
namespace {

struct described {
  export_format format;
  std::string_view name;
  std::string_view extension;
  bool leaves_out;
};

using enum export_format;

/// In the order of the enumeration.
constexpr std::array all{
    described{hlog, "hlog", ".hlog", false},
    described{hgrm, "hgrm", ".hgrm", false},
    described{gbench, "gbench", ".gbench.json", true},
    described{gbench_median, "gbench-median", ".gbench-median.json", true},
    described{bmf, "bmf", ".bmf.json", true},
    described{github_action_smaller, "github-action-smaller", ".github-action-smaller.json", true},
    described{github_action_bigger, "github-action-bigger", ".github-action-bigger.json", true},
    described{csv, "csv", ".csv", false},
    described{prometheus, "prometheus", ".prom", false},
};

const described& of(export_format format) noexcept {
  return all[static_cast<std::size_t>(format)];
}

}  // namespace

std::string_view to_string(export_format format) noexcept {
  return of(format).name;
}

std::string_view extension_of(export_format format) noexcept {
  return of(format).extension;
}

bool leaves_out(export_format format) noexcept {
  return of(format).leaves_out;
}

std::string export_format_names() {
  std::string out;
  for (const described& each : all) out.append(out.empty() ? "" : ", ").append(each.name);
  return out;
}

std::vector<export_format> parse_export_formats(std::string_view text) {
  std::vector<export_format> out;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::string_view name = text.substr(begin, end - begin);
    const auto found =
        std::find_if(all.begin(), all.end(), [&](const described& each) { return each.name == name; });
    if (found == all.end()) throw std::invalid_argument(std::string(name));
    if (std::find(out.begin(), out.end(), found->format) == out.end()) out.push_back(found->format);
    begin = end + 1;
  }
  return out;
}

}  // namespace dbdyno::results
