#include "results/report/report_options.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "results/clean_text.hpp"

namespace dbdyno::results {
namespace {

void declare(CLI::App& app, report_options& typed) {
  app.add_option("FILES", typed.files,
                 "result files: dbdyno's, plain Google Benchmark JSON, or what dbdyno-export --import made");
  app.add_option("-o,--out", typed.output, "the page to write, such as report.html");
  app.add_option("--title", typed.title, "its heading (the files' names)");
  app.set_version_flag("--version", "dbdyno-report " DBDYNO_VERSION);
  app.set_help_flag("--help", "this text");
  app.footer("Exit codes: 0 written, 2 usage, an unusable file or no place to write to.");
}

void check(report_options& options) {
  const auto is_empty = [](const std::string& text) { return text.empty(); };
  if (options.files.empty() || std::any_of(options.files.begin(), options.files.end(), is_empty)) {
    throw command_line_error(
        "no result file: give those that dbdyno-bench --out or scripts/bench wrote, then -o report.html");
  }
  if (options.output.empty()) throw command_line_error("no place to write to: give -o report.html");
  for (const std::string& file : options.files) {
    std::error_code none_there;
    if (file == options.output || std::filesystem::equivalent(file, options.output, none_there)) {
      throw command_line_error(
          fmt::format("-o: '{}' is one of the result files; name another", clean_text(options.output)));
    }
  }
}

}  // namespace

parsed_report_command parse_report_command(int argc, const char* const* argv) {
  CLI::App app("Draws result files into one page of HTML that needs no network.", "dbdyno-report");
  parsed_report_command out;
  declare(app, out.options);
  out.text = parse_command_line(app, {argv + 1, argv + argc});
  if (!out.text) check(out.options);
  return out;
}

}  // namespace dbdyno::results
