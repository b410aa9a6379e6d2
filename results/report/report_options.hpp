#pragma once

#include <optional>
#include <string>
#include <vector>

#include "results/command_line.hpp"

namespace dbdyno::results {

struct report_options {
  std::vector<std::string> files{};
  std::string output{};
  std::string title{};
};

struct parsed_report_command {
  report_options options{};
  /// To be printed instead of going on: the help or the version.
  std::optional<std::string> text{};
};

/// Errors: command_line_error naming the argument.
parsed_report_command parse_report_command(int argc, const char* const* argv);

}  // namespace dbdyno::results
