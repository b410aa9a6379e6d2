#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "bench/sweep.hpp"

namespace dbdyno {

/// Cells of a plan that have their sweep in common.
struct plan_group {
  std::string where{};   ///< "quick.plan:5", for complaints
  std::string filter{};  ///< an extended regular expression, as --benchmark_filter takes it
  sweep what{};
  double row_seconds = 0;  ///< about how long a row of a given number of requests takes; 0: not said
};

/// A named measurement, as the files in bench/plans describe it.
///
/// A line is a word and its value; # begins a comment. `cells REGEX` begins a group, and what follows belongs
/// to it; what stands before the first group holds for all of them. Words:
/// - about: what the plan measures, for people; `show`: columns of its table in the place of p50 and p99;
/// `pin`:
///   as --pin. These three are the whole plan's;
/// - those of set_in(), with the values that the flags of the same names take;
/// - row-seconds: about how long a row of `requests` takes, so that a list can tell.
/// "VALUE full OTHER" means OTHER where the full length is asked for.
struct plan_file {
  std::string about{};
  std::vector<std::string> columns{};
  std::string pin = "none";
  std::vector<plan_group> groups{};
};

/// name: what errors call the file. full: whether the full length is asked for.
/// Errors: usage_error "NAME:LINE: ...".
plan_file parse_plan(std::string_view name, std::string_view text, bool full);

/// A plan that is part of the program.
struct built_in_plan {
  std::string_view name;
  std::string_view text;
};
/// In the order of their names. Generated.
std::vector<built_in_plan> built_in_plans();

/// name: of a plan that is part of the program, or a file's path, which holds a slash or ends in ".plan".
/// Errors: usage_error for a name that is none, a file that cannot be read, or what parse_plan() says.
plan_file find_plan(const std::string& name, bool full);

}  // namespace dbdyno
