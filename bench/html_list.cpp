#include "bench/html_list.hpp"

#include "drivers/cell_block.hpp"

namespace dbdyno {

html_list::html_list(std::size_t columns, std::size_t bytes) : columns_(columns) {
  constexpr std::size_t longest_escape = sizeof "&quot;";
  text_.reserve(longest_escape * bytes + 64);
}

std::string_view html_list::render(std::string_view cells) {
  text_ = "<ul>\n";
  std::size_t column = 0;
  while (!cells.empty()) {
    text_ += column == 0 ? "<li>" : ", ";
    append_escaped(take_cell(cells));
    if (++column != columns_) continue;
    column = 0;
    text_ += "</li>\n";
  }
  text_ += "</ul>\n";
  return text_;
}

void html_list::append_escaped(std::string_view cell) {
  while (true) {
    const auto special = cell.find_first_of("&<>\"");
    text_ += cell.substr(0, special);
    if (special == std::string_view::npos) return;
    switch (cell[special]) {
      case '&':
        text_ += "&amp;";
        break;
      case '<':
        text_ += "&lt;";
        break;
      case '>':
        text_ += "&gt;";
        break;
      default:
        text_ += "&quot;";
    }
    cell.remove_prefix(special + 1);
  }
}

}  // namespace dbdyno
