#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace dbdyno::results {

/// The user asked dbdyno-report for something impossible. what() names it and the cure.
class report_usage_error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

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

/// Errors: report_usage_error naming the argument.
parsed_report_command parse_report_command(int argc, const char* const* argv);

}  // namespace dbdyno::results
