#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "drivers/driver.hpp"
#include "drivers/errors.hpp"

namespace dbdyno {

/// A sync driver that is constructed for every request, or every few, and destroyed after it: opening,
/// authenticating and closing are part of the request.
///
/// connect_options::reuse says how many requests a connection is for. A request that fails ends it, too.
template <sync_driver Driver>
class reconnecting {
 public:
  static constexpr bool spins = can_spin<Driver>();

  explicit reconnecting(const connect_options& options) : options_(options) {
    options_.bare = true;
    value_.reserve(options.value_size);
  }
  reconnecting(const reconnecting&) = delete;
  reconnecting& operator=(const reconnecting&) = delete;

  op_status get(const key& k, std::string_view& value) noexcept {
    if (driver_ == nullptr && !open()) return end_of_failed_open();
    std::string_view read;
    const op_status status = driver_->get(k, read);
    if (status == op_status::ok) {
      // The connection takes its buffers with it.
      value_ = read;
      value = value_;
    } else if (is_error(status)) {
      error_ = driver_->last_error();
    }
    if (++used_ >= options_.reuse || is_error(status)) close();
    return status;
  }
  op_status set(const key&, std::string_view) noexcept { return op_status::unstorable; }

  void interrupt() noexcept {
    interrupted_.store(true);
    // Whoever is changing the driver looks for itself afterwards.
    if (changing_.test_and_set()) return;
    if (driver_ != nullptr) driver_->interrupt();
    changing_.clear();
  }
  std::string last_error() const { return error_; }

 private:
  /// After interrupt() this object is only good for being destroyed, as any driver, which a lost connection
  /// brings about.
  op_status end_of_failed_open() noexcept {
    return interrupted_.load() ? op_status::disconnected : op_status::connect;
  }

  bool open() noexcept {
    try {
      replace(std::make_unique<Driver>(options_));
    } catch (const std::exception& error) {
      error_ = error.what();
      return false;
    }
    used_ = 0;
    if (interrupted_.load()) driver_->interrupt();
    return true;
  }
  void close() noexcept { replace(nullptr); }

  void replace(std::unique_ptr<Driver> by) noexcept {
    // An interrupt() on another thread takes no time; one on this thread is over.
    while (changing_.test_and_set()) {
    }
    driver_.swap(by);
    changing_.clear();
  }

  connect_options options_;
  std::unique_ptr<Driver> driver_;
  std::uint32_t used_ = 0;
  std::string value_;
  std::string error_;
  std::atomic_flag changing_;  ///< guards driver_, as a pointer, against interrupt(), which does not wait
  std::atomic<bool> interrupted_{false};
};

}  // namespace dbdyno
