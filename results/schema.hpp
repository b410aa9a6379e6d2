#pragma once

#include <algorithm>
#include <iterator>
#include <string_view>

#include "results/run_file.hpp"

/// The words of the file that writer and reader share.
namespace dbdyno::results {

inline constexpr int schema_version = 1;

inline constexpr std::string_view statistic_names[] = {"mean", "median", "stddev", "cv"};

constexpr std::string_view to_string(statistic kind) noexcept {
  return statistic_names[static_cast<int>(kind)];
}

inline constexpr std::string_view verdict_level_names[] = {"valid", "suspect", "invalid"};

constexpr std::string_view to_string(verdict_level level) noexcept {
  return verdict_level_names[static_cast<int>(level)];
}

inline constexpr std::string_view histogram_encoding = "HdrHistogram V2 deflate base64";

/// Whether a row's key has a meaning of its own to some reader, so that no counter may have this name.
constexpr bool is_reserved_row_key(std::string_view name) noexcept {
  constexpr std::string_view keys[] = {"name",
                                       "family_index",
                                       "per_family_instance_index",
                                       "run_name",
                                       "run_type",
                                       "repetitions",
                                       "repetition_index",
                                       "threads",
                                       "aggregate_name",
                                       "aggregate_unit",
                                       "error_occurred",
                                       "error_message",
                                       "iterations",
                                       "real_time",
                                       "cpu_time",
                                       "time_unit",
                                       "label",
                                       "size"};
  return std::find(std::begin(keys), std::end(keys), name) != std::end(keys);
}

}  // namespace dbdyno::results
