#pragma once

#include <string>
#include <string_view>

namespace dbdyno {

/// One line on stderr that is written over again and again; nothing where stderr is no terminal or output is
/// unwanted.
///
/// Threads: one.
class progress_line {
 public:
  explicit progress_line(bool wanted);
  progress_line(const progress_line&) = delete;
  progress_line& operator=(const progress_line&) = delete;
  /// Leaves an empty line behind.
  ~progress_line() { clear(); }

  void show(std::string_view text);
  void clear();

 private:
  bool active_;
  bool shown_ = false;
};

}  // namespace dbdyno
