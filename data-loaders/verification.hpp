#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "fixtures/data_set.hpp"

namespace dbdyno {

/// What reading a target back found, against the data set it should hold.
struct verification {
  std::uint64_t expected = 0;     ///< keys of the data set
  std::uint64_t intact = 0;       ///< byte for byte as loaded
  std::uint64_t overwritten = 0;  ///< right tag and length, but written by a set since
  std::uint64_t missing = 0;
  std::uint64_t wrong = 0;       ///< no value of the data set: another length, tag or filler
  std::uint64_t unexpected = 0;  ///< keys of ours beyond the data set
  std::string rows{};  ///< how the rows beside the data set are not what they should be; empty if they are
  std::uint64_t checksum = 0;  ///< sum of data_set::checksum over all pairs read

  bool as_loaded() const noexcept { return intact == expected && unexpected == 0 && rows.empty(); }
  /// One line: the counts that are not zero, and the cure.
  std::string to_string() const;
};

/// Compares what is read back with what was loaded, pair by pair, in any order, each id once.
class verifier {
 public:
  explicit verifier(const data_set& data) : data_(data) { result_.expected = data.keys(); }

  void found(std::uint64_t id, std::string_view value) noexcept;
  /// The id holds something without bytes to compare: NULL, or another type.
  void found_no_value(std::uint64_t id) noexcept { ++(in_range(id) ? result_.wrong : result_.unexpected); }
  void found_unexpected(std::uint64_t count = 1) noexcept { result_.unexpected += count; }

  /// Counts as missing what was not found.
  verification finish() noexcept;

 private:
  bool in_range(std::uint64_t id) const noexcept { return id >= 1 && id <= data_.keys(); }

  data_set data_;
  verification result_;
  char expected_value_[value_sizes::largest] = {};
};

}  // namespace dbdyno
