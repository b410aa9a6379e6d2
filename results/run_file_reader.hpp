#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

#include "results/run_file.hpp"

namespace dbdyno::results {

/// A file is not a result file of ours. what() names the file and where in it the trouble is: line and column
/// of broken JSON, or the JSON pointer (RFC 6901) of the value.
class result_file_error : public std::runtime_error {
 public:
  result_file_error(std::string_view file, std::string_view reason);
};

/// The file's bytes.
/// Errors: result_file_error if it cannot be read.
std::string read_file(const std::string& path);

/// Reads what save wrote. Keys that are not ours are ignored, so files of a later minor form can be read.
///
/// Shapes: a time of 0 in a repetition is absent, see README.md.
/// Errors: result_file_error.
run_file load(const std::string& path);

/// The same for text in memory; `name` stands for the file in errors.
run_file parse(std::string_view text, std::string_view name);

}  // namespace dbdyno::results
