#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "bench/key_order.hpp"
#include "fixtures/data_set.hpp"

namespace dbdyno {

/// So many gets to so many sets; not both 0.
struct mix_ratio {
  std::uint32_t gets = 9;
  std::uint32_t sets = 1;

  friend bool operator==(const mix_ratio&, const mix_ratio&) = default;
};

/// "9:1", or "9" for 9:1.
/// Errors: usage_error that names `flag` and what it takes.
mix_ratio parse_ratio(std::string_view flag, std::string_view text);
/// As a name spells it: "9" for 9:1, otherwise "3-2".
std::string to_string(const mix_ratio& ratio);

/// What a workload is made from.
///
/// A workload is a class, one file each, with
/// - name, and writes: whether it sends sets at all;
/// - run(sync_driver&, key) and wrote(), whether the latest request was a set;
/// - tag_of(key), what its checker is given when the reply to the request that submit() sends next comes in,
///   and is_write(tag), whether that was a set;
/// - submit(in_flight_driver&, slot, key);
/// - rows_from, where it reads rows: from where;
/// - check(), a small copyable object that says what a reply comes to.
struct workload_settings {
  data_set data{};
  std::uint32_t writer = 0;  ///< tells apart what threads and runs write
  mix_ratio ratio{};
  std::uint32_t multiget_keys = 10;
  key_order order = key_order::uniform;  ///< of workloads that draw keys of their own
  std::uint64_t seed = 1;
  unsigned thread = 0;
  const std::string* rows = nullptr;  ///< the reference answer, of workloads that read rows
  bool render = false;                ///< the rows, into HTML
};

}  // namespace dbdyno
