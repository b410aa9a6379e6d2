#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "results/imports/imported_run.hpp"

namespace dbdyno::results {

/// Results of a program that can be read.
struct import_format {
  std::string_view name;      ///< the program's
  std::string_view contents;  ///< what of it, in words
  bool (*recognises)(std::string_view text);
  imported_run (*read)(std::string_view text, std::string_view name);
};

/// All formats, the more particular before those that they could be taken for.
const std::vector<import_format>& import_formats();

/// Their names, separated by commas.
std::string import_format_names();

/// The format of this name; nullptr if there is none.
const import_format* find_import_format(std::string_view name);

/// The format that the text looks to be of; nullptr if there is none.
const import_format* recognised_format(std::string_view text);

/// Whether the text looks to be a result file of dbdyno, damaged or not.
bool is_result_file(std::string_view text);

/// Reads results of other programs, by their content or, if given, the format of this name.
///
/// Shapes: one row for each test, the name as the programs' reader says. Rates are of requests that
/// succeeded, times in ns. What the program does not tell is absent.
/// Errors: result_file_error naming the file `name`, and the place where something is wrong; if it is of no
/// known format, with all that are. std::invalid_argument if no format has the name.
imported_run import_text(std::string_view text, std::string_view name,
                         std::optional<std::string_view> format = std::nullopt);

}  // namespace dbdyno::results
