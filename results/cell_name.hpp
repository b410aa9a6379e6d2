#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace dbdyno::results {

/// A benchmark's name, taken apart: workload/storage/driver/mode[/key:value...].
///
/// Shapes: a name of another form is all workload, and the other parts are empty. Google Benchmark's suffix
/// manual_time, which every name of ours ends with, is left out.
struct cell_name {
  std::string text;  ///< the name to show
  std::string workload;
  std::string storage{}, driver{}, mode{};
  std::vector<std::pair<std::string, std::string>> parameters{};

  bool operator==(const cell_name&) const = default;
};

cell_name take_apart(std::string_view name);

/// The value of a part: "workload", "storage", "driver" (storage/driver), "mode", or a parameter. None where
/// the name has no such part.
std::optional<std::string> part_of(const cell_name& name, std::string_view part);
/// The name with `*` for that part's value: what benchmarks have in common that differ in it alone.
std::string without_part(const cell_name& name, std::string_view part);

/// Whether `a` comes before `b` when the numbers within are read as numbers: conns:8 before conns:16.
bool comes_before(std::string_view a, std::string_view b);

}  // namespace dbdyno::results
