#pragma once

#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "drivers/cell_block.hpp"
#include "drivers/driver.hpp"

namespace dbdyno {

/// A std::unordered_map of strings, one for each thread: a storage without wire, locks or copies.
class memory_map_sync {
 public:
  explicit memory_map_sync(const connect_options& options);
  memory_map_sync(const memory_map_sync&) = delete;
  memory_map_sync& operator=(const memory_map_sync&) = delete;

  op_status get(const key& k, std::string_view& value) noexcept;
  op_status set(const key& k, std::string_view value) noexcept;
  op_status read_rows(std::string_view& value) noexcept;
  op_status multiget(std::span<const key> keys, std::string_view& out) noexcept;
  // Nothing blocks.
  void interrupt() noexcept {}
  std::string last_error() const { return {}; }

 private:
  struct text_hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const noexcept {
      return std::hash<std::string_view>{}(text);
    }
  };
  std::unordered_map<std::string, std::string, text_hash, std::equal_to<>> values_;
  std::vector<std::string> cells_;  ///< of the rows
  cell_block block_;
};

struct memory_map {
  static constexpr std::string_view storage = "memory";
  static constexpr std::string_view name = "map";
  static constexpr bool set_creates = true;
  static constexpr bool private_storage = true;
  static std::string version();

  using sync = memory_map_sync;
};

}  // namespace dbdyno
