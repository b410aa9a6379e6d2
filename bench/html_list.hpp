#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace dbdyno {

/// Rows as a small HTML list, an item for each: what a web page would do with them.
///
/// All memory is taken at construction, unless a row is longer than those it was made for.
class html_list {
 public:
  /// columns: of a row. bytes: of all cells together.
  html_list(std::size_t columns, std::size_t bytes);

  /// Renders a cell_block; the text is valid until the next call.
  std::string_view render(std::string_view cells);

 private:
  void append_escaped(std::string_view cell);

  std::size_t columns_;
  std::string text_;
};

}  // namespace dbdyno
