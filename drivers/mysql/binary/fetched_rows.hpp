#pragma once

#include <cstddef>
#include <memory>
#include <string_view>
#include <vector>

#include "drivers/cell_block.hpp"

struct st_mysql_stmt;

namespace dbdyno {

/// The result of a prepared SELECT of rows, every column bound to a buffer as text: libmariadb turns numbers
/// into it.
///
/// Lifetime: libmariadb holds pointers into the buffers, which stay where they are.
class mysql_fetched_rows {
 public:
  /// cell_capacity: bytes of the longest cell; block_capacity: of all rows together, as a cell_block.
  mysql_fetched_rows(std::size_t columns, std::size_t cell_capacity, std::size_t block_capacity)
      : cell_capacity_(cell_capacity),
        buffers_(std::make_unique<char[]>(columns * cell_capacity)),
        lengths_(columns),
        nulls_(columns),
        cells_(block_capacity) {}

  /// Returns false where libmariadb refuses; the statement knows why.
  bool bind(st_mysql_stmt* statement);

  /// To be called before a request.
  void clear() noexcept { cells_.clear(); }
  /// Copies the cells of the row fetched last. Returns false where there is no room for them.
  bool take_row() noexcept;
  std::string_view view() const noexcept { return cells_.view(); }

 private:
  std::size_t cell_capacity_;
  std::unique_ptr<char[]> buffers_;
  std::vector<unsigned long> lengths_;
  std::vector<char> nulls_;
  cell_block cells_;
};

}  // namespace dbdyno
