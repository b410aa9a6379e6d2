#pragma once

#include <string_view>

#include "results/imports/imported_run.hpp"

namespace dbdyno::results {

bool looks_like_origins(std::string_view text);

/// Reads the files of results/origins, known by their first line.
///
/// Shapes: rows are named get/STORAGE/CLIENT/async/depth:REQUESTS and get/STORAGE/CLIENT/sync,
/// http/BACKEND/conns:N, EXPERIMENT/VARIANT/conns:N. Failed replies, among those of the HTTP sweep, do not
/// count as operations.
/// Errors: result_file_error naming the line.
imported_run import_origins(std::string_view text, std::string_view name);

}  // namespace dbdyno::results
