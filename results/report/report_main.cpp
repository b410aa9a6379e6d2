// dbdyno-report: draws result files into one page of HTML.
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "results/atomic_file.hpp"
#include "results/clean_text.hpp"
#include "results/imports/load_results.hpp"
#include "results/program.hpp"
#include "results/report/report_data.hpp"
#include "results/report/report_options.hpp"
#include "results/report/report_page.hpp"
#include "results/run_file_reader.hpp"

namespace {

using namespace dbdyno::results;

/// The whole page then stays below 1 MB.
constexpr std::size_t most_data = 850'000;

/// More file names than these make no heading.
constexpr std::size_t most_names = 4;

std::string title_of(const report_options& options) {
  if (!options.title.empty()) return options.title;
  if (options.files.size() > most_names) return fmt::format("{} result files", options.files.size());
  std::string names;
  for (const std::string& file : options.files) {
    if (!names.empty()) names += ", ";
    auto name = std::string_view(file).substr(file.find_last_of('/') + 1);
    if (name.ends_with(".json")) name.remove_suffix(5);
    names += name;
  }
  return names;
}

bool has_repetitions(const report_input& input) {
  return std::any_of(input.run.rows.begin(), input.run.rows.end(),
                     [](const row& each) { return !each.kind; });
}

/// What was set aside is said here, too, for those who never open the page's list of files.
report_input load_input(const std::string& file) {
  imported_run loaded = load_results(file);
  for (const std::string& remark : loaded.remarks)
    fmt::print(stderr, "dbdyno-report: {}: {}\n", clean_text(file), remark);
  return {file, std::move(loaded.run), std::move(loaded.remarks)};
}

int run(const report_options& options) {
  std::vector<report_input> inputs;
  for (const std::string& file : options.files) inputs.push_back(load_input(file));
  if (std::none_of(inputs.begin(), inputs.end(), has_repetitions)) {
    const report_input& first = inputs.front();
    throw command_line_error(
        fmt::format("{}: {}; measure again, or give another file", clean_text(first.file),
                    first.run.rows.empty() ? "no repetition in it to draw"
                                           : "only statistics in it, no repetition to draw"));
  }
  const std::string page = report_page(title_of(options), fitted_report_data(inputs, most_data));
  replace_file(options.output, page);
  fmt::print("{}\n", clean_text(options.output));
  return exit_fine;
}

}  // namespace

int main(int argc, char** argv) {
  return run_program("dbdyno-report", [&] {
    const auto command = parse_report_command(argc, argv);
    if (command.text) {
      fmt::print("{}", *command.text);
      return exit_fine;
    }
    return run(command.options);
  });
}
