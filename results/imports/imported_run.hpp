#pragma once

#include <string>
#include <vector>

#include "results/run_file.hpp"

namespace dbdyno::results {

/// A result file, whoever wrote it, and what is to be said about it.
struct imported_run {
  run_file run;
  /// Sentences on what was set aside or read otherwise than it stands in the file; none where all of it was
  /// taken as it is.
  std::vector<std::string> remarks;
};

}  // namespace dbdyno::results
