#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

namespace dbdyno {

/// The user asked for something impossible; programs exit with 2. what() names the thing and the cure.
class usage_error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A target could not be started, reached, authenticated or used, or is not loaded; programs exit with 4.
/// what() reads "<driver>: cannot <step> <target>: <reason>", then what to do about it where that is known,
/// and never holds a secret.
class setup_error : public std::runtime_error {
 public:
  /// driver: "redis/hiredis"; step: a verb phrase ("connect to", "authenticate at", "prepare a statement
  /// on"); target: target::masked(), or a server's name; reason: what the system or the server said.
  setup_error(std::string_view driver, std::string_view step, std::string_view target,
              std::string_view reason);

  const std::string& driver() const noexcept { return driver_; }
  const std::string& step() const noexcept { return step_; }
  const std::string& target() const noexcept { return target_; }
  const std::string& reason() const noexcept { return reason_; }

  /// Of a driver with several connections: how many of them it had opened before. Told by its constructor.
  std::uint32_t opened_before() const noexcept { return opened_before_; }
  void set_opened_before(std::uint32_t connections) noexcept { opened_before_ = connections; }
  /// Whether the server refused because it has as many connections as it takes.
  bool is_connection_limit() const noexcept;

 private:
  std::string driver_;
  std::string step_;
  std::string target_;
  std::string reason_;
  std::uint32_t opened_before_ = 0;
};

}  // namespace dbdyno
