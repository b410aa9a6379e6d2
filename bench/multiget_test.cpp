#include "bench/multiget.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace dbdyno {
namespace {

const data_set twenty(20, 32, 1);

workload_settings settings_of(std::uint32_t keys, key_order order) {
  return {.data = twenty, .multiget_keys = keys, .order = order, .seed = 1};
}

/// Answers in reverse order; leaves out, doubles or changes what it is told to.
class scripted_multiget {
 public:
  scripted_multiget() = default;
  scripted_multiget(const scripted_multiget&) = delete;
  op_status get(const key&, std::string_view&) noexcept { return op_status::refused; }
  op_status set(const key&, std::string_view) noexcept { return op_status::refused; }
  op_status multiget(std::span<const key> keys, std::string_view& out) noexcept {
    asked.clear();
    block.clear();
    for (auto k = keys.rbegin(); k != keys.rend(); ++k) {
      asked.insert(k->id());
      std::string value(twenty.largest_value(), ' ');
      twenty.fill_value(k->id(), value.data());
      if (k == keys.rbegin()) value = mangle(value);
      if (k != keys.rbegin() || !value.empty()) append_cell(block, value);
    }
    out = block;
    return op_status::ok;
  }
  void interrupt() noexcept {}
  std::string last_error() const { return {}; }

  std::string (*mangle)(const std::string&) = [](const std::string& value) { return value; };
  std::set<std::uint32_t> asked{};
  std::string block{};
};

TEST(multiget, asks_for_so_many_different_keys_in_any_order) {
  for (const key_order order : {key_order::uniform, key_order::zipfian, key_order::sequential}) {
    multiget_workload workload(settings_of(10, order));
    scripted_multiget driver;
    for (int i = 0; i < 10'000; ++i) {
      ASSERT_EQ(workload.run(driver, key()), op_status::ok);
      ASSERT_EQ(driver.asked.size(), 10U);
    }
  }
}

TEST(multiget, takes_all_keys_there_are) {
  multiget_workload workload(settings_of(20, key_order::zipfian));
  scripted_multiget driver;
  EXPECT_EQ(workload.run(driver, key()), op_status::ok);
  EXPECT_EQ(driver.asked.size(), 20U);
}

class id_collector {
 public:
  id_collector() = default;
  id_collector(const id_collector&) = delete;
  op_status get(const key&, std::string_view&) noexcept { return op_status::refused; }
  op_status set(const key&, std::string_view) noexcept { return op_status::refused; }
  op_status multiget(std::span<const key> keys, std::string_view&) noexcept {
    for (const key& k : keys) ids.insert(k.id());
    return op_status::not_found;
  }
  void interrupt() noexcept {}
  std::string last_error() const { return {}; }

  std::set<std::uint32_t> ids{};
};

TEST(multiget, comes_to_every_key_in_sequence) {
  const data_set many(70'000, 32, 1);
  multiget_workload workload({.data = many, .multiget_keys = 7, .order = key_order::sequential, .seed = 1});
  id_collector driver;
  for (int i = 0; i < 10'000; ++i) workload.run(driver, key());
  EXPECT_EQ(driver.ids.size(), 70'000U);
}

TEST(multiget, is_right_only_if_every_value_is) {
  multiget_workload workload(settings_of(10, key_order::uniform));
  scripted_multiget driver;
  driver.mangle = [](const std::string&) { return std::string(); };
  EXPECT_EQ(workload.run(driver, key()), op_status::not_found) << "one is missing";
  driver.mangle = [](const std::string& value) { return value + "x"; };
  EXPECT_EQ(workload.run(driver, key()), op_status::wrong_reply) << "one is too long";
  driver.mangle = [](const std::string&) { return std::string("short"); };
  EXPECT_EQ(workload.run(driver, key()), op_status::wrong_reply) << "one has no tag";
  driver.mangle = [](const std::string& value) { return '!' + value.substr(1); };
  EXPECT_EQ(workload.run(driver, key()), op_status::wrong_reply) << "one has another tag";
}

}  // namespace
}  // namespace dbdyno
