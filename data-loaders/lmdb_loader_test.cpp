#include "data-loaders/lmdb_loader.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "drivers/errors.hpp"
#include "drivers/lmdb/environment.hpp"
#include "fixtures/lmdb_directory.hpp"

namespace dbdyno {
namespace {

void put(const target& where, std::string_view key, std::string_view value) {
  lmdb_environment environment(where.path, lmdb_environment::missing_directory::create);
  lmdb_bulk_writer writer(environment);
  writer.put(key, value);
  writer.commit();
}

TEST(lmdb_loader, makes_its_directory_only_to_load) {
  const lmdb_directory guard;
  const target where = guard.where();
  std::filesystem::remove_all(where.path);
  EXPECT_EQ(make_lmdb_loader(where)->read_marker(), std::nullopt);
  EXPECT_THROW(make_lmdb_loader(where)->verify(data_set(10, 16, 1), {}), setup_error);
  EXPECT_FALSE(std::filesystem::exists(where.path));
  make_lmdb_loader(where)->load(data_set(10, 16, 1), false, {});
  EXPECT_EQ(make_lmdb_loader(where)->read_marker(), data_set(10, 16, 1));
}

TEST(lmdb_loader, keeps_what_others_added_to_an_environment_of_ours) {
  const lmdb_directory guard;
  make_lmdb_loader(guard.where())->load(data_set(100, 16, 1), false, {});
  put(guard.where(), "theirs", "precious");
  make_lmdb_loader(guard.where())->load(data_set(10, 16, 1), true, {});
  EXPECT_TRUE(make_lmdb_loader(guard.where())->verify(data_set(10, 16, 1), {}).as_loaded());
  const lmdb_environment environment(guard.where().path, lmdb_environment::missing_directory::refuse);
  EXPECT_EQ(environment.get("theirs"), "precious");
}

TEST(lmdb_loader, empties_an_environment_of_others_only_when_told_to) {
  const lmdb_directory guard;
  put(guard.where(), "theirs", "precious");
  try {
    make_lmdb_loader(guard.where())->load(data_set(10, 16, 1), false, {});
    FAIL() << "was loaded";
  } catch (const setup_error& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("it holds 1 entry"));
  }
  make_lmdb_loader(guard.where())->load(data_set(10, 16, 1), true, {});
  EXPECT_EQ(lmdb_environment(guard.where().path, lmdb_environment::missing_directory::refuse).count(), 11U);
}

TEST(lmdb_loader, leaves_a_directory_of_other_files_alone) {
  const lmdb_directory guard;
  std::filesystem::create_directories(guard.where().path);
  std::ofstream(guard.where().path + "/letter.txt") << "dear";
  EXPECT_THROW(make_lmdb_loader(guard.where())->load(data_set(10, 16, 1), true, {}), setup_error);
  EXPECT_FALSE(std::filesystem::exists(guard.where().path + "/data.mdb"));
}

}  // namespace
}  // namespace dbdyno
