#pragma once

#include <string>
#include <vector>

#include "results/exports/export_options.hpp"
#include "results/exports/exported_file.hpp"
#include "results/run_file.hpp"

namespace dbdyno::results {

struct exported {
  std::vector<exported_file> files{};
  /// Sentences on what was left out of the files, for formats in which nobody sees it.
  std::vector<std::string> remarks{};
};

/// What dbdyno-export writes for a run: of each format a file named like the result file; of hgrm one for
/// each benchmark and kind of histogram, named after them.
///
/// Shapes: one file of each format at least. Names are plain file names, all different.
/// Errors: result_file_error naming the histogram that cannot be read, or a format that there is nothing for
/// in the file.
exported exported_files(const run_file& run, const export_options& options);

}  // namespace dbdyno::results
