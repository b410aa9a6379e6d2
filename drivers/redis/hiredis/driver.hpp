#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "drivers/cell_block.hpp"
#include "drivers/driver.hpp"
#include "drivers/event_loop.hpp"
#include "drivers/on_done_ref.hpp"
#include "drivers/refused_requests.hpp"
#include "drivers/wire/unique_fd.hpp"

struct redisContext;
struct redisReply;

namespace dbdyno {

namespace hiredis {

struct free_context {
  void operator()(redisContext* context) const noexcept;
};
/// How the memory of replies is managed.
enum class reply_memory : std::uint8_t {
  objects,  ///< hiredis' own: several allocations for each
  pooled    ///< one reply's, used again and again (reply_pool); arrays lose their elements
};
class reply_pool;

struct free_reply {
  reply_memory memory = reply_memory::objects;
  void operator()(redisReply* reply) const noexcept;
};
struct free_pool {
  void operator()(reply_pool* pool) const noexcept;
};
using unique_pool = std::unique_ptr<reply_pool, free_pool>;
using unique_context = std::unique_ptr<redisContext, free_context>;
using unique_reply = std::unique_ptr<redisReply, free_reply>;

enum class request_kind : std::uint8_t { get, set, multiget };
struct command;

/// The words of an MGET, as redisCommandArgv takes them; made once, filled for each request.
class multiget_words {
 public:
  explicit multiget_words(std::size_t keys) : words_(keys + 1, "MGET"), sizes_(keys + 1, 4) {}

  void fill(std::span<const key> keys) noexcept {
    for (std::size_t i = 0; i < keys.size(); ++i) {
      words_[i + 1] = keys[i].text().data();
      sizes_[i + 1] = keys[i].text().size();
    }
  }
  int count() const noexcept { return static_cast<int>(words_.size()); }
  const char** words() noexcept { return words_.data(); }
  const std::size_t* sizes() const noexcept { return sizes_.data(); }

 private:
  std::vector<const char*> words_;
  std::vector<std::size_t> sizes_;
};

}  // namespace hiredis

/// redisCommandArgv: one request at a time. Where it spins, redisAppendCommandArgv and redisGetReply, with a
/// busy wait between them.
class hiredis_sync {
 public:
  static constexpr bool spins = true;

  explicit hiredis_sync(const connect_options& options,
                        hiredis::reply_memory memory = hiredis::reply_memory::objects);

  op_status get(const key& k, std::string_view& out) noexcept;
  op_status set(const key& k, std::string_view value) noexcept;
  /// One HGETALL for each row, all of them on their way before the first reply is read.
  op_status read_rows(std::string_view& out) noexcept;
  op_status multiget(std::span<const key> keys, std::string_view& out) noexcept;

  void interrupt() const noexcept;
  std::string last_error() const { return error_; }
  std::vector<int> sockets() const;

 private:
  op_status refuse_when_dead() noexcept;
  /// What `reply_` is to the request of these words; null if none came.
  op_status explain_answer(hiredis::request_kind kind, int count, const char** words,
                           const std::size_t* sizes, std::string_view& value) noexcept;
  redisReply* exchange(int count, const char** words, const std::size_t* sizes) noexcept;
  /// Writes what was appended and waits for the front of the reply. Returns whether the connection still
  /// holds.
  bool spin_until_answered() noexcept;
  /// What a request of `request_size` bytes came to, on a connection that has just failed.
  op_status lost(int request_size) noexcept;

  hiredis::unique_pool pool_;
  hiredis::unique_context context_;
  hiredis::unique_reply reply_;
  std::size_t value_size_;
  hiredis::multiget_words multiget_;
  cell_block cells_;
  int fd_;
  bool spin_;
  std::string error_;
};

/// redisAppendCommandArgv and redisGetReply: several requests in flight on one connection.
class hiredis_pipeline {
 public:
  /// Bounds what piles up in the server for a client that has yet to read: at most 8 MB of 1 KB values.
  static constexpr std::uint32_t max_window = 8192;
  static constexpr bool spins = true;

  explicit hiredis_pipeline(const connect_options& options,
                            hiredis::reply_memory memory = hiredis::reply_memory::objects);

  submitted submit_get(slot s, const key& k) noexcept;
  submitted submit_set(slot s, const key& k, std::string_view value) noexcept;

  template <class OnDone>
  unsigned poll(time_point wait_until, OnDone&& on_done) {
    return complete(wait_until, on_done_ref(on_done));
  }

  void give_up(std::uint32_t connection) noexcept;
  void interrupt() const noexcept;
  std::string last_error() const { return error_; }
  std::vector<int> sockets() const;

