#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace dbdyno::results {

/// Lines of cells of text, to be printed in columns.
struct text_grid {
  struct column {
    std::string heading{};
    bool holds_words = false;  ///< set left, figures right
  };
  struct line {
    std::vector<std::string> cells{};
    std::string colour{};  ///< escape sequence of a terminal; empty: none
  };
  std::vector<column> columns{};
  std::vector<line> lines{};

  /// Columns in which no line says anything are left out.
  std::string aligned(bool colour) const;
  std::string markdown() const;

 private:
  std::vector<std::size_t> columns_that_speak() const;
};

/// Terminal columns that UTF-8 text takes, if each character takes one.
std::size_t width_of(const std::string& text);

}  // namespace dbdyno::results
