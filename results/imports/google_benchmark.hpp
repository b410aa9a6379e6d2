#pragma once

#include <string_view>

#include "results/imports/imported_run.hpp"

namespace dbdyno::results {

/// Reads Google Benchmark's JSON, of 1.5 to 1.9 and of others that look like it.
///
/// Units: times of whatever unit are converted to nanoseconds; counters stay as they are.
/// Shapes: the repetitions of a name stand together and in order. A name and repetition that come again are
/// further repetitions of it. Statistics are kept only of names that have no repetition, and only mean,
/// median, stddev and cv. A row with an error, or that the benchmark skipped, keeps its place and has an
/// error_message. NaN and infinities are absent. Whatever is set aside is in the remarks.
/// Errors: result_file_error naming the file `name`, and the place in it.
/// Source: json_reporter.cc of 1.5.0 to 1.9.5.
imported_run read_google_benchmark(std::string_view text, std::string_view name);

}  // namespace dbdyno::results
