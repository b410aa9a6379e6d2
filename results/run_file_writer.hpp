#pragma once

#include <string>

#include "results/run_file.hpp"

namespace dbdyno::results {

/// The file's text: JSON, which stock readers of Google Benchmark 1.7.1 accept unchanged.
///
/// Shapes: rows in the given order. Numbers that are not finite are left out, texts pass through clean_text,
/// numbers are written alike in every locale and read back exactly. Of an imported run, machine and plan are
/// left out, and of the context what is unknown. Errors: std::invalid_argument if a
/// counter has a name that a row's own key has.
std::string to_json(const run_file& file);

/// The same without the object dbdyno: JSON as Google Benchmark itself writes it, for readers that are strict
/// about keys. `caches` is always there, empty if unknown.
std::string to_google_benchmark_json(const run_file& file);

/// Replaces the file at `path` by to_json(file), see replace_file.
///
/// Errors: result_path_error, and what to_json throws.
void save(const std::string& path, const run_file& file);

}  // namespace dbdyno::results
