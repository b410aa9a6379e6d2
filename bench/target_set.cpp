#include "bench/target_set.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "bench/pinning.hpp"
#include "data-loaders/loader.hpp"
#include "drivers/errors.hpp"
#include "drivers/lmdb/durability.hpp"
#include "fixtures/echo_server.hpp"
#include "fixtures/lmdb_directory.hpp"
#include "fixtures/mariadb_server.hpp"
#include "fixtures/redis_server.hpp"
#include "fixtures/server_process.hpp"

namespace dbdyno {
namespace {

/// The line that fills a target, ready to be typed but for a masked password.
std::string load_command(const target& where, const data_set& data) {
  const std::string flag = where.storage == "handlersocket"
                               ? fmt::format("--mysql mysql://USER:PASSWORD@{}:PORT/{} --handlersocket",
                                             where.host, where.database.empty() ? "hs_test" : where.database)
                               : "--" + where.storage;
  return fmt::format("dbdyno-load {} '{}' --keys {} --value-size {} --seed {}", flag, where.masked(),
                     data.keys(), data.sizes().to_string(), data.seed());
}

std::string describe(const data_set& data) {
  return fmt::format("{} keys of {} bytes from seed {}", data.keys(), data.sizes().to_string(), data.seed());
}

void fill(const target& where, const bench_options& options, const target_set::progress& report) {
  const auto loader = make_loader(where, options.connect_timeout);
  const loading_progress shown = [&](std::string_view step, std::uint64_t done, std::uint64_t total) {
    report(fmt::format("{} {}: {} %", step, where.storage, 100 * done / std::max<std::uint64_t>(total, 1)));
  };
  loader->load(options.data, false, shown);
  const verification found = loader->verify(options.data, shown);
  if (!found.as_loaded()) throw setup_error(where.storage, "fill", where.masked(), found.to_string());
}

std::map<std::string, std::string> as_map(const std::vector<server_setting>& settings) {
  std::map<std::string, std::string> out;
  for (const server_setting& setting : settings) out.emplace(setting.name, setting.value);
  return out;
}

}  // namespace

target_set::target_set(const bench_options& options, const std::set<std::string>& storages,
                       const progress& report) {
  // Ask the given targets first: whoever mistyped a URL should not wait for servers to start.
  for (const std::string& storage : storages) {
    if (const auto given = options.targets.find(storage); given != options.targets.end()) {
      check_given(options, given->second, report);
    }
  }
  start_servers(options, storages, report);
  find_processes();
}

target_set::~target_set() = default;

target target_set::at(const std::string& storage, transport via) const {
  const auto found = std::find_if(targets_.begin(), targets_.end(),
                                  [&](const target& t) { return t.storage == storage && t.via == via; });
  return found != targets_.end() ? *found : target{.storage = storage, .via = via};
}

std::optional<target> target_set::any(const std::string& storage) const {
  const auto found =
      std::find_if(targets_.begin(), targets_.end(), [&](const target& t) { return t.storage == storage; });
  return found != targets_.end() ? std::optional(*found) : std::nullopt;
}

std::optional<std::uint64_t> target_set::connection_limit(const std::string& storage,
                                                          std::chrono::milliseconds timeout) const {
  const std::optional<target> where = any(storage);
  if (!where || where->via == transport::in_process || storage == "echo") return std::nullopt;
  return make_loader(*where, timeout)->connection_limit();
}

std::optional<pid_t> target_set::process_of(const std::string& storage) const {
  const auto found = processes_.find(storage);
  return found == processes_.end() ? std::nullopt : std::optional(found->second);
}

target_set::pinned_servers target_set::pin_servers(const std::vector<unsigned>& cpus) {
  pinned_servers out;
  for (results::target_info& one : info_) {
    if (any(one.storage)->via == transport::in_process) continue;
    const std::optional<pid_t> process = process_of(one.storage);
    const bool binds = one.throwaway && !cpus.empty();
    (binds ? out.bound : out.unbound).push_back(one.storage);
    if (!process) {
      if (binds)
        throw setup_error(one.storage, "bind", one.url, "its process was not found; give --pin none");
      continue;
    }
    if (binds) {
      try {
        pin_process(*process, cpus);
      } catch (const std::exception& error) {
        throw setup_error(one.storage, "bind", one.url, error.what());
      }
    }
    if (const auto allowed = allowed_cpus(*process); !allowed.empty()) {
      one.settings.emplace("cpus_allowed", fmt::format("{}", fmt::join(allowed, "+")));
      allowed_cpus_.emplace(one.storage, static_cast<unsigned>(allowed.size()));
    }
  }
  return out;
}

unsigned target_set::usable_cpus(const cell& what) const {
  const bool has_one_thread = what.storage == "redis" || what.storage == "echo";
  const auto allowed = allowed_cpus_.find(what.storage);
  if (has_one_thread || allowed == allowed_cpus_.end()) return 1;
  unsigned most = std::min(allowed->second, what.connections);
  if (what.storage == "handlersocket") {
    const bool writes = what.workload == "set" || what.workload == "mix";
    if (writes) return 1;
    for (const results::target_info& one : info_) {
      const auto threads = one.settings.find("handlersocket_threads");
      if (one.storage == what.storage && threads != one.settings.end()) {
        most = std::min(most, static_cast<unsigned>(std::stoul(threads->second)));
      }
    }
  }
  return most;
}

server_counter_reader* target_set::counters_of(const std::string& storage, transport via) const {
  const auto found = counters_.find(storage);
  return via == transport::unix_socket && found != counters_.end() ? found->second.get() : nullptr;
}

void target_set::find_processes() {
  for (const target& t : targets_) {
    if (processes_.contains(t.storage)) continue;
    if (const std::optional<pid_t> found = find_server_process(t)) processes_.emplace(t.storage, *found);
  }
}

void target_set::check_given(const bench_options& options, const target& given, const progress& report) {
  report(fmt::format("checking {}", given.masked()));
  // An echo server holds nothing.
  const bool holds_data = given.storage != "echo";
  const std::optional<data_set> held =
      holds_data ? make_loader(given, options.connect_timeout)->read_marker() : std::nullopt;
  if (holds_data && held != options.data) {
    throw setup_error(given.storage, "measure", given.masked(),
                      fmt::format("{}; this run asks for {}. Run\n  {}",
                                  held ? "it is loaded with " + describe(*held) : "it is not loaded",
                                  describe(options.data), load_command(given, options.data)));
  }
  targets_.push_back(given);
  info_.push_back({.storage = given.storage,
                   .url = given.masked(),
                   .throwaway = false,
                   .server_version = std::nullopt,
                   .transports = {std::string(to_string(given.via))},
                   .settings = {}});
}

void target_set::start_servers(const bench_options& options, const std::set<std::string>& storages,
                               const progress& report) {
  const auto needed = [&](const char* storage) {
    return storages.contains(storage) && !options.targets.contains(storage);
  };
  const auto add = [&](std::vector<target> ways, const std::string& version,
                       const std::vector<server_setting>& settings) {
    // A private directory's path says nothing but where this machine keeps such things.
    const bool has_server = ways.front().via != transport::in_process;
    results::target_info info{
        .storage = ways.front().storage,
        .url = has_server ? ways.front().masked() : ways.front().storage + ":///throwaway",
        .throwaway = true,
        .server_version = version.empty() ? std::nullopt : std::optional(version),
        .transports = {},
        .settings = as_map(settings)};
    for (target& way : ways) {
      if (way.via == transport::unix_socket)
        counters_.emplace(way.storage, std::make_unique<server_counter_reader>(way));
      info.transports.emplace_back(to_string(way.via));
      targets_.push_back(std::move(way));
    }
    info_.push_back(std::move(info));
  };

  if (needed("redis")) {
    report("starting redis");
    redis_ = std::make_unique<redis_server>();
    fill(redis_->tcp(), options, report);
    add({redis_->tcp(), redis_->unix_socket()}, redis_->version(), redis_->settings());
  }
  if (needed("mysql") || needed("handlersocket")) {
    report("starting mariadb");
#ifdef DBDYNO_NO_MYSQL
    throw setup_error("handlersocket", "start", "a throwaway server",
                      "this program was built without libmariadb");
#else
    mariadb_ = std::make_unique<mariadb_server>();
    fill(mariadb_->mysql_unix(), options, report);
    if (needed("mysql")) {
      add({mariadb_->mysql_tcp(), mariadb_->mysql_unix()}, mariadb_->version(), mariadb_->settings());
    }
    if (needed("handlersocket")) add({mariadb_->handlersocket()}, mariadb_->version(), mariadb_->settings());
#endif
  }
  if (needed("echo")) {
    report("starting the echo server");
    echo_ = std::make_unique<echo_server>();
    add({echo_->tcp(), echo_->unix_socket()}, "", {});
  }
  if (needed("lmdb")) {
    lmdb_ = std::make_unique<lmdb_directory>();
    fill(lmdb_->where(), options, report);
    add({lmdb_->where()}, "", {{"durability", std::string(lmdb_durability_name)}});
  }
}

}  // namespace dbdyno
