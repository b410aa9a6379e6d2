#include "bench/pinning.hpp"

#include <fmt/format.h>
#include <sched.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <numeric>
#include <system_error>

#include "drivers/errors.hpp"
#include "drivers/parse_number.hpp"

namespace dbdyno {
namespace {

cpu_set_t set_of(const std::vector<unsigned>& cpus) {
  cpu_set_t out;
  CPU_ZERO(&out);
  for (const unsigned cpu : cpus) CPU_SET(cpu, &out);
  return out;
}

/// "0+2-3"
std::vector<unsigned> parse_cpus(std::string_view where, std::string_view text,
                                 const std::vector<unsigned>& allowed) {
  std::vector<unsigned> out;
  while (true) {
    const auto plus = text.find('+');
    const std::string_view element = text.substr(0, plus);
    const auto dash = element.find('-');
    const auto number = [&](std::string_view digits) {
      return static_cast<unsigned>(parse_whole_number(where, digits, 0, CPU_SETSIZE - 1));
    };
    const unsigned first = number(element.substr(0, dash));
    const unsigned last = dash == std::string_view::npos ? first : number(element.substr(dash + 1));
    if (last < first) throw usage_error(fmt::format("{}: '{}' is a range upside down", where, element));
    for (unsigned cpu = first; cpu <= last; ++cpu) {
      if (!std::binary_search(allowed.begin(), allowed.end(), cpu)) {
        throw usage_error(fmt::format("{}: there is no CPU {} for this process; it may use {}", where, cpu,
                                      fmt::join(allowed, ", ")));
      }
      if (std::find(out.begin(), out.end(), cpu) == out.end()) out.push_back(cpu);
    }
    if (plus == std::string_view::npos) return out;
    text = text.substr(plus + 1);
  }
}

pinning deal(const std::vector<unsigned>& allowed, unsigned threads) {
  if (allowed.size() < 2) return {};
  // The last ones are the client's: interrupts tend to be served by the first.
  const auto clients = static_cast<std::ptrdiff_t>(std::min<std::size_t>(threads, allowed.size() - 1));
  const auto middle = allowed.end() - clients;
  return {.client = {middle, allowed.end()}, .server = {allowed.begin(), middle}};
}

/// Threads: of the caller's (0) or by its number.
void set_affinity(pid_t thread, const std::vector<unsigned>& cpus) {
  const cpu_set_t set = set_of(cpus);
  if (::sched_setaffinity(thread, sizeof set, &set) != 0) {
    throw std::system_error(errno, std::generic_category(),
                            fmt::format("cannot bind to CPU {}", fmt::join(cpus, ", ")));
  }
}

}  // namespace

pinning parse_pinning(std::string_view where, std::string_view text, const std::vector<unsigned>& allowed,
                      unsigned threads) {
  if (text == "none") return {};
  if (text == "auto") return deal(allowed, threads);
  pinning out;
  while (true) {
    const auto comma = text.find(',');
    const std::string_view part = text.substr(0, comma);
    const bool is_client = part.starts_with("client=");
    if ((is_client && !out.client.empty()) || (part.starts_with("server=") && !out.server.empty()))
      throw usage_error(fmt::format("{}: '{}' names them a second time", where, part));
    if (is_client) {
      out.client = parse_cpus(where, part.substr(7), allowed);
    } else if (part.starts_with("server=")) {
      out.server = parse_cpus(where, part.substr(7), allowed);
    } else {
      throw usage_error(fmt::format("{}: '{}' is none of auto, none, client=CPUS, server=CPUS", where, part));
    }
    if (comma == std::string_view::npos) return out;
    text = text.substr(comma + 1);
  }
}

void check_pinning(std::string_view where, std::string_view text) {
  std::vector<unsigned> all(CPU_SETSIZE);
  std::iota(all.begin(), all.end(), 0U);
  parse_pinning(where, text, all, 1);
}

std::string to_string(const pinning& pins) {
  std::string out;
  if (!pins.client.empty()) out += fmt::format("client={}", fmt::join(pins.client, "+"));
  if (!pins.server.empty())
    out += fmt::format("{}server={}", out.empty() ? "" : ",", fmt::join(pins.server, "+"));
  return out;
}

std::vector<unsigned> allowed_cpus(pid_t process) {
  cpu_set_t set;
  CPU_ZERO(&set);
  ::sched_getaffinity(process, sizeof set, &set);
  std::vector<unsigned> out;
  for (unsigned cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (CPU_ISSET(cpu, &set)) out.push_back(cpu);
  }
  return out;
}

void pin_this_thread(unsigned cpu) {
  set_affinity(0, {cpu});
}

kept_cpus::kept_cpus() noexcept {
  ::sched_getaffinity(0, sizeof kept_, &kept_);
}

kept_cpus::~kept_cpus() {
  ::sched_setaffinity(0, sizeof kept_, &kept_);
}

void pin_process(pid_t process, const std::vector<unsigned>& cpus) {
  // A thread that is started meanwhile has its parent's CPUs, old or new, so it is looked for once more.
  std::vector<pid_t> done;
  for (bool found = true; found;) {
    found = false;
    for (const auto& entry : std::filesystem::directory_iterator(fmt::format("/proc/{}/task", process))) {
      const pid_t thread = std::stoi(entry.path().filename().string());
      if (std::find(done.begin(), done.end(), thread) != done.end()) continue;
      found = true;
      done.push_back(thread);
      try {
        set_affinity(thread, cpus);
      } catch (const std::system_error& error) {
        // It has ended.
        if (error.code().value() != ESRCH) throw;
      }
    }
  }
}

}  // namespace dbdyno
