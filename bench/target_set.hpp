#pragma once

#include <sys/types.h>

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "bench/cell.hpp"
#include "bench/options.hpp"
#include "drivers/target.hpp"
#include "fixtures/server_counter_reader.hpp"
#include "results/run_file.hpp"

namespace dbdyno {

class echo_server;
class lmdb_directory;
class mariadb_server;
class redis_server;

/// Thrown out of a long set-up after SIGINT or SIGTERM.
struct interrupted {
  int signal;
};

/// The targets of a run: those given by URL, checked to hold the data set; and throwaway servers, started and
/// filled.
///
/// Lifetime: the throwaway servers end with this object.
class target_set {
 public:
  /// Told what is being done, often; may throw `interrupted`.
  using progress = std::function<void(std::string_view text)>;

  /// storages: those the run needs.
  /// Errors: setup_error when a target cannot be reached or started, or does not hold the data set; the
  /// message then gives the dbdyno-load line to run.
  target_set(const bench_options& options, const std::set<std::string>& storages, const progress& report);
  ~target_set();
  target_set(const target_set&) = delete;
  target_set& operator=(const target_set&) = delete;

  /// For storages in this process, a target that names just the storage.
  target at(const std::string& storage, transport via) const;

  /// One of the ways into a storage; none for what is only in this process.
  std::optional<target> any(const std::string& storage) const;

  /// How many connections its server takes; none where that is not known.
  std::optional<std::uint64_t> connection_limit(const std::string& storage,
                                                std::chrono::milliseconds timeout) const;

  /// The process behind a storage, if it is on this machine and can be looked into.
  std::optional<pid_t> process_of(const std::string& storage) const;
  /// Binds the throwaway servers to these CPUs, if there are any; somebody else's stay where they are. The
  /// info() of all has the CPUs they may run on from then on.
  /// Errors: setup_error.
  struct pinned_servers {
    std::vector<std::string> bound;  ///< storages
    std::vector<std::string> unbound;
  };
  pinned_servers pin_servers(const std::vector<unsigned>& cpus);
  /// On how many CPUs the server can be at work at once for this cell: not more than it may run on, and not
  /// more than it has threads for these connections. Those of a HandlerSocket that is not ours are unknown,
  /// but for the one thread that its plugin has for writing by default.
  unsigned usable_cpus(const cell& what) const;

  /// What counts a server's traffic where only the server can: at throwaway ones over a unix socket. Null
  /// elsewhere.
  server_counter_reader* counters_of(const std::string& storage, transport via) const;

  const std::vector<results::target_info>& info() const noexcept { return info_; }

 private:
  void start_servers(const bench_options& options, const std::set<std::string>& storages,
                     const progress& report);
  void find_processes();
  void check_given(const bench_options& options, const target& given, const progress& report);

  std::vector<target> targets_;
  std::vector<results::target_info> info_;
  std::map<std::string, pid_t> processes_;                                  ///< by storage
  std::map<std::string, unsigned> allowed_cpus_;                            ///< how many, by storage
  std::map<std::string, std::unique_ptr<server_counter_reader>> counters_;  ///< by storage
  std::unique_ptr<echo_server> echo_;
  std::unique_ptr<redis_server> redis_;
  std::unique_ptr<mariadb_server> mariadb_;
  std::unique_ptr<lmdb_directory> lmdb_;
};

}  // namespace dbdyno
