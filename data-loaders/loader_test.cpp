// What every loader promises, whatever it loads.
#include "data-loaders/loader.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "data-loaders/loaded_storage.hpp"
#include "data-loaders/marker.hpp"
#include "drivers/errors.hpp"
#include "fixtures/value_writer.hpp"

namespace dbdyno {
namespace {

using testing::AllOf;
using testing::HasSubstr;

constexpr std::uint32_t keys =
    12'345;  // more than one batch, statement, transaction or window of every loader
constexpr std::size_t value_size = 64;

class every_loader : public testing::TestWithParam<const char*> {
 protected:
  std::unique_ptr<loader> open() const { return make_loader(storage_->where(), std::chrono::seconds(10)); }
  void load(const data_set& data, bool replace = false) const { open()->load(data, replace, {}); }
  verification verify(const data_set& data) const { return open()->verify(data, {}); }
  std::optional<data_set> read_marker() const { return open()->read_marker(); }

  std::string refusal_of_load(const data_set& data) const {
    try {
      load(data);
    } catch (const setup_error& error) {
      return error.what();
    }
    return "accepted";
  }

  void expect_holds(const data_set& data) const {
    const verification found = verify(data);
    EXPECT_EQ(found.to_string(), verification({.expected = data.keys(), .intact = data.keys()}).to_string());
    EXPECT_EQ(found.checksum, checksum_of(data));
    EXPECT_EQ(read_marker(), data);
  }

  static std::string value_of(const data_set& data, std::uint32_t id) {
    std::string value(data.largest_value(), '\0');
    data.fill_value(id, value.data());
    return value;
  }
  static std::uint64_t checksum_of(const data_set& data) {
    std::uint64_t sum = 0;
    for (std::uint32_t id = 1; id <= data.keys(); ++id) sum += data_set::checksum(id, value_of(data, id));
    return sum;
  }

  std::unique_ptr<loaded_storage> storage_ = make_loaded_storage(GetParam());
};

TEST_P(every_loader, loads_again_less_and_more_without_harm) {
  EXPECT_EQ(read_marker(), std::nullopt);
  const data_set data(keys, value_size, 1);
  load(data);
  expect_holds(data);
  EXPECT_EQ(storage_->get(keys), value_of(data, keys));
  EXPECT_EQ(storage_->marker(), "dbdyno 1 seed=1 keys=12345 value_size=64");

  load(data);
  expect_holds(data);
  EXPECT_EQ(verify(data_set(keys + 5, value_size, 1)).missing, 5U);
  EXPECT_EQ(verify(data_set(keys - 5, value_size, 1)).unexpected, 5U);
  EXPECT_EQ(verify(data_set(keys, value_size, 2)).wrong, keys);

  const data_set smaller_of_another_seed(1001, 1024, 9);
  load(smaller_of_another_seed);
  expect_holds(smaller_of_another_seed);
  EXPECT_EQ(storage_->get(1002), "(none)");

  const data_set larger(2 * keys, 16, 1);
  load(larger);
  expect_holds(larger);

  const data_set smallest(1, 16, 1);
  load(smallest);
  expect_holds(smallest);
}

TEST_P(every_loader, reports_what_was_changed_since_and_restores_it) {
  const data_set data(keys, value_size, 1);
  load(data);
  value_writer writer(data, 1);
  storage_->put(1, writer.next(data.make_key(1)));
  storage_->put(keys, writer.next(data.make_key(keys)));
  storage_->put(2, "short");
  storage_->put(3, value_of(data, 4));
  storage_->remove(4);
  storage_->put(keys + 1, value_of(data, 5));

  const verification found = verify(data);
  EXPECT_FALSE(found.as_loaded());
  EXPECT_EQ(found.to_string(),
            "12,340 of 12,345 keys intact, 2 overwritten by sets, 1 missing, 2 with a wrong value, 1 beyond "
            "the data set: "
            "run dbdyno-load again to restore");
  load(data);
  expect_holds(data);
}

TEST_P(every_loader, refuses_and_keeps_what_it_did_not_make_unless_told_to_replace_it) {
  const data_set data(100, value_size, 1);
  storage_->put(7, "precious");
  EXPECT_THAT(refusal_of_load(data), AllOf(HasSubstr(storage_->where().masked()), HasSubstr("it holds "),
                                           HasSubstr("dbdyno-load did not make"), HasSubstr("--replace")));
  EXPECT_EQ(storage_->get(7), "precious");
  EXPECT_EQ(read_marker(), std::nullopt);

  storage_->put_marker("dbdyno 2 of the future");
  EXPECT_THAT(refusal_of_load(data), AllOf(HasSubstr("dbdyno 2 of the future"), HasSubstr("--replace")));
  EXPECT_THROW(read_marker(), setup_error);
  EXPECT_EQ(storage_->get(7), "precious");

  storage_->put(1000, "precious");
  load(data, true);
  expect_holds(data);
}

TEST_P(every_loader, completes_a_load_that_was_interrupted) {
  struct interruption {};
  const data_set data(keys, value_size, 1);
  const auto interrupt = [](std::string_view step, std::uint64_t done, std::uint64_t total) {
    EXPECT_EQ(step, "loading");
    EXPECT_EQ(total, keys);
    if (done >= 5000) throw interruption();
  };
  EXPECT_THROW(open()->load(data, false, interrupt), interruption);
  EXPECT_EQ(storage_->marker(), marker::loading);
  EXPECT_EQ(read_marker(), std::nullopt);
  EXPECT_FALSE(verify(data_set(1, value_size, 1)).as_loaded());

  const data_set less(100, value_size, 2);
  load(less);
  expect_holds(less);

  // Interrupted over data that was whole: the old marker must not vouch for a mixture.
  EXPECT_THROW(open()->load(data, false, interrupt), interruption);
  EXPECT_EQ(read_marker(), std::nullopt);
}

TEST_P(every_loader, reports_progress_while_loading_and_reading_back) {
  const data_set data(keys, value_size, 1);
  std::uint64_t loaded = 0;
  std::uint64_t verified = 0;
  const loading_progress progress = [&](std::string_view step, std::uint64_t done, std::uint64_t total) {
    EXPECT_LE(done, total);
    EXPECT_EQ(total, keys);
    std::uint64_t& latest = step == "loading" ? loaded : verified;
    EXPECT_GE(done, latest);
    latest = done;
  };
  const auto storage_loader = open();
  storage_loader->load(data, false, progress);
  EXPECT_GT(loaded, keys / 2);
  EXPECT_EQ(verified, 0U);
  storage_loader->verify(data, progress);
  EXPECT_GT(verified, keys / 2);
}

INSTANTIATE_TEST_SUITE_P(storages, every_loader, testing::Values("redis", "mysql", "lmdb"),
                         [](const auto& storage) { return std::string(storage.param); });

}  // namespace
}  // namespace dbdyno
