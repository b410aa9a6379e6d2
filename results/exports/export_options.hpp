#pragma once

#include <optional>
#include <string>
#include <vector>

#include "results/command_line.hpp"
#include "results/exports/export_format.hpp"

namespace dbdyno::results {

/// --import: results of other programs are made result files.
struct import_options {
  std::vector<std::string> files{};     ///< one at least
  std::optional<std::string> format{};  ///< see import_formats; absent: by the content
  std::optional<std::string> out{};     ///< see imported_files.hpp
  /// The name of the one benchmark that all files are of; absent: each file has those that it names.
  std::optional<std::string> as{};
  std::optional<name_filter> filter{};  ///< with `as`: which benchmark of the files it is
};

struct export_options {
  std::string file{};
  std::optional<name_filter> filter{};
  std::vector<export_format> formats{export_format::hlog, export_format::hgrm};  ///< one at least
  std::string directory = ".";
  bool to_stdout = false;  ///< instead of into files; of one format, which is not hgrm
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
