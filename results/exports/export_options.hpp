#pragma once

#include <optional>
#include <string>
#include <vector>

#include "results/command_line.hpp"

namespace dbdyno::results {

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

/// Errors: command_line_error naming the argument.
parsed_export_command parse_export_command(int argc, const char* const* argv);

}  // namespace dbdyno::results
