// What hiredis takes for a GET by itself: a loop around the library with nothing else in it, for
// scripts/peers to hold redis/hiredis against by instructions.
//   DBDYNO_REDIS_URL=redis://... dbdyno-bare-hiredis DEPTH REQUESTS
#include <hiredis/hiredis.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "drivers/idle_thread.hpp"
#include "drivers/key.hpp"
#include "drivers/target.hpp"

namespace {

constexpr std::size_t value_size = 100;
constexpr std::size_t keys = 4096;

/// Returns how many replies were not a value.
long ask(redisContext* context, const std::vector<std::string>& names, long depth, long requests) {
  long wrong = 0;
  for (long sent = 0; sent < requests; sent += depth) {
    for (long i = 0; i < depth; ++i) {
      const std::string& name = names[static_cast<std::size_t>(sent + i) % keys];
      const char* words[] = {"GET", name.data()};
      const std::size_t sizes[] = {3, name.size()};
      redisAppendCommandArgv(context, 2, words, sizes);
    }
    for (long i = 0; i < depth; ++i) {
      void* reply = nullptr;
      if (redisGetReply(context, &reply) != REDIS_OK) return requests;
      const auto* const value = static_cast<redisReply*>(reply);
      if (value->type != REDIS_REPLY_STRING || value->len != value_size) ++wrong;
      freeReplyObject(reply);
    }
  }
  return wrong;
}

}  // namespace

int main(int argc, char** argv) {
  const char* const url = std::getenv("DBDYNO_REDIS_URL");
  if (argc != 3 || url == nullptr) {
    std::fputs("DBDYNO_REDIS_URL=redis://host:port dbdyno-bare-hiredis DEPTH REQUESTS\n", stderr);
    return 2;
  }
  const dbdyno::idle_thread as_in_dbdyno_bench;
  const dbdyno::target where = dbdyno::parse_target(url);
  redisContext* const context = redisConnect(where.host.c_str(), where.port);
  if (context == nullptr || context->err != 0) {
    std::fputs("dbdyno-bare-hiredis: cannot connect\n", stderr);
    return 4;
  }
  std::vector<std::string> names;
  // Every second key of 10,000, so that the lengths are as a uniform draw's.
  for (unsigned i = 0; i < keys; ++i) names.emplace_back(dbdyno::key(1 + 2 * i, 0).text());
  const long wrong = ask(context, names, std::atol(argv[1]), std::atol(argv[2]));
  redisFree(context);
  if (wrong != 0)
    std::fprintf(stderr, "dbdyno-bare-hiredis: %ld replies were no value of 100 bytes\n", wrong);
  return wrong == 0 ? 0 : 1;
}
