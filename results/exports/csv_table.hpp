#pragma once

#include <string>

#include "results/run_file.hpp"

namespace dbdyno::results {

/// A table with one line a repetition, failed and invalid ones included, in the file's order, statistics left
/// out.
///
/// Shapes: a header with the same columns for every run, README.md in results/ lists them, and behind them
/// counters that dbdyno-bench does not write, in alphabetical order. A field that is absent is empty; numbers
/// have a point in every locale and read back exactly. Lines end with CR LF.
/// Source: RFC 4180.
std::string csv_table(const run_file& run);

}  // namespace dbdyno::results
