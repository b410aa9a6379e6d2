#include "results/exports/export_options.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <utility>
#include <vector>

#include "results/clean_text.hpp"
#include "results/imports/import_text.hpp"

namespace dbdyno::results {
namespace {

struct typed_arguments {
  std::vector<std::string> files{};
  std::string filter{}, format{}, from{}, out{};
  bool import = false;
};

void declare(CLI::App& app, typed_arguments& typed) {
  app.add_option("FILE", typed.files, "a result file of dbdyno-bench; with --import files of other programs");
  app.add_option("--filter", typed.filter, "regular expression: benchmarks of these names (all)");
  app.add_option("--format", typed.format,
                 "hlog: every histogram, in one log; hgrm: one percentile table a benchmark (both)");
  app.add_option(
      "--out", typed.out,
      "directory to write to, made if need be (the current one); with --import of one FILE: the file "
      "to write");
  app.add_flag("--import", typed.import,
               "makes result files of what other programs measured: FILE.dbdyno.json");
  app.add_option("--from", typed.from,
                 "with --import, the format: " + import_format_names() + " (by the content)");
  app.set_version_flag("--version", "dbdyno-export " DBDYNO_VERSION);
  app.set_help_flag("--help", "this text");
  app.footer(
      "Exit codes: 0 written, 2 usage, an unusable FILE or no place to write to, 5 the filter matched "
      "nothing.");
}

import_options interpret_import(typed_arguments typed) {
  if (typed.files.empty()) throw command_line_error("--import: no file: give those to be imported");
  if (!typed.filter.empty() || !typed.format.empty()) {
    throw command_line_error(fmt::format("--{} goes without --import; export the file that it writes",
                                         typed.filter.empty() ? "format" : "filter"));
  }
  import_options options;
  options.files = std::move(typed.files);
  if (!typed.from.empty()) {
    if (find_import_format(typed.from) == nullptr) {
      throw command_line_error(
          fmt::format("--from: '{}' is none of {}", clean_text(typed.from), import_format_names()));
    }
    options.format = std::move(typed.from);
  }
  if (!typed.out.empty()) options.out = std::move(typed.out);
  return options;
}

export_options interpret(typed_arguments typed) {
  if (typed.files.empty()) {
    throw command_line_error("no result file: give the one that dbdyno-bench --out or scripts/bench wrote");
  }
  if (typed.files.size() > 1) {
    throw command_line_error(fmt::format("'{}': one result file at a time; call it again for this one",
                                         clean_text(typed.files[1])));
  }
  if (!typed.from.empty()) throw command_line_error("--from goes with --import only");
  export_options options;
  options.file = std::move(typed.files.front());
  if (!typed.filter.empty()) options.filter.emplace(typed.filter);
  if (!typed.format.empty()) {
    options.hlog = typed.format == "hlog";
    options.hgrm = typed.format == "hgrm";
    if (!options.hlog && !options.hgrm) {
      throw command_line_error(
          fmt::format("--format: '{}' is neither hlog nor hgrm", clean_text(typed.format)));
    }
  }
  if (!typed.out.empty()) options.directory = std::move(typed.out);
  return options;
}

}  // namespace

parsed_export_command parse_export_command(int argc, const char* const* argv) {
  CLI::App app(
      "Writes the latency histograms of a result file for HdrHistogram's tools, or makes result files of "
      "what "
      "other programs measured.",
      "dbdyno-export");
  typed_arguments typed;
  declare(app, typed);
  if (auto text = parse_command_line(app, {argv + 1, argv + argc})) {
    return {.options = {}, .import = std::nullopt, .text = std::move(text)};
  }
  if (typed.import)
    return {.options = {}, .import = interpret_import(std::move(typed)), .text = std::nullopt};
  return {.options = interpret(std::move(typed)), .import = std::nullopt, .text = std::nullopt};
}

}  // namespace dbdyno::results
