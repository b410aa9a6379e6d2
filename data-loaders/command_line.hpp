#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "drivers/target.hpp"

namespace CLI {
class App;
}

/// What the command lines of our programs have in common: targets by flag or variable, and errors that name
/// the argument.
namespace dbdyno {

/// --redis, --mysql, --lmdb and --handlersocket, each with a DBDYNO_*_URL variable that counts where the flag
/// is absent.
///
/// Lifetime: outlives the parsing of the App it was declared in.
class target_flags {
 public:
  void declare(CLI::App& app, const std::string& group);

  /// After parsing; in an order in which the targets can be loaded.
  /// Errors: usage_error naming flag or variable, what is wrong and the form expected; without secrets.
  std::vector<target> parse(const CLI::App& app) const;

 private:
  std::map<std::string_view, std::string> typed_;
};

/// Parses `arguments` (without the program's name) into what was declared in `app`.
/// Returns what to print instead of going on: the help or the version.
/// Errors: usage_error naming the argument, and the flag that was probably meant; without secrets.
std::optional<std::string> parse_arguments(CLI::App& app, std::vector<std::string> arguments);

}  // namespace dbdyno
