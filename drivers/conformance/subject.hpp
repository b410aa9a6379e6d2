#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "drivers/driver.hpp"

namespace dbdyno::conformance {

/// One mode of one driver over one transport: a type for a typed test.
template <driver_family FamilyType, class DriverType, mode Mode, transport Via>
struct subject {
  using family = FamilyType;
  using driver = DriverType;
  static constexpr mode how = Mode;
  static constexpr transport via = Via;
  static std::string name() {
    return std::string(family::storage) + "_" + std::string(family::name) + "_" +
           std::string(to_string(how)) + "_" + std::string(to_string(via));
  }
};

struct reply {
  op_status status;
  std::string value;
};

/// A connected driver, asked one thing at a time, whichever mode it has.
template <class Subject>
class client {
 public:
  using driver_type = typename Subject::driver;

  explicit client(const connect_options& options) : options_(options) {
    if constexpr (requires { typename Subject::family::shared; }) {
      shared_ = std::make_unique<typename Subject::family::shared>(options);
      driver_.emplace(options, *shared_);
    } else {
      driver_.emplace(options);
    }
  }

  driver_type& driver() { return *driver_; }

  reply get(const key& k) {
    if constexpr (sync_driver<driver_type>) {
      std::string_view value;
      const op_status status = driver_->get(k, value);
      return {status, std::string(value)};
    } else {
      return wait_for(driver_->submit_get(0, k));
    }
  }

  op_status set(const key& k, std::string_view value) { return try_set(k, value).status; }

  /// With what the driver handed over with the status, if its mode does so.
  reply try_set(const key& k, std::string_view value) {
    if constexpr (sync_driver<driver_type>) {
      return {driver_->set(k, value), {}};
    } else {
      return wait_for(driver_->submit_set(0, k, value));
    }
  }

 private:
  reply wait_for(submitted answer) {
    if (answer != submitted::queued) return {op_status::unsent, "busy with nothing in flight"};
    reply out{op_status::timeout, "no completion"};
    const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    driver_->poll(until, [&](slot, op_status status, std::string_view value) {
      out = {status, std::string(value)};
    });
    return out;
  }

  template <class Family>
  struct shared_of {
    using type = char;
  };
  template <class Family>
  requires requires { typename Family::shared; }
  struct shared_of<Family> {
    using type = typename Family::shared;
  };

  connect_options options_;
  std::unique_ptr<typename shared_of<typename Subject::family>::type> shared_;
  std::optional<driver_type> driver_;
};

}  // namespace dbdyno::conformance
