#include "drivers/skeleton/driver.hpp"

#include "drivers/errors.hpp"
#include "drivers/version.hpp"

namespace dbdyno {
namespace {

constexpr std::string_view driver_name = "skeleton/map";
constexpr std::string_view interrupted_text = "interrupted";

void connect(const connect_options& options) {
  // The step is a verb phrase that the target can follow: "cannot authenticate at <target>: <reason>".
  if (!options.where.password.empty()) {
    throw setup_error(driver_name, "authenticate at", options.where.masked(), "it knows no passwords");
  }
}

}  // namespace

bool skeleton_storage::read(std::uint32_t id, std::string& value) const {
  const std::lock_guard lock(mutex_);
  const auto found = values_.find(id);
  if (found == values_.end()) return false;
  value = found->second;
  return true;
}

void skeleton_storage::write(std::uint32_t id, std::string_view value) {
  const std::lock_guard lock(mutex_);
  values_[id] = value;
}

skeleton_sync::skeleton_sync(const connect_options& options, skeleton_storage& storage)
    : storage_(storage), value_size_(options.value_size) {
  reply_.reserve(options.value_size);
  connect(options);
}

op_status skeleton_sync::get(const key& k, std::string_view& value) noexcept {
  if (interrupted_.load(std::memory_order_relaxed)) {
    error_ = interrupted_text;
    return op_status::unsent;
  }
  if (!storage_.read(k.id(), reply_)) return op_status::not_found;
  value = reply_;
  return op_status::ok;
}

op_status skeleton_sync::set(const key& k, std::string_view value) noexcept {
  if (value.size() > value_size_) return op_status::too_large;
  if (interrupted_.load(std::memory_order_relaxed)) {
    error_ = interrupted_text;
    return op_status::unsent;
  }
  storage_.write(k.id(), value);
  return op_status::ok;
}

skeleton_in_flight::skeleton_in_flight(const connect_options& options, skeleton_storage& storage)
    : options_(options),
      storage_(storage),
      lost_(options.connections),
      values_(options.writes ? std::size_t{options.connections} * options.window : 0) {
  queued_.reserve(std::size_t{options.connections} * options.window);
  for (std::string& value : values_) value.reserve(options.value_size);
  reply_.reserve(options.value_size);
  connect(options);
}

submitted skeleton_in_flight::submit_get(slot s, const key& k) noexcept {
  queued_.push_back({.which = s, .id = k.id(), .is_get = true});
  return submitted::queued;
}

submitted skeleton_in_flight::submit_set(slot s, const key& k, std::string_view value) noexcept {
  const bool too_large = value.size() > options_.value_size;
  if (!too_large) values_[s].assign(value);
  queued_.push_back({.which = s, .id = k.id(), .is_get = false, .too_large = too_large});
  return submitted::queued;
}

void skeleton_in_flight::reopen(std::uint32_t connection, std::chrono::milliseconds limit) {
  options_.connect_timeout = limit;
  connect(options_);
  lost_[connection] = false;
}

op_status skeleton_in_flight::execute(const request& r) noexcept {
  if (r.too_large) return op_status::too_large;
  if (lost_[r.which / options_.window]) {
    error_ = given_up_text;
    return op_status::unsent;
  }
  if (interrupted_.load(std::memory_order_relaxed)) {
    error_ = interrupted_text;
    return op_status::unsent;
  }
  if (r.is_get) return storage_.read(r.id, reply_) ? op_status::ok : op_status::not_found;
  storage_.write(r.id, values_[r.which]);
  return op_status::ok;
}

std::string skeleton_map::version() {
  return "dbdyno " DBDYNO_VERSION;
}

}  // namespace dbdyno
