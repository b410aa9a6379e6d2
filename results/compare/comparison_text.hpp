#pragma once

#include <string>

#include "results/compare/comparison.hpp"

namespace dbdyno::results {

/// For people, in aligned columns. colour: with a terminal's escape sequences.
std::string to_table(const comparison& all, bool colour);
/// GitHub's dialect.
std::string to_markdown(const comparison& all);
/// One line for each side of each cell and metric, with a heading. Source: RFC 4180, but for the line ends.
std::string to_csv(const comparison& all);
/// What CSV has no place for, in lines of text: what runs differ in, remarks, and what one side only has.
std::string beside_csv(const comparison& all);
/// The same and all else, as one object.
std::string to_json(const comparison& all);

}  // namespace dbdyno::results
