#pragma once

#include <string_view>

#include "results/imports/imported_run.hpp"

namespace dbdyno::results {

bool looks_like_sysbench(std::string_view text);

/// Reads what sysbench 1.0 prints; several runs one after the other, too.
///
/// Shapes: the text names no test, so rows are named for what it measured: sysbench/cpu/threads:N, memory,
/// fileio, events (of the others), and of databases sysbench/transactions/conns:N and
/// sysbench/queries/conns:N. Latencies are of events, which are transactions. Transactions with an ignored
/// error are no events; queries of theirs that succeeded are among the queries. With --histogram the row has
/// percentiles from it. Errors: result_file_error naming the line. Source: sysbench 1.0.20, sysbench.c,
/// sb_histogram.c and the tests.
imported_run import_sysbench(std::string_view text, std::string_view name);

}  // namespace dbdyno::results
