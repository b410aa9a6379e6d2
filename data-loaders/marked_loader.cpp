#include "data-loaders/marked_loader.hpp"

#include <fmt/format.h>

#include "data-loaders/marker.hpp"
#include "drivers/errors.hpp"

namespace dbdyno {
namespace {

constexpr std::string_view cure = "dbdyno-load --replace takes its place";

}  // namespace

std::optional<data_set> interpret_marker(std::string_view loader_name, const target& where,
                                         const std::optional<std::string>& text) {
  if (!text) return std::nullopt;
  try {
    return marker::parse(*text);
  } catch (const usage_error& error) {
    throw setup_error(loader_name, "read the marker of", where.masked(),
                      fmt::format("{}; {}", error.what(), cure));
  }
}

std::optional<data_set> marked_loader::read_marker() {
  return interpret_marker(name_, where_, fetch_marker());
}

void marked_loader::load(const data_set& data, bool replace, const loading_progress& progress) {
  const std::optional<std::string> before = fetch_marker();
  bool ours = before.has_value();
  try {
    interpret_marker(name_, where_, before);
  } catch (const setup_error&) {
    if (!replace) throw;
    ours = false;
  }
  const std::string strangers = find_strangers(ours);
  if (!strangers.empty() && !replace) {
    fail("load", fmt::format("it holds {}, which dbdyno-load did not make; {}", strangers, cure));
  }
  prepare(!strangers.empty());
  store_marker(marker::loading);
  report(progress, "loading", 0, data.keys());
  write(data, progress);
  write_rows();
  store_marker(marker::format(data));
}

void marked_loader::fail(std::string_view step, std::string_view reason) const {
  throw setup_error(name_, step, where_.masked(), reason);
}

}  // namespace dbdyno
