#pragma once

#include <string>
#include <string_view>

#include "drivers/redis/hiredis/driver.hpp"

namespace dbdyno {

/// redis/hiredis with reply functions that use the memory of one reply again and again.
class hiredis_pooled_sync : private hiredis_sync {
 public:
  explicit hiredis_pooled_sync(const connect_options& options)
      : hiredis_sync(options, hiredis::reply_memory::pooled) {}
  using hiredis_sync::get;
  using hiredis_sync::interrupt;
  using hiredis_sync::last_error;
  using hiredis_sync::set;
  using hiredis_sync::sockets;
  using hiredis_sync::spins;
};

class hiredis_pooled_pipeline : public hiredis_pipeline {
 public:
  explicit hiredis_pooled_pipeline(const connect_options& options)
      : hiredis_pipeline(options, hiredis::reply_memory::pooled) {}
};

class hiredis_pooled_async : private hiredis_async {
 public:
  explicit hiredis_pooled_async(const connect_options& options)
      : hiredis_async(options, hiredis::reply_memory::pooled) {}
  using hiredis_async::give_up;
  using hiredis_async::interrupt;
  using hiredis_async::last_error;
  using hiredis_async::max_window;
  using hiredis_async::poll;
  using hiredis_async::reopen;
  using hiredis_async::sockets;
  using hiredis_async::spins;
  using hiredis_async::submit_get;
  using hiredis_async::submit_set;
};

/// Redis through hiredis, without the allocations of its reply objects. Gets and sets only: of a reply that
/// is an array, the elements are lost.
///
/// Source: hiredis 0.14.1, redisReplyObjectFunctions of read.h; RESP2.
struct redis_hiredis_pooled {
  static constexpr std::string_view storage = "redis";
  static constexpr std::string_view name = "hiredis_pooled";
  static constexpr bool set_creates = true;
  static std::string version();

  using sync = hiredis_pooled_sync;
  using pipeline = hiredis_pooled_pipeline;
  using async = hiredis_pooled_async;
};

}  // namespace dbdyno
