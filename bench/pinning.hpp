#pragma once

#include <sched.h>
#include <sys/types.h>

#include <string>
#include <string_view>
#include <vector>

namespace dbdyno {

/// Which CPUs the measuring threads and the servers may run on. Units: numbers of CPUs, as the kernel counts
/// them. Empty: the scheduler's choice.
struct pinning {
  std::vector<unsigned> client{};  ///< thread t of a row runs on one of them, number t modulo their count
  std::vector<unsigned> server{};  ///< every server that was started for the run runs on all of them

  bool any() const noexcept { return !client.empty() || !server.empty(); }
  friend bool operator==(const pinning&, const pinning&) = default;
};

/// text: "auto", "none", "client=3", "client=2-3,server=0+1": single CPUs and ranges, with + between them.
/// auto gives each of `threads` a CPU of its own, as long as there are two in all, and the rest to the
/// servers; one CPU alone is not dealt. allowed: what this process may use, in ascending order.
/// Errors: usage_error that begins with `where`, also for a CPU that is not allowed or a side named twice.
pinning parse_pinning(std::string_view where, std::string_view text, const std::vector<unsigned>& allowed,
                      unsigned threads);

/// The same, but for whether the CPUs are there.
void check_pinning(std::string_view where, std::string_view text);

/// "client=1,server=0"; empty where nothing is pinned.
std::string to_string(const pinning& pins);

/// Those that a process's first thread, by default this thread, may run on, in ascending order; none where
/// that cannot be told.
std::vector<unsigned> allowed_cpus(pid_t process = 0);

/// Has this thread run on `cpu` only. Errors: std::system_error.
void pin_this_thread(unsigned cpu);

/// Gives the constructing thread back, at the end, the CPUs that it may run on now.
class kept_cpus {
 public:
  kept_cpus() noexcept;
  kept_cpus(const kept_cpus&) = delete;
  kept_cpus& operator=(const kept_cpus&) = delete;
  ~kept_cpus();

 private:
  cpu_set_t kept_{};
};

/// Has all threads of a process run on `cpus` only, and those that they will start.
/// Errors: std::system_error, also where the process is gone or another user's.
void pin_process(pid_t process, const std::vector<unsigned>& cpus);

}  // namespace dbdyno
