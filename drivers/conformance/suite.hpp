#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "drivers/conformance/servers.hpp"
#include "drivers/conformance/subject.hpp"
#include "drivers/errors.hpp"

/// What the tests of the suite share.
namespace dbdyno::conformance {

inline constexpr std::size_t largest_value = 1024;
inline constexpr std::uint32_t missing_id = 1'999'999'999;

/// Another number each time: subjects of one storage share a server, and some storages call a set to the
/// stored value one that changed nothing.
inline std::uint32_t fresh_number() {
  static std::uint32_t last = 0;
  return ++last;
}
inline std::string fresh_value() {
  return "value " + std::to_string(fresh_number());
}

template <class Subject>
connect_options options_for(const target& where) {
  connect_options options;
  options.where = where;
  options.writes = true;
  // Where nothing is stored, every value has the size agreed.
  options.value_size =
      Subject::family::storage == "echo" ? loaded_storage::data().largest_value() : largest_value;
  return options;
}

struct subject_names {
  template <class T>
  static std::string GetName(int) {
    return T::name();
  }
};

template <class Subject>
class networked_driver : public ::testing::Test {
 protected:
  static loaded_storage& server() { return loaded_storage::shared(Subject::family::storage); }
  static connect_options options() { return options_for<Subject>(server().at(Subject::via)); }
  static key one() { return loaded_storage::data().make_key(1); }

  /// What constructing the driver throws.
  static std::string failure_to_connect(const connect_options& options) {
    try {
      const client<Subject> connected(options);
      return "it connected";
    } catch (const setup_error& error) {
      return error.what();
    }
  }
};
template <class Subject>
class in_flight_subject : public networked_driver<Subject> {
 protected:
  struct completion {
    slot which;
    op_status status;
    std::string value;
  };

  static constexpr std::uint32_t window_of(std::uint32_t wanted) {
    return std::min<std::uint32_t>(wanted, Subject::driver::max_window);
  }

  /// Polls until nothing is in flight any more.
  static std::vector<completion> finish(typename Subject::driver& driver, std::size_t in_flight) {
    std::vector<completion> out;
    const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (out.size() < in_flight) {
      const std::size_t before = out.size();
      const unsigned done = driver.poll(until, [&](slot s, op_status status, std::string_view value) {
        out.push_back({s, status, std::string(value)});
      });
      // The harness counts operations by what poll returns.
      EXPECT_EQ(done, out.size() - before);
      if (done == 0) break;
    }
    return out;
  }
};
}  // namespace dbdyno::conformance
