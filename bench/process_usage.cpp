#include "bench/process_usage.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <ctime>
#include <string>

#include "drivers/wire/unique_fd.hpp"
#include "fixtures/growth.hpp"
#include "fixtures/proc_file.hpp"

namespace dbdyno {
namespace {

using std::chrono::nanoseconds;

nanoseconds ticks_as_time(std::uint64_t ticks) {
  static const auto ticks_per_second = static_cast<std::uint64_t>(::sysconf(_SC_CLK_TCK));
  return nanoseconds(ticks * (1'000'000'000 / ticks_per_second));
}

std::optional<nanoseconds> read_cpu_time(pid_t pid) {
  clockid_t clock{};
  timespec time{};
  if (::clock_getcpuclockid(pid, &clock) != 0 || ::clock_gettime(clock, &time) != 0) return std::nullopt;
  return std::chrono::seconds(time.tv_sec) + nanoseconds(time.tv_nsec);
}

std::map<pid_t, context_switches> read_switches(int process) {
  std::map<pid_t, context_switches> switches;
  for (const pid_t thread : numbered_entries(process, "task")) {
    const auto status = read_proc_file(process, ("task/" + std::to_string(thread) + "/status").c_str());
    if (!status) continue;  // it ended meanwhile
    if (const auto counted = parse_context_switches(*status)) switches.emplace(thread, *counted);
  }
  return switches;
}

std::optional<context_switches> switches_between(const std::map<pid_t, context_switches>& before,
                                                 const std::map<pid_t, context_switches>& after) {
  if (before.empty() || after.empty()) return std::nullopt;
  context_switches sum;
  for (const auto& [thread, now] : after) {
    const auto found = before.find(thread);
    context_switches then;
    // One that counts less than before is a new thread with an old number.
    if (found != before.end() && found->second.voluntary <= now.voluntary &&
        found->second.involuntary <= now.involuntary) {
      then = found->second;
    }
    sum.voluntary += now.voluntary - then.voluntary;
    sum.involuntary += now.involuntary - then.involuntary;
  }
  return sum;
}

}  // namespace

process_usage read_process_usage(pid_t pid) {
  process_usage usage;
  usage.at = std::chrono::steady_clock::now();
  const std::string path = "/proc/" + std::to_string(pid);
  const unique_fd process(::open(path.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (!process) return usage;

  // The directory stays that of the process it was opened for. Found alive through it after the clock was
  // read, the clock was its own, too.
  const auto cpu = read_cpu_time(pid);
  const auto stat_text = read_proc_file(process.get(), "stat");
  const auto stat = stat_text ? parse_process_stat(*stat_text) : std::nullopt;
  if (!stat) return usage;
  usage.start_time = stat->start_time;
  usage.cpu = cpu;
  usage.split = sampled_split{ticks_as_time(stat->user), ticks_as_time(stat->system)};
  usage.switches = read_switches(process.get());
  if (const auto io = read_proc_file(process.get(), "io")) {
    usage.read_bytes = labelled_number(*io, "read_bytes");
    usage.written_bytes = labelled_number(*io, "write_bytes");
  }
  if (const auto memory = read_proc_file(process.get(), "statm")) {
    if (const auto pages = parse_resident_pages(*memory))
      usage.resident_bytes = *pages * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  }
  return usage;
}

process_cost cost_between(const process_usage& before, const process_usage& after) {
  process_cost cost;
  if (!before.start_time || before.start_time != after.start_time) return cost;
  cost.cpu = growth(before.cpu, after.cpu);
  cost.split = split_between(before.split, after.split, after.at - before.at);
  cost.switches = switches_between(before.switches, after.switches);
  cost.read_bytes = growth(before.read_bytes, after.read_bytes);
  cost.written_bytes = growth(before.written_bytes, after.written_bytes);
  if (before.resident_bytes && after.resident_bytes)
    cost.resident_growth = static_cast<std::int64_t>(*after.resident_bytes - *before.resident_bytes);
  return cost;
}

std::optional<process_stat> parse_process_stat(std::string_view text) {
  // Field 2 is the program's name in parentheses, which may hold blanks and parentheses itself.
  const std::size_t name_end = text.rfind(')');
  if (name_end == std::string_view::npos) return std::nullopt;
  text.remove_prefix(name_end + 1);
  std::optional<std::uint64_t> user;
  std::optional<std::uint64_t> system;
  std::optional<std::uint64_t> start_time;
  for (int field = 3; field <= 22; ++field) {
    const std::string_view word = take_word(text);
    if (field == 14) user = whole_number(word);
    if (field == 15) system = whole_number(word);
    if (field == 22) start_time = whole_number(word);
  }
  if (!user || !system || !start_time) return std::nullopt;
  return process_stat{*user, *system, *start_time};
}

std::optional<context_switches> parse_context_switches(std::string_view text) {
  const auto voluntary = labelled_number(text, "voluntary_ctxt_switches");
  const auto involuntary = labelled_number(text, "nonvoluntary_ctxt_switches");
  if (!voluntary || !involuntary) return std::nullopt;
  return context_switches{*voluntary, *involuntary};
}

std::optional<std::uint64_t> parse_resident_pages(std::string_view text) {
  take_word(text);
  return whole_number(take_word(text));
}

}  // namespace dbdyno
