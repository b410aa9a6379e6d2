#include "bench/cell.hpp"

#include <fmt/format.h>

namespace dbdyno {
namespace {

std::string threads_suffix(std::uint32_t threads) {
  return threads > 1 ? fmt::format("/threads:{}", threads) : "";
}

/// Without the exponent that a large round number would get: + means something in a filter.
std::string spell(double rate) {
  std::string out = fmt::format("{:.3f}", rate);
  out.erase(out.find_last_not_of('0') + 1);
  if (out.back() == '.') out.pop_back();
  return out;
}

}  // namespace

std::string cell::name() const {
  std::string out = fmt::format("{}/{}/{}/{}", workload, storage, driver, to_string(mode));
  if (via != transport::in_process) out += fmt::format("/transport:{}", to_string(via));
  if (mode == mode::async) out += fmt::format("/conns:{}", connections);
  if (shows_depth) out += fmt::format("/depth:{}", depth);
  if (requests) out += fmt::format("/requests:{}", *requests);
  if (!value_size.empty()) out += "/value_size:" + value_size;
  if (multiget_keys != 0) out += fmt::format("/keys:{}", multiget_keys);
  if (order != key_order::uniform) out += fmt::format("/key_order:{}", to_string(order));
  if (ratio) out += "/ratio:" + to_string(*ratio);
  if (reuse != 1) out += fmt::format("/reuse:{}", reuse);
  if (render && shows_render) out += "/render:on";
  if (rate_percent) {
    out += fmt::format("/rate:{}%", spell(*rate_percent));
  } else if (rate) {
    out += fmt::format("/rate:{}", spell(*rate));
  }
  if (!beside.empty()) out += "/beside:" + beside;
  return out;
}

std::string cell::id() const {
  return name() + threads_suffix(threads);
}

std::string cell::google_benchmark_name() const {
  return name() + "/manual_time" + threads_suffix(threads);
}

}  // namespace dbdyno
