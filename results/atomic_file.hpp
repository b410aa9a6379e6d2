#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace dbdyno::results {

/// A result file cannot be written where it should be. what() names the path and the reason.
class result_path_error : public std::runtime_error {
 public:
  result_path_error(std::string path, std::string_view reason);

  const std::string& path() const noexcept { return path_; }

 private:
  std::string path_;
};

/// Tries what replace_file will do as far as it can without touching a file at `path`, and leaves nothing
/// behind.
///
/// Errors: result_path_error if the directory is missing or takes no new file, if `path` is not a regular
/// file or one that must not be written, or if there is no room for a small file.
void check_writable(const std::string& path);

/// Replaces the file at `path` by one with this text, whole or not at all: readers see the old text or the
/// new one, also if the machine stops in between.
///
/// A file that is replaced hands on its permissions and, where the process may, its owner; a symbolic link to
/// a file stays one. Errors: result_path_error; the old file is then as it was and nothing is left behind.
void replace_file(const std::string& path, std::string_view text);

}  // namespace dbdyno::results
