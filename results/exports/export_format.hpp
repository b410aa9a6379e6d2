#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace dbdyno::results {

/// What dbdyno-export writes; results/README.md says what is in each.
enum class export_format : std::uint8_t {
  hlog,
  hgrm,
  gbench,
  gbench_median,
  bmf,
  github_action_smaller,
  github_action_bigger,
  csv,
  prometheus
};

/// As --format takes it.
std::string_view to_string(export_format format) noexcept;
/// What a file of this format is called behind the result file's name: ".gbench.json".
std::string_view extension_of(export_format format) noexcept;
/// Whether it is made of the repetitions that count only, and nobody sees in it what was left out.
bool leaves_out(export_format format) noexcept;

/// All names, separated by commas.
std::string export_format_names();

/// Formats separated by commas, each once.
/// Errors: std::invalid_argument with a name that there is not.
std::vector<export_format> parse_export_formats(std::string_view text);

}  // namespace dbdyno::results
