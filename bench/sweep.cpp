#include "bench/sweep.hpp"

#include <fmt/format.h>

#include <limits>
#include <string>

#include "drivers/errors.hpp"
#include "drivers/parse_number.hpp"

namespace dbdyno {
namespace {

constexpr double max_seconds = 86'400;
constexpr std::uint64_t max_connections = 65'535;
constexpr std::uint64_t max_depth = 10'000'000;
constexpr std::uint64_t max_threads = 1024;
constexpr std::uint64_t max_multiget_keys = 1000;
constexpr std::uint64_t max_reuse = 1'000'000'000;
constexpr std::uint64_t max_repetitions = 10'000;

std::vector<std::string> split(std::string_view where, std::string_view text) {
  std::vector<std::string> out;
  while (true) {
    const auto comma = text.find(',');
    if (text.substr(0, comma).empty())
      throw usage_error(fmt::format("{}: an empty element in the list", where));
    out.emplace_back(text.substr(0, comma));
    if (comma == std::string_view::npos) return out;
    text = text.substr(comma + 1);
  }
}

std::vector<std::uint32_t> parse_list(std::string_view where, std::string_view text, std::uint64_t max) {
  std::vector<std::uint32_t> out;
  for (const std::string& element : split(where, text)) {
    out.push_back(static_cast<std::uint32_t>(parse_whole_number(where, element, 1, max)));
  }
  return out;
}

std::vector<transport> parse_transports(std::string_view where, std::string_view text) {
  std::vector<transport> out;
  for (const std::string& element : split(where, text)) {
    if (element == "tcp") {
      out.push_back(transport::tcp);
    } else if (element == "unix") {
      out.push_back(transport::unix_socket);
    } else {
      throw usage_error(fmt::format("{}: '{}' is none of tcp, unix", where, element));
    }
  }
  return out;
}

std::vector<offered_rate> parse_rates(std::string_view where, std::string_view text) {
  // Further apart than a year and closer together than the clock can tell make no schedule.
  constexpr double lowest = 0.001;
  constexpr double highest = 10'000'000;
  std::vector<offered_rate> out;
  for (std::string element : split(where, text)) {
    if (element.ends_with('%')) {
      element.pop_back();
      out.push_back({parse_decimal(where, element, "percent of the closed loop's rate", 0.1, 1000), true});
    } else {
      out.push_back({parse_decimal(where, element, "requests per second", lowest, highest), false});
    }
  }
  return out;
}

template <class Value>
const Value& either(const Value& first, const Value& second) {
  if constexpr (requires { first.empty(); }) {
    return first.empty() ? second : first;
  } else {
    return first ? first : second;
  }
}

}  // namespace

sweep overlay(const sweep& first, const sweep& second) {
  sweep out{.connections = either(first.connections, second.connections),
            .depths = either(first.depths, second.depths),
            .threads = either(first.threads, second.threads),
            .transports = either(first.transports, second.transports),
            .multiget_keys = either(first.multiget_keys, second.multiget_keys),
            .reuse = either(first.reuse, second.reuse),
            .rates = either(first.rates, second.rates),
            .order = either(first.order, second.order),
            .ratio = either(first.ratio, second.ratio),
            .requests = either(first.requests, second.requests),
            .duration = either(first.duration, second.duration),
            .warmup = either(first.warmup, second.warmup),
            .repetitions = either(first.repetitions, second.repetitions)};
  if (first.duration && !first.requests) out.requests.reset();
  return out;
}

const sweep& usual_sweep() {
  static const sweep usual{.connections = {50},
                           .threads = {1},
                           .transports = {transport::tcp, transport::unix_socket},
                           .multiget_keys = {10},
                           .reuse = {1},
                           .order = key_order::uniform,
                           .ratio = mix_ratio{},
                           .duration = 1,
                           .warmup = 0.2,
                           .repetitions = 5};
  return usual;
}

bool set_in(sweep& out, std::string_view word, std::string_view where, std::string_view text) {
  if (word == "connections") {
    out.connections = parse_list(where, text, max_connections);
  } else if (word == "depth") {
    out.depths = parse_list(where, text, max_depth);
  } else if (word == "threads") {
    out.threads = parse_list(where, text, max_threads);
  } else if (word == "transport") {
    out.transports = parse_transports(where, text);
  } else if (word == "multiget-keys") {
    out.multiget_keys = parse_list(where, text, max_multiget_keys);
  } else if (word == "reuse") {
    out.reuse = parse_list(where, text, max_reuse);
  } else if (word == "rate") {
    out.rates = parse_rates(where, text);
  } else if (word == "key-order") {
    out.order = parse_key_order(where, text);
  } else if (word == "ratio") {
    out.ratio = parse_ratio(where, text);
  } else if (word == "requests") {
    out.requests = parse_whole_number(where, text, 1, std::numeric_limits<std::uint64_t>::max() - 1);
  } else if (word == "duration") {
    out.duration = parse_seconds(where, text, 0.001, max_seconds);
  } else if (word == "warmup") {
    out.warmup = parse_seconds(where, text, 0, max_seconds);
  } else if (word == "repetitions") {
    out.repetitions = static_cast<unsigned>(parse_whole_number(where, text, 1, max_repetitions));
  } else {
    return false;
  }
  return true;
}

}  // namespace dbdyno
