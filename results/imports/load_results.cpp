#include "results/imports/load_results.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "results/imports/distinct_repetitions.hpp"
#include "results/imports/google_benchmark.hpp"
#include "results/imports/import_text.hpp"
#include "results/imports/lenient_json.hpp"
#include "results/run_file_reader.hpp"

namespace dbdyno::results {

imported_run parse_results(std::string_view text, std::string_view name) {
  if (is_result_file(text)) {
    auto run = parse(text, name);
    auto remarks = run.imported ? run.imported->remarks : std::vector<std::string>{};
    for (std::string& remark : make_repetitions_distinct(run)) remarks.push_back(std::move(remark));
    return {.run = std::move(run), .remarks = std::move(remarks)};
  }
  if (const auto* const format = recognised_format(text);
      format != nullptr && format->name != "google-benchmark") {
    throw result_file_error(
        name, fmt::format("results of {}; dbdyno-export --import makes a result file of them", format->name));
  }
  return read_google_benchmark(text, name);
}

imported_run load_results(const std::string& path) {
  return parse_results(read_file(path), path);
}

}  // namespace dbdyno::results
