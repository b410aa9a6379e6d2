// The loops and the drivers that are this project's own take no memory from the heap per operation, and what
// others take is counted exactly.
#include <gtest/gtest.h>

#include <cstdlib>
#include <new>
#include <string>

#include "bench/driver_entry.hpp"
#include "bench/fake_driver.hpp"
#include "bench/get.hpp"
#include "bench/probe.hpp"
#include "bench/run_thread.hpp"
#include "data-loaders/loader.hpp"
#include "fixtures/mariadb_server.hpp"
#include "fixtures/redis_server.hpp"
#include "fixtures/user_rows.hpp"

namespace dbdyno {
namespace {

const data_set small(1000, 100, 3);

void* volatile last_block = nullptr;

/// Keeps the compiler from taking an allocation away.
void* keep(void* block) {
  last_block = block;
  return block;
}

TEST(allocation_counter, counts_every_way_to_take_memory) {
  allocation_counter counter;
  std::free(keep(std::malloc(100)));
  std::free(keep(std::calloc(10, 20)));
  std::free(keep(std::realloc(nullptr, 300)));
  std::free(keep(std::aligned_alloc(64, 64)));
  void* aligned = nullptr;
  ASSERT_EQ(::posix_memalign(&aligned, 64, 128), 0);
  std::free(keep(aligned));
  ::operator delete(keep(::operator new(1000)));
  const auto seen = counter.stop();
  ASSERT_TRUE(seen);
  EXPECT_EQ(seen->count, 6U);
  EXPECT_EQ(seen->bytes, 100U + 200 + 300 + 64 + 128 + 1000);
}

TEST(allocation_counter, counts_nothing_before_and_after) {
  std::free(keep(std::malloc(1)));
  allocation_counter counter;
  EXPECT_EQ(counter.stop()->count, 0U);
  std::free(keep(std::malloc(1)));
  EXPECT_EQ(counter.stop()->count, 0U);
}

row_plan plan_for(mode how, const target& where) {
  row_plan plan;
  plan.what.mode = how;
  plan.what.connections = how == mode::async ? 4 : 1;
  plan.what.depth = how == mode::sync ? 1 : 16;
  plan.where = where;
  plan.data = small;
  return plan;
}

/// Takes 3 blocks of 10 bytes for every get.
class wasteful_driver : public fake_sync {
 public:
  explicit wasteful_driver(const connect_options& options) : fake_sync(options) {}
  op_status get(const key& k, std::string_view& value) noexcept {
    for (int i = 0; i < 3; ++i) std::free(keep(std::malloc(10)));
    return fake_sync::get(k, value);
  }
};

TEST(allocations, of_a_driver_that_takes_three_blocks_an_operation_are_three) {
  fake_script script;
  fake_sync::script = &script;
  row_plan plan = plan_for(mode::sync, {.storage = "fake"});
  plan.data = script.data;
  const planned_cell planned{plan.what, run_thread<fake_family, wasteful_driver, get_workload>};
  watchdog dog(std::chrono::seconds(10));
  const probe_result result = probe(planned, plan, dog);
  EXPECT_EQ(result.allocations, 3.0);
  EXPECT_EQ(result.allocated_bytes, 30.0);
}

/// cells: so many are to be found; those that open a connection for each request are not among them.
void expect_none_per_operation(std::string_view storage, std::string_view name, const target& where,
                               unsigned cells) {
  unsigned checked = 0;
  for (const driver_entry& driver : all_drivers()) {
    if (driver.storage != storage || driver.name != name) continue;
    for (const runner_entry& runner : driver.runners) {
      if (runner.workload == "connect") continue;
      row_plan plan = plan_for(runner.mode, where);
      plan.what.multiget_keys = 10;
      plan.rows = user_rows_block();
      watchdog dog(std::chrono::seconds(10));
      const probe_result result = probe({plan.what, runner.run}, plan, dog);
      EXPECT_EQ(result.allocations, 0.0) << runner.workload << " " << to_string(runner.mode);
      ++checked;
    }
  }
  EXPECT_EQ(checked, cells);
}

void load(const target& where) {
  make_loader(where, std::chrono::seconds(5))->load(small, false, {});
}

TEST(allocations, null_takes_none) {
  expect_none_per_operation("null", "null", {.storage = "null"}, 11);
}

TEST(allocations, redis_wire_takes_none) {
  const redis_server server;
  load(server.tcp());
  expect_none_per_operation("redis", "wire", server.tcp(), 14);
}

TEST(allocations, handlersocket_takes_none) {
  const mariadb_server server;
  load(server.mysql_unix());
  expect_none_per_operation("handlersocket", "native", server.handlersocket(), 12);
}

}  // namespace
}  // namespace dbdyno
