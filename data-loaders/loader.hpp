#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "data-loaders/verification.hpp"
#include "drivers/connect_options.hpp"
#include "drivers/target.hpp"
#include "fixtures/data_set.hpp"

namespace dbdyno {

/// Called after every thousand keys or so with how many keys of `total` the step ("loading", "verifying") has
/// done; may be empty. What it throws ends the step: that is how to interrupt one.
using loading_progress = std::function<void(std::string_view step, std::uint64_t done, std::uint64_t total)>;

/// Fills one target with a data set, reads it back and knows the marker left there.
///
/// The marker tells seed, keys and value size of what a target holds; no marker, no data of ours.
/// Errors: setup_error when the target cannot be reached, refuses something, or holds what we did not make.
/// Lifetime: an lmdb directory is open while its loader lives, and must not be opened a second time by one
/// process. Threads: one at a time.
class loader {
 public:
  loader() = default;
  loader(const loader&) = delete;
  loader& operator=(const loader&) = delete;
  virtual ~loader() = default;

  /// The data set the target's marker describes; nullopt without a marker, or when the load that made it did
  /// not finish.
  virtual std::optional<data_set> read_marker() = 0;
  /// Makes the target hold exactly `data`. Refuses keys or tables it did not make, unless `replace`.
  /// Interrupted in any way, it leaves what read_marker() takes for no marker and the next load() completes.
  virtual void load(const data_set& data, bool replace, const loading_progress& progress) = 0;
  /// The rows beside the data set, or the server's own, as a cell_block.
  /// Errors: setup_error; also for a storage that holds none.
  virtual std::string read_rows(rows_source from) = 0;
  /// How many connections the server takes; none where it does not say, or there is no server.
  virtual std::optional<std::uint64_t> connection_limit() { return std::nullopt; }
  /// Reads every key back.
  virtual verification verify(const data_set& data, const loading_progress& progress) = 0;
};

/// The loader of target.storage. HandlerSocket's reads marker and keys through HandlerSocket, but cannot
/// load: its table is filled through mysql, and its load() throws usage_error. Errors: setup_error when the
/// target cannot be reached within connect_timeout; usage_error for a storage that this build has no loader
/// for.
std::unique_ptr<loader> make_loader(const target& where, std::chrono::milliseconds connect_timeout);

}  // namespace dbdyno
