#include "drivers/memory/driver.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace dbdyno {

memory_map_sync::memory_map_sync(const connect_options& options)
    : block_(std::max(cell_block::usual_capacity, block_size(options.multiget_keys, options.value_size))) {
  std::string_view rest = options.rows == nullptr ? std::string_view() : *options.rows;
  while (!rest.empty()) cells_.emplace_back(take_cell(rest));
}

op_status memory_map_sync::get(const key& k, std::string_view& value) noexcept {
  const auto found = values_.find(k.text());
  if (found == values_.end()) return op_status::not_found;
  value = found->second;
  return op_status::ok;
}

op_status memory_map_sync::set(const key& k, std::string_view value) noexcept {
  if (const auto found = values_.find(k.text()); found != values_.end()) {
    found->second.assign(value);
  } else {
    values_.emplace(k.text(), value);
  }
  return op_status::ok;
}

op_status memory_map_sync::read_rows(std::string_view& value) noexcept {
  block_.clear();
  for (const std::string& cell : cells_) {
    if (!block_.append(cell)) return op_status::too_large;
  }
  value = block_.view();
  return op_status::ok;
}

op_status memory_map_sync::multiget(std::span<const key> keys, std::string_view& out) noexcept {
  block_.clear();
  for (const key& k : keys) {
    const auto found = values_.find(k.text());
    if (found != values_.end() && !block_.append(found->second)) return op_status::too_large;
  }
  out = block_.view();
  return op_status::ok;
}

std::string memory_map::version() {
  return fmt::format("libstdc++ {}", __GLIBCXX__);
}

}  // namespace dbdyno
