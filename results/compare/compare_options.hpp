#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "results/command_line.hpp"
#include "results/compare/metric.hpp"

namespace dbdyno::results {

enum class comparison_format : std::uint8_t { table, markdown, json, csv };

struct compare_options {
  std::vector<std::string> files{};
  std::string by{};        ///< a part of the names, within each file; empty: files are compared
  bool across = false;     ///< with `by`: parts of all files beside each other
  std::string baseline{};  ///< the label of the side that others are compared with; empty: the first
  std::vector<const metric*> metrics{};
  std::optional<name_filter> filter{};
  std::vector<std::string> earlier{};  ///< files; none with `by`
  comparison_format format = comparison_format::table;
  double margin = 0.05;
  std::optional<double> fail_above{};
  bool normalise = false;
  bool force = false;
};

struct parsed_compare_command {
  compare_options options{};
  /// To be printed instead of going on: the help or the version.
  std::optional<std::string> text{};
};

/// Errors: command_line_error naming the argument.
parsed_compare_command parse_compare_command(int argc, const char* const* argv);

}  // namespace dbdyno::results
