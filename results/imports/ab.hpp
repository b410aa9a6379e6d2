#pragma once

#include <string_view>

#include "results/imports/imported_run.hpp"

namespace dbdyno::results {

bool looks_like_ab(std::string_view text);

/// Reads what ab (ApacheBench) prints; several runs one after the other, too.
///
/// Shapes: rows are named ab/PATH/conns:N, with keep-alive behind if connections were kept. ab counts what it
/// calls failed among its requests; only the others count here. Replies that are not 2xx and those of another
/// length than the first are taken for the same replies as far as they can be; otherwise each counts. ab
/// shows whole milliseconds, so that what took less than half of one has no latency. Errors:
/// result_file_error naming the line. Source: ab.c of Apache 2.4.
imported_run import_ab(std::string_view text, std::string_view name);

}  // namespace dbdyno::results
