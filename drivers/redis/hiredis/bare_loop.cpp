// What hiredis takes for a GET by itself: a loop around the library with nothing else in it, for
// scripts/peers to hold redis/hiredis against by instructions.
//   DBDYNO_REDIS_URL=redis://... dbdyno-bare-hiredis DEPTH REQUESTS [CONNECTIONS]
// With CONNECTIONS it is hiredis' asynchronous interface on libevent, each of them DEPTH deep.
#include <event2/event.h>
#include <hiredis/adapters/libevent.h>
#include <hiredis/async.h>
#include <hiredis/hiredis.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "drivers/key.hpp"
#include "drivers/target.hpp"

namespace {

constexpr std::size_t value_size = 100;
constexpr std::size_t keys = 4096;

using key_names = std::vector<std::string>;

bool is_value(const redisReply& reply) {
  return reply.type == REDIS_REPLY_STRING && reply.len == value_size;
}

redisContext* connect(const dbdyno::target& where) {
  redisContext* const context = redisConnect(where.host.c_str(), where.port);
  if (context != nullptr && context->err == 0) return context;
  std::fputs("dbdyno-bare-hiredis: cannot connect\n", stderr);
  std::exit(4);
}

/// Returns how many replies were not a value.
long ask_blocking(const dbdyno::target& where, const key_names& names, long depth, long requests) {
  redisContext* const context = connect(where);
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
      if (!is_value(*static_cast<redisReply*>(reply))) ++wrong;
      freeReplyObject(reply);
    }
  }
  redisFree(context);
  return wrong;
}

/// On an event loop: each reply asks for the next key.
class event_driven {
 public:
  event_driven(const key_names& names, long requests) : names_(names), to_send_(requests), open_(requests) {}

  /// Returns how many replies were not a value.
  long run(const dbdyno::target& where, long depth, long connections) {
    event_base* const base = event_base_new();
    for (long c = 0; c < connections; ++c) {
      redisAsyncContext* const context = redisAsyncConnect(where.host.c_str(), where.port);
      redisLibeventAttach(context, base);
      for (long i = 0; i < depth; ++i) ask(context);
    }
    while (open_ > 0 && event_base_loop(base, EVLOOP_ONCE) == 0) {
    }
    return wrong_ + open_;
  }

 private:
  void ask(redisAsyncContext* context) {
    if (to_send_ == 0) return;
    const std::string& name = names_[static_cast<std::size_t>(to_send_--) % keys];
    const char* words[] = {"GET", name.data()};
    const std::size_t sizes[] = {3, name.size()};
    redisAsyncCommandArgv(context, on_reply, this, 2, words, sizes);
  }

  static void on_reply(redisAsyncContext* context, void* reply, void* self) {
    auto& loop = *static_cast<event_driven*>(self);
    --loop.open_;
    if (reply == nullptr || !is_value(*static_cast<redisReply*>(reply))) ++loop.wrong_;
    loop.ask(context);
  }

  const key_names& names_;
  long to_send_;
  long open_;
  long wrong_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  const char* const url = std::getenv("DBDYNO_REDIS_URL");
  if (argc < 3 || argc > 4 || url == nullptr) {
    std::fputs("DBDYNO_REDIS_URL=redis://host:port dbdyno-bare-hiredis DEPTH REQUESTS [CONNECTIONS]\n",
               stderr);
    return 2;
  }
  const long depth = std::atol(argv[1]);
  const long requests = std::atol(argv[2]);
  const long connections = argc == 4 ? std::atol(argv[3]) : 0;
  if (depth < 1 || requests < 1 || (argc == 4 && connections < 1)) {
    std::fputs("dbdyno-bare-hiredis: its arguments are numbers from 1 on\n", stderr);
    return 2;
  }
  const dbdyno::target where = dbdyno::parse_target(url);
  key_names names;
  // Every second key of the first 8,192, so that the lengths are nearly a uniform draw's of 10,000.
  for (unsigned i = 0; i < keys; ++i) names.emplace_back(dbdyno::key(1 + 2 * i, 0).text());
  const long wrong = connections > 0 ? event_driven(names, requests).run(where, depth, connections)
                                     : ask_blocking(where, names, depth, requests);
  if (wrong != 0)
    std::fprintf(stderr, "dbdyno-bare-hiredis: %ld replies were no value of 100 bytes\n", wrong);
  return wrong == 0 ? 0 : 1;
}
