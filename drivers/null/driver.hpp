#pragma once

#include <algorithm>
#include <chrono>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "drivers/cell_block.hpp"
#include "drivers/driver.hpp"

namespace dbdyno {

/// Answers every get with the right tag and the right length, without storage and without I/O.
///
/// The compiler is kept from seeing that the tag it writes is the tag the harness then reads, so the control
/// does all the work that is asked of a real driver's reply.
class null_value {
 public:
  explicit null_value(const connect_options& options)
      : sizes_(options.sizes),
        rows_(options.rows),
        bytes_(std::make_unique<char[]>(std::max(sizes_.max(), sizeof(std::uint64_t)))) {}

  char* bytes() noexcept { return bytes_.get(); }
  const value_sizes& sizes() const noexcept { return sizes_; }

  static void write_tag(std::uint64_t tag, char* bytes) noexcept {
    std::memcpy(bytes, &tag, sizeof tag);
    asm volatile("" : : "r"(bytes) : "memory");
  }

  /// The rows that the options tell.
  std::string_view rows() const noexcept {
    const std::string_view out = rows_ == nullptr ? std::string_view() : *rows_;
    asm volatile("" : : "r"(out.data()), "r"(out.size()) : "memory");
    return out;
  }

  static void take(std::string_view value) noexcept {
    asm volatile("" : : "r"(value.data()), "r"(value.size()) : "memory");
  }

 private:
  value_sizes sizes_;
  const std::string* rows_;
  std::unique_ptr<char[]> bytes_;
};

class null_sync {
 public:
  explicit null_sync(const connect_options& options)
      : value_(options), block_(block_size(options.multiget_keys, options.sizes.max())) {}
  null_sync(const null_sync&) = delete;
  null_sync& operator=(const null_sync&) = delete;

  op_status get(const key& k, std::string_view& value) noexcept {
    null_value::write_tag(k.tag(), value_.bytes());
    value = {value_.bytes(), value_.sizes().of(k.tag())};
    return op_status::ok;
  }
  op_status set(const key&, std::string_view value) noexcept {
    null_value::take(value);
    return op_status::ok;
  }
  op_status read_rows(std::string_view& value) noexcept {
    value = value_.rows();
    return op_status::ok;
  }
  op_status multiget(std::span<const key> keys, std::string_view& out) noexcept {
    block_.clear();
    for (const key& k : keys) {
      std::string_view value;
      get(k, value);
      block_.append(value);
    }
    out = block_.view();
    return op_status::ok;
  }
  // Nothing blocks.
  void interrupt() noexcept {}
  std::string last_error() const { return {}; }

 private:
  null_value value_;
  cell_block block_;
};

/// Keeps what was submitted and completes all of it in the next poll.
class null_in_flight {
 public:
  static constexpr std::uint32_t max_window = unbounded_window;

  explicit null_in_flight(const connect_options& options)
      : value_(options), queued_(std::size_t{options.connections} * options.window), end_(queued_.data()) {}
  null_in_flight(const null_in_flight&) = delete;
  null_in_flight& operator=(const null_in_flight&) = delete;

  submitted submit_get(slot s, const key& k) noexcept {
    *end_++ = {k.tag(), s};
    return submitted::queued;
  }
  submitted submit_set(slot s, const key&, std::string_view value) noexcept {
    null_value::take(value);
    *end_++ = {0, s};
    return submitted::queued;
  }

  template <class OnDone>
  unsigned poll(time_point, OnDone&& on_done) {
    const value_sizes& sizes = value_.sizes();
    // Two loops: the usual one must not ask for each request.
    if (!sizes.is_fixed()) return complete_all(on_done, [&](std::uint64_t tag) { return sizes.of(tag); });
    return complete_all(on_done, [size = sizes.max()](std::uint64_t) { return size; });
  }

  // Nothing is late, and nothing can be lost.
  void give_up(std::uint32_t) noexcept {}
  void reopen(std::uint32_t, std::chrono::milliseconds) {}
  // Nothing blocks.
  void interrupt() noexcept {}
  std::string last_error() const { return {}; }

 private:
  template <class OnDone, class SizeOf>
  unsigned complete_all(OnDone& on_done, SizeOf size_of) {
    // Copies: after each value the compiler must take the members for changed.
    request* const begin = queued_.data();
    const request* const end = end_;
    char* const bytes = value_.bytes();
    for (const request* at = begin; at != end; ++at) {
      null_value::write_tag(at->tag, bytes);
      on_done(at->which, op_status::ok, std::string_view(bytes, size_of(at->tag)));
    }
    end_ = begin;
    return static_cast<unsigned>(end - begin);
  }

  struct request {
    std::uint64_t tag = 0;
    slot which = 0;
  };

  null_value value_;
  std::vector<request> queued_;
  request* end_;
};

/// The control: what the harness itself costs.
struct null_null {
  static constexpr std::string_view storage = "null";
  static constexpr std::string_view name = "null";
  static constexpr bool set_creates = true;
  static std::string version();

  using sync = null_sync;
  using pipeline = null_in_flight;
  using async = null_in_flight;
};
static_assert(has_sync<null_null> && has_pipeline<null_null> && has_async<null_null>);
static_assert(reopens_connections<null_null::async>);

}  // namespace dbdyno
