#pragma once

#include <string>

#include "results/histogram.hpp"
#include "results/run_file.hpp"

namespace dbdyno::results {

/// One of a cell's histograms, which it has.
/// Errors: std::runtime_error naming cell, repetition and kind if it cannot be read.
histogram histogram_of(const cell& from, const std::string& kind);

}  // namespace dbdyno::results
