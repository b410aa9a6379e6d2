#pragma once

#include <string>

namespace dbdyno::results {

/// A file to be written.
struct exported_file {
  std::string name{};  ///< without a directory
  std::string text{};
};

}  // namespace dbdyno::results
