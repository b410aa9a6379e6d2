// dbdyno-export: writes a result file in the formats that other tools read, and makes result files of what
// other programs measured.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

#include "results/atomic_file.hpp"
#include "results/clean_text.hpp"
#include "results/command_line.hpp"
#include "results/exports/export_options.hpp"
#include "results/exports/exported_files.hpp"
#include "results/exports/imported_files.hpp"
#include "results/imports/load_results.hpp"
#include "results/program.hpp"

namespace {

using namespace dbdyno::results;

void make_directory(const std::string& path) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (!error && !std::filesystem::is_directory(path))
    error = std::make_error_code(std::errc::not_a_directory);
  if (error) {
    throw command_line_error(fmt::format("--out: cannot make the directory '{}': {}; name another",
                                         clean_text(path), error.message()));
  }
}

bool matches_nothing(const run_file& file, const name_filter& filter) {
  const auto accepted = [&](const auto& each) { return filter.accepts(each.name); };
  return std::none_of(file.rows.begin(), file.rows.end(), accepted) &&
         std::none_of(file.cells.begin(), file.cells.end(), accepted);
}

void print_remarks(const std::string& file, const std::vector<std::string>& remarks) {
  for (const std::string& remark : remarks)
    fmt::print(stderr, "dbdyno-export: {}: {}\n", clean_text(file), remark);
}

void write_file(const export_options& options, const exported_file& file) {
  const auto path = (std::filesystem::path(options.directory) / file.name).lexically_normal().string();
  std::error_code ignored;
  if (std::filesystem::equivalent(path, options.file, ignored)) {
    throw command_line_error(
        fmt::format("{}: would be replaced; name another directory with --out", clean_text(options.file)));
  }
  replace_file(path, file.text);
  fmt::print("{}\n", clean_text(path));
}

void write_to_stdout(const std::string& text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0)
    throw command_line_error("cannot write to standard output");
}

int run(const export_options& options) {
  const imported_run loaded = load_results(options.file);
  const run_file& file = loaded.run;
  print_remarks(options.file, loaded.remarks);
  if (options.filter && matches_nothing(file, *options.filter)) {
    fmt::print(stderr, "dbdyno-export: {}: --filter matches none of its benchmarks\n",
               clean_text(options.file));
    return exit_nothing_matched;
  }
  const exported all = exported_files(file, options);
  print_remarks(options.file, all.remarks);
  if (options.to_stdout) {
    write_to_stdout(all.files.front().text);
    return exit_fine;
  }
  make_directory(options.directory);
  for (const exported_file& each : all.files) write_file(options, each);
  return exit_fine;
}

int run(const import_options& options) {
  const auto files = imported_files(options);
  if (options.out && files.size() > 1) make_directory(*options.out);
  for (const imported_file& each : files) {
    print_remarks(each.source, each.remarks);
    replace_file(each.path, each.text);
    fmt::print("{}\n", clean_text(each.path));
  }
  return exit_fine;
}

}  // namespace

int main(int argc, char** argv) {
  return run_program("dbdyno-export", [&] {
    const auto command = parse_export_command(argc, argv);
    if (command.text) {
      fmt::print("{}", *command.text);
      return exit_fine;
    }
    return command.import ? run(*command.import) : run(command.options);
  });
}
