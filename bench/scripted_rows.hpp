#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <string>

#include "bench/find_runner.hpp"
#include "bench/run_row.hpp"
#include "fixtures/scripted_server.hpp"

/// For tests: rows of the real drivers against servers whose answers are known.
namespace dbdyno {

/// Keys of one digit: all requests are equally long.
inline data_set nine() {
  return {9, 100, 1};
}

inline server_script nine_keys() {
  server_script out;
  out.data = nine();
  return out;
}

/// A cell in one of its shapes.
struct loop_shape {
  const char* cell;
  std::uint32_t threads;
  std::uint32_t connections;
};

/// name: "get/redis/wire/sync".
inline row_plan plan_for(const std::string& name, const target& where) {
  row_plan out;
  out.what.mode = find_runner(name).mode;
  out.where = where;
  out.data = nine();
  out.clock = tick_clock::calibrated();
  out.first_reconnect_delay = std::chrono::milliseconds(0);
  return out;
}

/// Runs one row and checks that every request is accounted for.
inline row_result run(const std::string& name, const row_plan& plan,
                      std::chrono::milliseconds timeout = std::chrono::seconds(5)) {
  watchdog dog(timeout);
  row_result result = run_row(find_runner(name).run, plan, dog);
  EXPECT_TRUE(result.counts.balanced()) << name;
  EXPECT_EQ(result.times.ok.count(), result.counts.operations()) << name;
  EXPECT_EQ(result.times.failed.count() + result.counts.of(op_status::connect), result.counts.errors())
      << name;
  return result;
}

}  // namespace dbdyno
