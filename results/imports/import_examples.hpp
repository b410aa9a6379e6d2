#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "results/imports/imported_run.hpp"
#include "results/imports/load_results.hpp"
#include "results/run_file_reader.hpp"
#include "results/run_file_writer.hpp"

namespace dbdyno::results {

/// A file of examples/, for tests.
std::string example(const std::string& file);

/// The row of this name and repetition; one without a name, and a failure, if there is none.
inline row row_of(const imported_run& imported, const std::string& name, unsigned repetition = 0) {
  for (const auto& r : imported.run.rows) {
    if (r.name == name && r.repetition == repetition && !r.kind) return r;
  }
  std::string names;
  for (const auto& r : imported.run.rows) names += " " + r.name;
  ADD_FAILURE() << "no row " << name << " among" << names;
  return {};
}

/// Written and loaded again it is what it was.
inline void expect_round_trip(const imported_run& imported) {
  const auto again = parse_results(to_json(imported.run), "again.json");
  EXPECT_EQ(again.run, imported.run);
  EXPECT_EQ(again.remarks, imported.remarks);
  EXPECT_TRUE(again.run.imported);
}

/// What the result_file_error says.
inline std::string error_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const result_file_error& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace dbdyno::results
