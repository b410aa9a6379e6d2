#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "bench/key_order.hpp"
#include "bench/workload.hpp"
#include "drivers/target.hpp"

namespace dbdyno {

/// A rate of an open loop.
struct offered_rate {
  double value = 0;
  bool is_percent = false;  ///< of what the cell's closed loop reached; otherwise requests per second

  friend bool operator==(const offered_rate&, const offered_rate&) = default;
};

/// What cells are made of: the values of every dimension, and how long and how often each cell runs. Empty or
/// absent is what nobody has said.
struct sweep {
  std::vector<std::uint32_t> connections{};
  std::vector<std::uint32_t> depths{};
  std::vector<std::uint32_t> threads{};
  std::vector<transport> transports{};
  std::vector<std::uint32_t> multiget_keys{};  ///< of a request, of multiget
  std::vector<std::uint32_t> reuse{};          ///< requests of a connection, of connect
  std::vector<offered_rate> rates{};           ///< none: a closed loop
  std::optional<key_order> order{};
  std::optional<mix_ratio> ratio{};
  std::optional<std::uint64_t> requests{};  ///< of a row, exactly; wins over the lengths
  std::optional<double> duration{};         ///< seconds of a row's window
  std::optional<double> warmup{};           ///< seconds
  std::optional<unsigned> repetitions{};
};

/// What `first` says and, where that says nothing, what `second` does. A length of first's replaces second's
/// number of requests.
sweep overlay(const sweep& first, const sweep& second);

/// What a cell is made of where nobody has said anything, but for the depth, which depends on the driver.
const sweep& usual_sweep();

/// Sets what `word` names: "connections", "depth", "threads", "transport", "multiget-keys", "reuse", "rate",
/// "key-order", "ratio", "requests", "duration", "warmup" or "repetitions". Returns false, and does nothing,
/// if it is none of them. Errors: usage_error that begins with `where`, the flag or the line of a file, and
/// says what it takes.
bool set_in(sweep& out, std::string_view word, std::string_view where, std::string_view text);

}  // namespace dbdyno
