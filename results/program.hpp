#pragma once

#include <functional>
#include <string_view>

namespace dbdyno::results {

/// Exit codes of the programs that read result files; results/README.md says which program ends with which.
inline constexpr int exit_fine = 0;
inline constexpr int exit_failed = 1;
inline constexpr int exit_usage = 2;
inline constexpr int exit_regression = 3;
inline constexpr int exit_nothing_matched = 5;

/// Runs the program and returns its exit code: what `body` returns, or else, after a line on standard error
/// with the program's name and what went wrong, exit_usage for a command line, a result file or a place to
/// write to that is of no use, and `otherwise` for anything else.
int run_program(std::string_view name, const std::function<int()>& body, int otherwise = exit_failed);

}  // namespace dbdyno::results
