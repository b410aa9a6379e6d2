#pragma once

#include <optional>
#include <regex>
#include <stdexcept>
#include <string>
#include <vector>

namespace CLI {
class App;
}

/// What the command lines of the programs that read result files have in common.
namespace dbdyno::results {

/// What is wrong with a command line, and what to do about it.
struct command_line_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Parses `arguments` (without the program's name) into what was declared in `app`; positional arguments are
/// to be declared, too.
/// Returns what to print instead of going on: the help or the version.
/// Errors: command_line_error naming the argument.
std::optional<std::string> parse_command_line(CLI::App& app, std::vector<std::string> arguments);

/// Which benchmarks are meant: as --benchmark_filter has it, a POSIX extended regular expression that matches
/// anywhere in the name; with a - in front the others are.
class name_filter {
 public:
  /// Errors: command_line_error.
  explicit name_filter(const std::string& text);
  bool accepts(const std::string& name) const { return std::regex_search(name, expression_) != negative_; }

 private:
  bool negative_;
  std::regex expression_;
};

}  // namespace dbdyno::results
