#include "drivers/lmdb/environment.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "drivers/errors.hpp"
#include "drivers/lmdb/driver.hpp"

namespace dbdyno {
namespace {

using pairs = std::vector<std::pair<std::string, std::string>>;

static_assert(driver_family<lmdb_lmdb>);
static_assert(has_sync<lmdb_lmdb>);

pairs all_of(const lmdb_environment& environment) {
  pairs found;
  environment.for_each([&](std::string_view key, std::string_view value) { found.emplace_back(key, value); });
  return found;
}

class lmdb_environment_test : public testing::Test {
 protected:
  lmdb_environment_test() {
    std::string name = testing::TempDir() + "dbdyno-lmdb-XXXXXX";
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary directory");
    parent_ = name;
  }
  ~lmdb_environment_test() override { std::filesystem::remove_all(parent_); }

  const std::string& parent() const { return parent_; }
  std::string directory() const { return parent_ + "/data"; }
  lmdb_environment create() const { return {directory(), lmdb_environment::missing_directory::create}; }

  connect_options options() const {
    connect_options result;
    result.where.storage = "lmdb";
    result.where.path = directory();
    result.value_size = 1024;
    return result;
  }

 private:
  std::string parent_;
};

TEST_F(lmdb_environment_test, a_directory_made_on_request_is_private) {
  create();
  struct stat info {};
  ASSERT_EQ(::stat(directory().c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0700U);
}

TEST_F(lmdb_environment_test, a_written_value_reads_back) {
  lmdb_environment environment = create();
  std::string bytes;
  for (int i = 0; i < 1024; ++i) bytes.push_back(static_cast<char>(i));
  lmdb_bulk_writer writer(environment);
  writer.put("all", bytes);
  writer.put("empty", "");
  writer.commit();
  EXPECT_EQ(environment.get("all"), bytes);
  EXPECT_EQ(environment.get("empty"), "");
  EXPECT_EQ(environment.get("missing"), std::nullopt);
}

TEST_F(lmdb_environment_test, a_scan_is_ordered_by_the_bytes_of_the_keys) {
  lmdb_environment environment = create();
  lmdb_bulk_writer writer(environment);
  for (const char* key : {"dbdyno:9", "dbdyno:10", "\xff", "dbdyno:1", "a"}) writer.put(key, "v");
  writer.commit();
  EXPECT_EQ(all_of(environment),
            (pairs{{"a", "v"}, {"dbdyno:1", "v"}, {"dbdyno:10", "v"}, {"dbdyno:9", "v"}, {"\xff", "v"}}));
}

TEST_F(lmdb_environment_test, full_batches_are_committed_and_the_rest_is_dropped_without_commit) {
  lmdb_environment environment = create();
  {
    lmdb_bulk_writer writer(environment, 2);
    for (const char* key : {"a", "b", "c"}) writer.put(key, "v");
  }
  EXPECT_EQ(all_of(environment), (pairs{{"a", "v"}, {"b", "v"}}));
  EXPECT_EQ(environment.count(), 2U);
}

TEST_F(lmdb_environment_test, clearing_drops_what_was_there_and_keeps_what_comes_after) {
  lmdb_environment environment = create();
  lmdb_bulk_writer writer(environment);
  writer.put("old", "v");
  writer.commit();
  writer.clear();
  writer.put("new", "v");
  writer.commit();
  EXPECT_EQ(all_of(environment), (pairs{{"new", "v"}}));
}

TEST_F(lmdb_environment_test, reopening_keeps_the_data) {
  {
    lmdb_environment environment = create();
    lmdb_bulk_writer writer(environment);
    writer.put("key", "value");
    writer.commit();
  }
  const lmdb_environment reopened(options());
  EXPECT_EQ(reopened.get("key"), "value");
}

TEST_F(lmdb_environment_test, a_key_longer_than_lmdb_takes_is_an_error) {
  lmdb_environment environment = create();
  lmdb_bulk_writer writer(environment);
  EXPECT_THROW(writer.put(std::string(512, 'k'), "v"), setup_error);
}

TEST_F(lmdb_environment_test, a_missing_directory_is_named_in_the_error) {
  try {
    const lmdb_environment environment(options());
    FAIL() << "opened " << directory();
  } catch (const setup_error& error) {
    EXPECT_EQ(error.driver(), "lmdb/lmdb");
    EXPECT_EQ(error.step(), "open");
    EXPECT_EQ(error.target(), "lmdb://" + directory());
    EXPECT_EQ(error.reason(), "No such file or directory");
  }
  EXPECT_FALSE(std::filesystem::exists(directory()));
}

TEST_F(lmdb_environment_test, a_directory_of_other_files_is_left_alone) {
  std::filesystem::create_directory(directory());
  std::ofstream(directory() + "/precious.txt") << "text";
  EXPECT_THROW(create(), setup_error);
  EXPECT_FALSE(std::filesystem::exists(directory() + "/data.mdb"));
}

TEST_F(lmdb_environment_test, a_damaged_file_is_an_error) {
  std::filesystem::create_directory(directory());
  std::ofstream(directory() + "/data.mdb") << std::string(8192, 'x');
  EXPECT_THROW(lmdb_environment{options()}, setup_error);
}

TEST_F(lmdb_environment_test, a_get_sees_the_latest_set_of_any_driver) {
  lmdb_environment environment = create();
  lmdb_sync writer(options(), environment);
  lmdb_sync reader(options(), environment);
  const key k(7, 0);
  std::string_view value = "untouched";
  EXPECT_EQ(reader.get(k, value), op_status::not_found);
  EXPECT_EQ(value, "untouched");
  for (const char* written : {"first", "second", ""}) {
    ASSERT_EQ(writer.set(k, written), op_status::ok);
    ASSERT_EQ(reader.get(k, value), op_status::ok);
    EXPECT_EQ(value, written);
  }
  EXPECT_EQ(environment.get(k.text()), "");
}

TEST_F(lmdb_environment_test, a_value_got_stays_valid_while_others_set) {
  lmdb_environment environment = create();
  lmdb_sync writer(options(), environment);
  lmdb_sync reader(options(), environment);
  ASSERT_EQ(writer.set(key(1, 0), std::string(1000, 'a')), op_status::ok);
  std::string_view value;
  ASSERT_EQ(reader.get(key(1, 0), value), op_status::ok);
  for (int i = 0; i < 100; ++i) ASSERT_EQ(writer.set(key(1, 0), std::string(1000, 'b')), op_status::ok);
  EXPECT_EQ(value, std::string(1000, 'a'));
}

TEST_F(lmdb_environment_test, pages_that_a_driver_once_read_are_reused_by_its_sets) {
  lmdb_environment environment = create();
  lmdb_sync driver(options(), environment);
  std::string_view value;
  ASSERT_EQ(driver.set(key(1, 0), std::string(1000, 'x')), op_status::ok);
  ASSERT_EQ(driver.get(key(1, 0), value), op_status::ok);
  const auto overwrite_and_measure = [&] {
    for (int i = 0; i < 100; ++i) {
      EXPECT_EQ(driver.set(key(1, 0), std::string(1000, static_cast<char>('a' + i % 26))), op_status::ok);
    }
    return std::filesystem::file_size(directory() + "/data.mdb");
  };
  const auto once = overwrite_and_measure();
  EXPECT_EQ(overwrite_and_measure(), once);
}

TEST_F(lmdb_environment_test, a_value_longer_than_announced_is_not_stored) {
  lmdb_environment environment = create();
  lmdb_sync driver(options(), environment);
  EXPECT_EQ(driver.set(key(1, 0), std::string(1025, 'x')), op_status::too_large);
  EXPECT_EQ(environment.count(), 0U);
}

}  // namespace
}  // namespace dbdyno
