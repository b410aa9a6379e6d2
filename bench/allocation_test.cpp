// The loops and the drivers that are this project's own take no memory from the heap per operation.
#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>
#include <string>
#include <thread>

#include "bench/driver_entry.hpp"
#include "bench/row_session.hpp"
#include "bench/watchdog.hpp"
#include "data-loaders/loader.hpp"
#include "fixtures/mariadb_server.hpp"
#include "fixtures/redis_server.hpp"

namespace {

std::atomic<std::uint64_t> allocations{0};

}  // namespace

// glibc's own entry points, which these stand in front of. operator new arrives here, too.
extern "C" {
// NOLINTBEGIN(readability-identifier-naming,bugprone-reserved-identifier)
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* block, std::size_t size);
// NOLINTEND(readability-identifier-naming,bugprone-reserved-identifier)

void* malloc(std::size_t size) {
  allocations.fetch_add(1, std::memory_order_relaxed);
  return __libc_malloc(size);
}
void* calloc(std::size_t count, std::size_t size) {
  allocations.fetch_add(1, std::memory_order_relaxed);
  return __libc_calloc(count, size);
}
void* realloc(void* block, std::size_t size) {
  allocations.fetch_add(1, std::memory_order_relaxed);
  return __libc_realloc(block, size);
}
}

namespace dbdyno {
namespace {

const data_set small(1000, 100, 3);

/// Allocations of a whole row: connecting, preparing, running, leaving.
std::uint64_t allocations_of(const runner_entry& runner, const target& where, std::uint64_t requests) {
  row_plan plan;
  plan.what.mode = runner.mode;
  plan.what.connections = runner.mode == mode::async ? 4 : 1;
  plan.what.depth = runner.mode == mode::sync ? 1 : 16;
  plan.where = where;
  plan.data = small;
  plan.requests = requests;
  watchdog dog(std::chrono::seconds(10));
  row_session row(plan, dog);
  const std::uint64_t before = allocations;
  runner.run(row, 0);
  const std::uint64_t after = allocations;
  const row_result result = row.result();
  EXPECT_EQ(result.error, "");
  EXPECT_EQ(result.counts.operations(), requests);
  return after - before;
}

void expect_none_per_operation(std::string_view storage, std::string_view name, const target& where) {
  unsigned checked = 0;
  for (const driver_entry& driver : all_drivers()) {
    if (driver.storage != storage || driver.name != name) continue;
    for (const runner_entry& runner : driver.runners) {
      const std::string what = std::string(runner.workload) + " " + std::string(to_string(runner.mode));
      const std::uint64_t few = allocations_of(runner, where, 1000);
      const std::uint64_t many = allocations_of(runner, where, 11'000);
      EXPECT_GT(few, 0U) << what << ": preparing takes memory, so nothing was counted";
      EXPECT_EQ(few, many) << what;
      ++checked;
    }
  }
  EXPECT_EQ(checked, 6U);
}

void load(const target& where) {
  make_loader(where, std::chrono::seconds(5))->load(small, false, {});
}

TEST(allocations, null_takes_none) {
  expect_none_per_operation("null", "null", {.storage = "null"});
}

TEST(allocations, redis_wire_takes_none) {
  const redis_server server;
  load(server.tcp());
  expect_none_per_operation("redis", "wire", server.tcp());
}

TEST(allocations, handlersocket_takes_none) {
  const mariadb_server server;
  load(server.mysql_unix());
  expect_none_per_operation("handlersocket", "native", server.handlersocket());
}

}  // namespace
}  // namespace dbdyno
