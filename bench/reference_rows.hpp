#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>

#include "bench/cell.hpp"
#include "bench/options.hpp"
#include "bench/target_set.hpp"
#include "drivers/connect_options.hpp"

namespace dbdyno {

/// Where a cell's workload reads rows from; none where it reads none.
std::optional<rows_source> rows_source_of(const cell& what);

/// What a storage must answer a request for rows, read over another connection before anything is timed.
///
/// Lifetime: targets and options outlive it.
class reference_rows {
 public:
  struct answer {
    std::string block{};      ///< a cell_block
    std::string complaint{};  ///< why the storage is not fit to be timed; empty if it is
  };

  reference_rows(const target_set& targets, const bench_options& options)
      : targets_(targets), options_(options) {}

  /// Asks the storage once. Valid as long as this object.
  const answer& of(const std::string& storage, rows_source from);

 private:
  answer ask(const std::string& storage, rows_source from) const;

  const target_set& targets_;
  const bench_options& options_;
  std::map<std::pair<std::string, rows_source>, answer> known_;
};

}  // namespace dbdyno
