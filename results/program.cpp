#include "results/program.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <exception>

#include "results/atomic_file.hpp"
#include "results/command_line.hpp"
#include "results/run_file_reader.hpp"

namespace dbdyno::results {

int run_program(std::string_view name, const std::function<int()>& body, int otherwise) {
  const auto report = [name](const std::exception& error, int code) {
    // Where nobody listens, the code still tells.
    std::fputs(fmt::format("{}: {}\n", name, error.what()).c_str(), stderr);
    return code;
  };
  try {
    return body();
  } catch (const command_line_error& error) {
    return report(error, exit_usage);
  } catch (const result_file_error& error) {
    return report(error, exit_usage);
  } catch (const result_path_error& error) {
    return report(error, exit_usage);
  } catch (const std::exception& error) {
    return report(error, otherwise);
  }
}

}  // namespace dbdyno::results
