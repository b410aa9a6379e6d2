#include "data-loaders/redis_loader.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <initializer_list>
#include <string>

#include "drivers/errors.hpp"
#include "drivers/redis/client.hpp"
#include "fixtures/redis_server.hpp"
#include "fixtures/user_rows.hpp"

namespace dbdyno {
namespace {

constexpr std::chrono::seconds timeout{10};

class redis_keys : public testing::Test {
 protected:
  resp_reply run(std::initializer_list<std::string_view> words) const {
    return redis_client("test", server_.tcp(), timeout).command(words);
  }
  std::unique_ptr<loader> open(std::string database = "") const {
    target where = server_.tcp();
    where.database = std::move(database);
    return make_redis_loader(where, timeout);
  }

  redis_server server_{{.password = "s3cret"}};
};

TEST_F(redis_keys, of_others_are_never_touched) {
  run({"SET", "other", "1"});
  run({"SET", "dbdyno:notes", "2"});
  run({"SET", "dbdyno:7x", "3"});
  // Keys that look like others' are not in the way, and not counted.
  open()->load(data_set(3000, 16, 1), false, {});
  open()->load(data_set(10, 16, 1), false, {});
  open()->load(data_set(5, 16, 1), true, {});
  EXPECT_TRUE(open()->verify(data_set(5, 16, 1), {}).as_loaded());
  EXPECT_EQ(run({"GET", "other"}).text, "1");
  EXPECT_EQ(run({"GET", "dbdyno:notes"}).text, "2");
  EXPECT_EQ(run({"GET", "dbdyno:7x"}).text, "3");
  constexpr int rows = 3;
  EXPECT_EQ(run({"DBSIZE"}).integer, 5 + 1 + rows + 3);
}

TEST_F(redis_keys, where_rows_belong_are_not_taken_unless_they_are_ours) {
  run({"SET", "dbdyno:user:2", "somebody's"});
  const data_set data(10, 16, 1);
  try {
    open()->load(data, false, {});
    FAIL() << "took somebody's key";
  } catch (const setup_error& error) {
    EXPECT_NE(std::string(error.what()).find("the key dbdyno:user:2"), std::string::npos) << error.what();
  }
  EXPECT_EQ(run({"GET", "dbdyno:user:2"}).text, "somebody's");
  open()->load(data, true, {});
  EXPECT_EQ(describe_difference_from_user_rows(open()->read_rows(rows_source::table)), "");
  EXPECT_TRUE(open()->verify(data, {}).as_loaded());
}

TEST_F(redis_keys, of_another_type_are_wrong_until_loaded_again) {
  const data_set data(10, 16, 1);
  open()->load(data, false, {});
  run({"DEL", "dbdyno:3"});
  run({"RPUSH", "dbdyno:3", "element"});
  const verification found = open()->verify(data, {});
  EXPECT_EQ(found.wrong, 1U);
  EXPECT_EQ(found.intact, 9U);
  open()->load(data, false, {});
  EXPECT_TRUE(open()->verify(data, {}).as_loaded());
}

TEST_F(redis_keys, are_loaded_into_the_database_of_the_url) {
  const data_set data(10, 16, 1);
  open("3")->load(data, false, {});
  EXPECT_EQ(open()->read_marker(), std::nullopt);
  EXPECT_EQ(open("3")->read_marker(), data);
  EXPECT_EQ(run({"DBSIZE"}).integer, 0);
}

TEST_F(redis_keys, that_the_server_refuses_end_the_load_with_its_words_and_without_a_marker) {
  run({"CONFIG", "SET", "maxmemory", "1"});
  // The marker itself is refused then.
  EXPECT_THROW(open()->load(data_set(10, 16, 1), false, {}), setup_error);
  run({"CONFIG", "SET", "maxmemory", "0"});
  run({"CONFIG", "SET", "min-replicas-to-write", "1"});
  try {
    open()->load(data_set(10, 16, 1), false, {});
    FAIL() << "a load without replicas was accepted";
  } catch (const setup_error& error) {
    EXPECT_NE(std::string(error.what()).find("NOREPLICAS"), std::string::npos) << error.what();
    EXPECT_EQ(std::string(error.what()).find("s3cret"), std::string::npos) << error.what();
  }
  EXPECT_EQ(open()->read_marker(), std::nullopt);
}

}  // namespace
}  // namespace dbdyno
