#pragma once

#include <string>
#include <vector>

#include "results/run_file.hpp"

namespace dbdyno::results {

/// What two runs differ in, besides their figures.
struct run_difference {
  std::string text{};     ///< "pinning: none / client=1,server=0"
  bool misleads = false;  ///< figures of the two are not of one thing
};

/// What each run differs in from the first one. labels: one for each run. What a file does not tell differs
/// from nothing.
std::vector<run_difference> differences(const std::vector<run_file>& runs,
                                        const std::vector<std::string>& labels);

}  // namespace dbdyno::results
