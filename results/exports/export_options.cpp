#include "results/exports/export_options.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <stdexcept>
#include <utility>
#include <vector>

#include "results/clean_text.hpp"
#include "results/imports/import_text.hpp"

namespace dbdyno::results {
namespace {

struct typed_arguments {
  std::vector<std::string> files{};
  std::string filter{}, format{}, from{}, out{}, as{};
  bool import = false;
};

void declare(CLI::App& app, typed_arguments& typed) {
  app.add_option("FILE", typed.files, "a result file of dbdyno-bench; with --import files of other programs");
  app.add_option("--filter", typed.filter, "regular expression: benchmarks of these names (all)");
  app.add_option("--format", typed.format,
                 "what to write, separated by commas: " + export_format_names() + " (hlog,hgrm)");
  app.add_option(
      "--out", typed.out,
      "directory to write to, made if need be (the current one), or - to write one format to standard "
      "output; where --import writes one file: that file");
  app.add_flag("--import", typed.import,
               "makes result files of what other programs measured: FILE.dbdyno.json");
  app.add_option("--from", typed.from,
                 "with --import, the format: " + import_format_names() + " (by the content)");
  app.add_option("--as", typed.as,
                 "with --import: this name for the one benchmark that --filter picks of each FILE; the FILEs "
                 "are its repetitions, in one result file");
  app.set_version_flag("--version", "dbdyno-export " DBDYNO_VERSION);
  app.set_help_flag("--help", "this text");
  app.footer(
      "Exit codes: 0 written, 2 usage, an unusable FILE or no place to write to, 5 the filter of an export "
      "matched nothing.");
}

/// Errors: command_line_error.
std::string benchmark_name(std::string text) {
  if (text != clean_text(text) || text.find(' ') != std::string::npos || text.starts_with('/') ||
      text.ends_with('/')) {
    throw command_line_error(fmt::format(
        "--as: '{}' is no benchmark's name, such as get/redis/redis-benchmark/async/conns:50/depth:16",
        clean_text(text)));
  }
  return text;
}

import_options interpret_import(typed_arguments typed) {
  if (typed.files.empty()) throw command_line_error("--import: no file: give those to be imported");
  const bool filters = !typed.filter.empty() && typed.as.empty();
  if (filters || !typed.format.empty()) {
    throw command_line_error(fmt::format("--{} goes without --import{}; export the file that it writes",
                                         filters ? "filter" : "format", filters ? ", or with --as" : ""));
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
  if (!typed.as.empty()) options.as = benchmark_name(std::move(typed.as));
  if (!typed.filter.empty()) options.filter.emplace(typed.filter);
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
  for (const auto& [flag, value] : {std::pair("--from", &typed.from), std::pair("--as", &typed.as)}) {
    if (!value->empty()) throw command_line_error(fmt::format("{} goes with --import only", flag));
  }
  export_options options;
  options.file = std::move(typed.files.front());
  if (!typed.filter.empty()) options.filter.emplace(typed.filter);
  if (!typed.format.empty()) {
    try {
      options.formats = parse_export_formats(typed.format);
    } catch (const std::invalid_argument& unknown) {
      throw command_line_error(
          fmt::format("--format: '{}' is none of {}", clean_text(unknown.what()), export_format_names()));
    }
  }
  options.to_stdout = typed.out == "-";
  if (options.to_stdout && (options.formats.size() != 1 || options.formats.front() == export_format::hgrm)) {
    throw command_line_error(
        "--out: standard output takes one format, and not hgrm, which is a file for each benchmark; give "
        "--format");
  }
  if (!typed.out.empty()) options.directory = std::move(typed.out);
  return options;
}

}  // namespace

parsed_export_command parse_export_command(int argc, const char* const* argv) {
  CLI::App app(
      "Writes a result file in the formats that other tools read, or makes result files of what other "
      "programs measured.",
      "dbdyno-export");
  typed_arguments typed;
  declare(app, typed);
  if (auto text = parse_command_line(app, {argv + 1, argv + argc})) {
    return {.options = {}, .import = std::nullopt, .text = std::move(text)};
  }
  parsed_export_command parsed;
  if (typed.import) {
    parsed.import = interpret_import(std::move(typed));
  } else {
    parsed.options = interpret(std::move(typed));
  }
  return parsed;
}

}  // namespace dbdyno::results
