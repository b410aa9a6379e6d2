#include "drivers/memory/driver.hpp"

#include <fmt/format.h>

namespace dbdyno {

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

std::string memory_map::version() {
  return fmt::format("libstdc++ {}", __GLIBCXX__);
}

}  // namespace dbdyno
