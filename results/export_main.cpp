// dbdyno-export: writes a result file's histograms for the tools of HdrHistogram, and makes result files of
// what other programs measured.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <string>
#include <system_error>

#include "results/atomic_file.hpp"
#include "results/clean_text.hpp"
#include "results/export_options.hpp"
#include "results/exported_files.hpp"
#include "results/imported_files.hpp"
#include "results/imports/load_results.hpp"
#include "results/run_file_reader.hpp"

namespace {

using namespace dbdyno::results;

enum exit_code : int { fine = 0, failed = 1, usage = 2, nothing_matched = 5 };

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

int run(const export_options& options) {
  const imported_run loaded = load_results(options.file);
  const run_file& file = loaded.run;
  for (const std::string& remark : loaded.remarks)
    fmt::print(stderr, "dbdyno-export: {}: {}\n", clean_text(options.file), remark);
  const bool has_histograms = std::any_of(file.cells.begin(), file.cells.end(),
                                          [](const cell& each) { return !each.histograms.empty(); });
  if (file.imported && !has_histograms) {
    throw command_line_error(fmt::format("{}: it has no histograms, as {} writes none",
                                         clean_text(options.file), clean_text(file.imported->format)));
  }
  if (options.filter && std::none_of(file.cells.begin(), file.cells.end(),
                                     [&](const cell& each) { return options.filter->accepts(each.name); })) {
    fmt::print(stderr, "dbdyno-export: {}: --filter matches none of its {} cells\n", clean_text(options.file),
               file.cells.size());
    return nothing_matched;
  }
  const auto files = exported_files(file, options);
  if (files.empty()) {
    throw command_line_error(
        fmt::format("{}: {} no histograms; measure again with this dbdyno-bench", clean_text(options.file),
                    options.filter ? "the benchmarks that --filter matches have" : "it has"));
  }
  make_directory(options.directory);
  for (const exported_file& each : files) {
    const auto path = (std::filesystem::path(options.directory) / each.name).lexically_normal().string();
    replace_file(path, each.text);
    fmt::print("{}\n", clean_text(path));
  }
  return fine;
}

int run(const import_options& options) {
  const auto files = imported_files(options);
  if (options.out && files.size() > 1) make_directory(*options.out);
  for (const imported_file& each : files) {
    for (const auto& remark : each.remarks) {
      fmt::print(stderr, "dbdyno-export: {}: {}\n", clean_text(each.source), remark);
    }
    replace_file(each.path, each.text);
    fmt::print("{}\n", clean_text(each.path));
  }
  return fine;
}

int report(const std::exception& error, exit_code code) {
  fmt::print(stderr, "dbdyno-export: {}\n", error.what());
  return code;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const auto command = parse_export_command(argc, argv);
    if (command.text) {
      fmt::print("{}", *command.text);
      return fine;
    }
    return command.import ? run(*command.import) : run(command.options);
  } catch (const command_line_error& error) {
    return report(error, usage);
  } catch (const result_file_error& error) {
    return report(error, usage);
  } catch (const result_path_error& error) {
    return report(error, usage);
  } catch (const std::exception& error) {
    return report(error, failed);
  }
}
