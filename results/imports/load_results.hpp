#pragma once

#include <string>
#include <string_view>

#include "results/imports/imported_run.hpp"

namespace dbdyno::results {

/// Reads a file of JSON: a result file of dbdyno, or one of Google Benchmark's, see read_google_benchmark.
///
/// Shapes: a result file comes with the remarks it was imported with; its repetitions are told apart, see
/// make_repetitions_distinct.
/// Errors: result_file_error naming the file: what load and read_google_benchmark throw; for results of
/// another program that import_text reads, how to import them.
imported_run load_results(const std::string& path);

/// The same for text in memory; `name` stands for the file in errors.
imported_run parse_results(std::string_view text, std::string_view name);

}  // namespace dbdyno::results
