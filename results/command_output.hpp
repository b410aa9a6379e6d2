#pragma once

#include <sys/wait.h>

#include <cerrno>
#include <cstdio>
#include <string>
#include <system_error>

namespace dbdyno::results {

/// What a command printed, errors included, and its exit code, for tests; -1 if it did not end by itself.
struct command_output {
  int code = -1;
  std::string text{};
};

/// `command` is the shell's.
inline command_output run_command(const std::string& command) {
  FILE* const pipe = popen((command + " 2>&1 </dev/null").c_str(), "r");
  if (pipe == nullptr) throw std::system_error(errno, std::generic_category(), command);
  command_output out;
  char buffer[65536];
  for (std::size_t size = 0; (size = std::fread(buffer, 1, sizeof buffer, pipe)) > 0;) {
    out.text.append(buffer, size);
  }
  const int status = pclose(pipe);
  if (WIFEXITED(status)) out.code = WEXITSTATUS(status);
  return out;
}

}  // namespace dbdyno::results
