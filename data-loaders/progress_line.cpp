#include "data-loaders/progress_line.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdio>

namespace dbdyno {
namespace {

constexpr std::string_view erase_line = "\r\x1b[K";

std::size_t terminal_width() {
  winsize size{};
  return ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1 ? size.ws_col - 1U : 79;
}

}  // namespace

progress_line::progress_line(bool wanted) : active_(wanted && ::isatty(STDERR_FILENO) != 0) {
}

void progress_line::show(std::string_view text) {
  if (!active_) return;
  shown_ = true;
  // A line longer than the terminal could not be written over.
  fmt::print(stderr, "{}{}", erase_line, text.substr(0, terminal_width()));
  std::fflush(stderr);
}

void progress_line::clear() {
  if (!shown_) return;
  shown_ = false;
  fmt::print(stderr, "{}", erase_line);
  std::fflush(stderr);
}

}  // namespace dbdyno
