#pragma once

#include <optional>
#include <regex>
#include <stdexcept>
#include <string>
#include <vector>

namespace dbdyno::results {

/// The user asked dbdyno-export for something impossible. what() names it and the cure.
class export_usage_error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Benchmark names that match, or with a - in front of the expression those that do not; as
/// --benchmark_filter of dbdyno-bench.
class name_filter {
 public:
  /// Errors: export_usage_error if it is not a POSIX extended regular expression.
  explicit name_filter(const std::string& text);

  bool accepts(const std::string& name) const { return std::regex_search(name, expression_) != negative_; }

 private:
  bool negative_ = false;
  std::regex expression_;
};

/// --import: results of other programs are made result files.
struct import_options {
  std::vector<std::string> files{};     ///< one at least
  std::optional<std::string> format{};  ///< see import_formats; absent: by the content
  std::optional<std::string> out{};     ///< see imported_files.hpp

  bool operator==(const import_options&) const = default;
};

struct export_options {
  std::string file{};
  std::optional<name_filter> filter{};
  bool hlog = true;
  bool hgrm = true;
  std::string directory = ".";
};

struct parsed_export_command {
  export_options options{};
  /// Present: files are imported, and none is exported.
  std::optional<import_options> import{};
  /// To be printed instead of going on: the help or the version.
  std::optional<std::string> text{};
};

/// Errors: export_usage_error naming the argument.
parsed_export_command parse_export_command(int argc, const char* const* argv);

}  // namespace dbdyno::results
