#pragma once

#include <string_view>

#include "results/imports/imported_run.hpp"

namespace dbdyno::results {

bool looks_like_wrk(std::string_view text);
/// Whether it is wrk2's rather than wrk's. A run of wrk2 of less than 10 s without --latency looks like
/// wrk's.
bool looks_like_wrk2(std::string_view text);

/// Reads what wrk prints, with or without --latency; several runs one after the other, too.
///
/// Shapes: rows are named wrk/PATH/conns:N/threads:N. Replies with a status of 400 and above and those later
/// than --timeout, both among wrk's requests, do not count as operations; `errors` counts these and what
/// failed at the sockets.
/// Errors: result_file_error naming the line.
/// Source: wrk.c of wrk 3.1 to 4.2.
imported_run import_wrk(std::string_view text, std::string_view name);

/// The same of wrk2, also with the percentile spectrum of HdrHistogram. Its latencies count from when a
/// request was due; those of --u_latency are service_p50_ns and so on. Its timeouts are no replies and so not
/// among its requests. Source: wrk.c of wrk2 4.0.0.
imported_run import_wrk2(std::string_view text, std::string_view name);

}  // namespace dbdyno::results
