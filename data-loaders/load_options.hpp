#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "drivers/target.hpp"
#include "fixtures/data_set.hpp"

namespace dbdyno {

/// What the command line and the DBDYNO_*_URL variables ask of dbdyno-load.
struct load_options {
  /// In the order of loading; HandlerSocket's table is filled before it is read.
  std::vector<target> targets{};
  data_set data{};
  /// --verify checks what the marker says, so it asks for no flags; those given must agree with it.
  bool verify_only = false;
  std::optional<std::uint64_t> required_keys{}, required_seed{};
  std::optional<value_sizes> required_value_sizes{};
  bool replace = false;
  bool quiet = false;
  std::chrono::milliseconds connect_timeout{3000};

  /// Whether `held` is as those flags say which were given.
  bool accepts(const data_set& held) const noexcept;
};

/// What to do after reading a command line: load, or only print `text` on stdout and exit with 0.
struct parsed_load_command {
  load_options options{};
  std::optional<std::string> text{};
};

/// Errors: usage_error naming the flag or variable, what is wrong and what it takes; without secrets.
parsed_load_command parse_load_command(int argc, const char* const* argv);

}  // namespace dbdyno
