#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "results/imports/imported_run.hpp"

namespace dbdyno::results {

/// A file's results, as import_text gives them.
struct imported_source {
  std::string path;
  imported_run results;
};

/// Puts the results that several files, one at least, have of one benchmark into one run under `name`: each
/// a repetition, in order. For what a program does not tell in its files, such as connections and depth of
/// redis-benchmark, and for those that write a file for each run.
///
/// `is_meant` picks the benchmark of each file. Shapes: the context is the first file's; remarks are kept,
/// and one more says what the name stands for. Statistics alone, without a repetition, come from a single
/// file. Errors: result_file_error naming the file that has none of the meant benchmarks, more than one,
/// statistics only, or results of another program than the first.
imported_run as_one_benchmark(const std::vector<imported_source>& sources, std::string_view name,
                              const std::function<bool(const std::string& name)>& is_meant);

}  // namespace dbdyno::results
