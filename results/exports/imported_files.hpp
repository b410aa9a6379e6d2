#pragma once

#include <string>
#include <vector>

#include "results/exports/export_options.hpp"

namespace dbdyno::results {

/// A result file to be written.
struct imported_file {
  std::string source;  ///< what it was made of, or the first of it
  std::string path;    ///< where it goes
  std::string text;
  std::vector<std::string> remarks;  ///< of the import
};

/// What dbdyno-export --import writes, once all of it could be read.
///
/// Shapes: for each file one; with `as` one for all of them, see as_one_benchmark. Where one is written,
/// `out` is the path, unless a directory is there; otherwise it is the directory for files named like their
/// source, the first one, with .dbdyno.json for what is behind the last point, by default the current one.
/// Repetitions are followed by their statistics. Errors: result_file_error if a source cannot be used,
/// command_line_error if a file would replace a source or another one.
std::vector<imported_file> imported_files(const import_options& options);

}  // namespace dbdyno::results
