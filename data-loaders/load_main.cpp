// dbdyno-load: fills storages with the data set, and reads it back.
#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdio>
#include <exception>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "data-loaders/load_options.hpp"
#include "data-loaders/loader.hpp"
#include "data-loaders/marker.hpp"
#include "data-loaders/progress_line.hpp"
#include "data-loaders/verification.hpp"
#include "data-loaders/with_thousands.hpp"
#include "drivers/errors.hpp"

namespace {

using namespace dbdyno;
using clock = std::chrono::steady_clock;

enum exit_code : int { fine = 0, verification_failed = 1, usage = 2, target_failed = 4 };

// Nothing here wants an orderly end: storages drop what was not committed, and the marker says that a load is
// under way.
extern "C" void end_at_once(int signal) {
  ::_exit(128 + signal);
}

void handle_signals() {
  struct sigaction action = {};
  action.sa_handler = end_at_once;
  for (const int signal : {SIGINT, SIGTERM}) ::sigaction(signal, &action, nullptr);
  // A server that hangs up is an error of the request, not the end of the program.
  std::signal(SIGPIPE, SIG_IGN);
}

/// Shows how far a target is, ten times a second at most.
loading_progress show_on(progress_line& line, const target& where) {
  return [&line, &where, next = clock::time_point()](std::string_view step, std::uint64_t done,
                                                     std::uint64_t total) mutable {
    const auto now = clock::now();
    if (now < next) return;
    next = now + std::chrono::milliseconds(100);
    line.show(fmt::format("{} {}: {} of {} keys", step, where.storage, with_thousands(done),
                          with_thousands(total)));
  };
}

struct job {
  const target& where;
  std::unique_ptr<loader> with;
  double loading_seconds = 0;

  bool can_load() const { return where.storage != "handlersocket"; }
};

double seconds_since(clock::time_point start) {
  return std::chrono::duration<double>(clock::now() - start).count();
}

std::string describe(const data_set& data) {
  return fmt::format("{} keys of {} bytes", with_thousands(data.keys()), data.sizes().to_string());
}

/// What the target has to hold.
data_set wanted_data(const job& job, const load_options& options) {
  if (!options.verify_only && job.can_load()) return options.data;
  const auto held = job.with->read_marker();
  if (!held) {
    throw setup_error(job.where.storage + " loader", "verify", job.where.masked(),
                      "no dbdyno-load filled it, or none to the end");
  }
  if (!options.verify_only && *held != options.data) {
    throw setup_error(
        job.where.storage + " loader", "verify", job.where.masked(),
        fmt::format("it holds '{}': is this the server and database of --mysql?", marker::format(*held)));
  }
  return *held;
}

/// Whether the target read back right.
bool verify(job& job, const load_options& options, progress_line& progress) {
  const data_set data = wanted_data(job, options);
  const std::string who = fmt::format("{} {}", job.where.storage, job.where.masked());
  if (options.verify_only && !options.accepts(data)) {
    fmt::print(stderr, "dbdyno-load: {}: holds '{}', which is not what the flags say\n", who,
               marker::format(data));
    return false;
  }
  const auto start = clock::now();
  const verification found = job.with->verify(data, show_on(progress, job.where));
  const double seconds = seconds_since(start);
  progress.clear();
  if (!found.as_loaded()) {
    fmt::print(stderr, "dbdyno-load: {}: {}\n", who, found.to_string());
    return false;
  }
  if (options.quiet) return true;
  if (job.loading_seconds > 0) {
    fmt::print("{}: {} loaded in {:.2f} s ({:.0f} k/s), verified, checksum {:#018x}\n", who, describe(data),
               job.loading_seconds, data.keys() / job.loading_seconds / 1000, found.checksum);
  } else {
    fmt::print("{}: {} verified in {:.2f} s, checksum {:#018x}\n", who, describe(data), seconds,
               found.checksum);
  }
  std::fflush(stdout);
  return true;
}

int run(const load_options& options) {
  std::vector<job> jobs;
  // All are reached before one is written to.
  for (const target& where : options.targets) {
    jobs.push_back({.where = where, .with = make_loader(where, options.connect_timeout)});
  }
  progress_line progress(!options.quiet);
  if (!options.verify_only) {
    for (job& job : jobs) {
      if (!job.can_load()) continue;
      const auto start = clock::now();
      job.with->load(options.data, options.replace, show_on(progress, job.where));
      job.loading_seconds = seconds_since(start);
      progress.clear();
    }
  }
  int code = fine;
  for (job& job : jobs) {
    if (!verify(job, options, progress)) code = verification_failed;
  }
  return code;
}

}  // namespace

int main(int argc, char** argv) {
  handle_signals();
  try {
    const parsed_load_command command = parse_load_command(argc, argv);
    if (command.text) {
      fmt::print("{}", *command.text);
      return fine;
    }
    return run(command.options);
  } catch (const usage_error& error) {
    fmt::print(stderr, "dbdyno-load: {}\n", error.what());
    return usage;
  } catch (const std::exception& error) {
    fmt::print(stderr, "dbdyno-load: {}\n", error.what());
    return target_failed;
  }
}