 private:
  struct request {
    std::uint64_t begin;  ///< where its first byte stands in the stream of all requests
    slot which;
    hiredis::request_kind kind;
  };

  submitted submit(slot s, hiredis::request_kind kind, hiredis::command&& command) noexcept;
  unsigned complete(time_point wait_until, on_done_ref on_done) noexcept;
  /// Returns whether the connection still holds.
  bool write_some() noexcept;
  unsigned complete_arrived(on_done_ref on_done) noexcept;
  unsigned complete_lost(on_done_ref on_done) noexcept;
  void arm(time_point when) noexcept;
  bool wait_for_socket(time_point wait_until) noexcept;

  hiredis::unique_pool pool_;
  hiredis::unique_context context_;
  int fd_;
  unique_fd timer_;
  time_point armed_{};
  std::size_t value_size_;
  std::vector<request> in_flight_;  ///< a ring; its size is a power of two
  std::uint64_t head_ = 0;
  std::uint64_t tail_ = 0;
  std::uint64_t written_ = 0;  ///< bytes of the stream of all requests
  std::size_t unwritten_ = 0;  ///< that wait in hiredis since the last write
  refused_requests refused_;
  bool spin_;
  bool lost_ = false;
  bool given_up_ = false;
  std::string error_;
};

/// redisAsyncCommandArgv on libevent: several connections, several requests in flight on each.
class hiredis_async {
 public:
  /// As the pipeline's, for each connection.
  static constexpr std::uint32_t max_window = 8192;
  static constexpr bool spins = true;

  explicit hiredis_async(const connect_options& options,
                         hiredis::reply_memory memory = hiredis::reply_memory::objects);
  hiredis_async(hiredis_async&&) = delete;
  ~hiredis_async();

  submitted submit_get(slot s, const key& k) noexcept;
  submitted submit_set(slot s, const key& k, std::string_view value) noexcept;
  submitted submit_multiget(slot s, std::span<const key> keys) noexcept;

  template <class OnDone>
  unsigned poll(time_point wait_until, OnDone&& on_done) {
    return complete(wait_until, on_done_ref(on_done));
  }

  void give_up(std::uint32_t index) noexcept;
  void reopen(std::uint32_t index, std::chrono::milliseconds limit);
  void interrupt() noexcept;
  std::string last_error() const { return error_; }
  std::vector<int> sockets() const;

 private:
  struct connection;
  struct callbacks;
  /// Stands at requests_[slot]; its address travels through hiredis.
  struct request {
    connection* via;
    std::uint32_t size;  ///< bytes, of a get those of its key, else as it is written
    hiredis::request_kind kind;
    bool waits;  ///< for its reply
  };

  /// Errors: setup_error; the connection is then lost.
  void open(connection& opened, time_point deadline, std::chrono::milliseconds limit,
            event_loop& opening_loop);
  submitted submit(slot s, hiredis::request_kind kind, std::size_t size, int count, const char** words,
                   const std::size_t* sizes) noexcept;
  /// Takes back what submit counted of a request that hiredis did not take.
  [[gnu::noinline, gnu::cold]] submitted refuse(slot s) noexcept;
  /// As it is written.
  static std::uint64_t bytes_of(const request& asked) noexcept;
  std::uint64_t bytes_waiting_on(const connection& via) const noexcept;
  op_status status_of_reply(const request& asked, const redisReply& reply, std::string_view& value) noexcept;
  unsigned complete(time_point wait_until, on_done_ref on_done) noexcept;

  target where_;
  hiredis::reply_memory memory_;
  hiredis::unique_pool pool_;
  event_loop loop_;
  std::uint32_t window_;
  std::uint32_t connection_count_;
  std::size_t value_size_;
  std::vector<request> requests_;
  hiredis::multiget_words multiget_;
  cell_block cells_;  ///< of the multiget answered last
  refused_requests refused_;
  bool may_fill_;  ///< whether requests in flight could come to max_unwritten
  std::uint64_t in_flight_ = 0;
  const on_done_ref* on_done_ = nullptr;  ///< null outside poll
  unsigned done_ = 0;
  std::string error_;
  std::atomic<bool> interrupted_{false};
  bool cut_off_ = false;  ///< whether interrupt() has been followed
  std::unique_ptr<connection[]> connections_;
};

/// Redis through hiredis, the C client of the Redis project.
///
/// Source: hiredis 0.14.1; RESP2.
struct redis_hiredis {
  static constexpr std::string_view storage = "redis";
  static constexpr std::string_view name = "hiredis";
  static constexpr bool set_creates = true;
  static std::string version();

  using sync = hiredis_sync;
  using pipeline = hiredis_pipeline;
  using async = hiredis_async;
};

}  // namespace dbdyno
