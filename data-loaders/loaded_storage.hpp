#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "drivers/target.hpp"

namespace dbdyno {

/// A private storage for the loaders' tests, and what others than a loader may do to it. Nothing stays open
/// between calls: an lmdb directory must not be open twice.
class loaded_storage {
 public:
  loaded_storage() = default;
  loaded_storage(const loaded_storage&) = delete;
  loaded_storage& operator=(const loaded_storage&) = delete;
  virtual ~loaded_storage() = default;

  virtual target where() const = 0;
  /// The value under an id of the data set; "(none)" without one.
  virtual std::string get(std::uint32_t id) = 0;
  virtual void put(std::uint32_t id, std::string_view value) = 0;
  virtual void remove(std::uint32_t id) = 0;
  virtual std::string marker() = 0;
  virtual void put_marker(std::string_view text) = 0;
};

/// storage: "redis", "mysql" or "lmdb". Starts a server, or makes a directory.
std::unique_ptr<loaded_storage> make_loaded_storage(std::string_view storage);

}  // namespace dbdyno
