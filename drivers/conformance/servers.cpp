#include "drivers/conformance/servers.hpp"

#include <cerrno>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <map>
#include <stdexcept>
#include <string>
#include <system_error>

#include "data-loaders/loader.hpp"
#include "fixtures/eventually.hpp"

namespace dbdyno::conformance {
namespace {

constexpr std::string_view password = "conformance-secret";

void load(const target& where) {
  make_loader(where, std::chrono::seconds(5))
      ->load(loaded_storage::data(), false, [](std::string_view, std::uint64_t, std::uint64_t) {});
}

/// SIGSTOP is only on its way when kill() returns.
bool all_threads_stopped(pid_t pid) {
  for (const auto& task : std::filesystem::directory_iterator("/proc/" + std::to_string(pid) + "/task")) {
    if (thread_state(pid, std::stoi(task.path().filename().string())) != 'T') return false;
  }
  return true;
}

}  // namespace

char thread_state(pid_t process, pid_t thread) {
  std::ifstream file("/proc/" + std::to_string(process) + "/task/" + std::to_string(thread) + "/stat");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const auto name_end = text.rfind(") ");
  return name_end == std::string::npos || name_end + 2 >= text.size() ? '\0' : text[name_end + 2];
}

loaded_storage::loaded_storage(std::string_view storage) : storage_(storage) {
  if (storage == "redis") {
    redis_ = std::make_unique<redis_server>(redis_options{.password = std::string(password)});
    load(redis_->tcp());
  } else if (storage == "mysql" || storage == "handlersocket") {
    mariadb_ = std::make_unique<mariadb_server>();
    load(mariadb_->mysql_unix());
  } else if (storage == "lmdb") {
    lmdb_ = std::make_unique<lmdb_directory>();
    load(lmdb_->where());
  } else if (storage == "echo") {
    echo_ = std::make_unique<echo_server>();
  }
}

const data_set& loaded_storage::data() {
  static const data_set small(2000, 100, 7);
  return small;
}

loaded_storage& loaded_storage::shared(std::string_view storage) {
  static std::map<std::string, std::unique_ptr<loaded_storage>, std::less<>> made;
  auto& one = made[std::string(storage)];
  if (!one) one = std::make_unique<loaded_storage>(storage);
  return *one;
}

target loaded_storage::at(transport via) const {
  if (redis_) return via == transport::tcp ? redis_->tcp() : redis_->unix_socket();
  if (mariadb_ && storage_ == "handlersocket") return mariadb_->handlersocket();
  if (mariadb_) return via == transport::tcp ? mariadb_->mysql_tcp() : mariadb_->mysql_unix();
  if (lmdb_) return lmdb_->where();
  if (echo_) return via == transport::tcp ? echo_->tcp() : echo_->unix_socket();
  return {.storage = storage_};
}

pid_t loaded_storage::pid() const {
  if (redis_) return redis_->pid();
  return echo_ ? echo_->pid() : mariadb_->pid();
}

void loaded_storage::kill() {
  if (redis_) redis_->kill();
  if (mariadb_) mariadb_->kill();
  if (echo_) echo_->kill();
}

void loaded_storage::freeze() {
  if (::kill(pid(), SIGSTOP) != 0) throw std::system_error(errno, std::generic_category(), "SIGSTOP");
  if (!eventually(std::chrono::seconds(10), [this] { return all_threads_stopped(pid()); }))
    throw std::runtime_error("the server goes on");
}

void loaded_storage::thaw() {
  ::kill(pid(), SIGCONT);
}

}  // namespace dbdyno::conformance
