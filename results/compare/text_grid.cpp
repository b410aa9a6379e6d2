#include "results/compare/text_grid.hpp"

#include <algorithm>

#include "results/clean_text.hpp"

namespace dbdyno::results {
namespace {

constexpr const char* plain = "\x1b[0m";

std::string padded(const std::string& text, std::size_t width, bool left) {
  const std::string space(width - std::min(width, width_of(text)), ' ');
  return left ? text + space : space + text;
}

/// A cell of a markdown table ends at a bar.
std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '|' || c == '*' || c == '_' || c == '\\' || c == '<' || c == '`') out += '\\';
    out += c;
  }
  return out;
}

}  // namespace

std::size_t width_of(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(
      text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

std::vector<std::size_t> text_grid::columns_that_speak() const {
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (std::any_of(lines.begin(), lines.end(), [i](const line& one) { return !one.cells[i].empty(); }))
      out.push_back(i);
  }
  return out;
}

std::string text_grid::aligned(bool colour) const {
  const std::vector<std::size_t> speaking = columns_that_speak();
  std::vector<std::size_t> widths(columns.size());
  for (const std::size_t i : speaking) {
    widths[i] = width_of(columns[i].heading);
    for (const line& one : lines) widths[i] = std::max(widths[i], width_of(clean_text(one.cells[i])));
  }
  std::string out;
  const auto append = [&](const auto& text_of, const std::string& tint) {
    std::string text;
    for (const std::size_t i : speaking) {
      if (i != speaking.front()) text += "  ";
      text += padded(text_of(i), widths[i], columns[i].holds_words);
    }
    text.erase(text.find_last_not_of(' ') + 1);
    out += colour && !tint.empty() ? tint + text + plain + '\n' : text + '\n';
  };
  append([this](std::size_t i) { return columns[i].heading; }, "");
  for (const line& one : lines)
    append([&one](std::size_t i) { return clean_text(one.cells[i]); }, one.colour);
  return out;
}

std::string text_grid::markdown() const {
  const std::vector<std::size_t> speaking = columns_that_speak();
  std::string heading = "|";
  std::string ruler = "|";
  for (const std::size_t i : speaking) {
    heading += " " + escaped(columns[i].heading) + " |";
    ruler += columns[i].holds_words ? " --- |" : " ---: |";
  }
  std::string out = heading + "\n" + ruler + "\n";
  for (const line& one : lines) {
    out += "|";
    for (const std::size_t i : speaking) out += " " + escaped(clean_text(one.cells[i])) + " |";
    out += "\n";
  }
  return out;
}

}  // namespace dbdyno::results
