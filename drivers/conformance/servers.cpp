#include "drivers/conformance/servers.hpp"

#include <map>
#include <string>

#include "data-loaders/loader.hpp"

namespace dbdyno::conformance {
namespace {

constexpr std::string_view password = "conformance-secret";

void load(const target& where) {
  make_loader(where, std::chrono::seconds(5))
      ->load(loaded_storage::data(), false, [](std::string_view, std::uint64_t, std::uint64_t) {});
}

}  // namespace

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
  return {.storage = storage_};
}

pid_t loaded_storage::pid() const {
  return redis_ ? redis_->pid() : mariadb_->pid();
}

void loaded_storage::kill() {
  if (redis_) redis_->kill();
  if (mariadb_) mariadb_->kill();
}

}  // namespace dbdyno::conformance
