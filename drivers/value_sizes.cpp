#include "drivers/value_sizes.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "drivers/errors.hpp"
#include "drivers/parse_number.hpp"

namespace dbdyno {
namespace {

constexpr std::uint64_t draws = std::uint64_t{1} << 32;
constexpr std::uint64_t heaviest = 1'000'000;

}  // namespace

value_sizes::value_sizes(std::size_t size) : fixed_(size), max_(size), count_(1) {
  if (size < smallest || size > largest)
    throw usage_error(fmt::format("a value has {} to {} bytes, not {}", smallest, largest, size));
  parts_[0] = {.low = size, .high = size, .weight = 1, .limit = draws};
}

value_sizes value_sizes::parse(std::string_view flag, std::string_view text) {
  const auto size = [&](std::string_view digits) {
    return static_cast<std::size_t>(parse_whole_number(flag, digits, smallest, largest));
  };
  value_sizes out;
  out.count_ = 0;
  out.max_ = 0;
  std::uint64_t total = 0;
  for (bool more = true; more;) {
    const auto comma = text.find(',');
    std::string_view range = text.substr(0, comma);
    more = comma != std::string_view::npos;
    if (more) text.remove_prefix(comma + 1);
    if (out.count_ == most_parts)
      throw usage_error(fmt::format("{}: at most {} sizes can be weighted", flag, most_parts));
    part one{.weight = 1};
    if (const auto colon = range.find(':'); colon != std::string_view::npos) {
      one.weight = parse_whole_number(flag, range.substr(colon + 1), 1, heaviest);
      range = range.substr(0, colon);
    } else if (more || out.count_ != 0) {
      throw usage_error(fmt::format("{}: '{}' has no weight; a list looks like 100:9,1000:1", flag, range));
    }
    const auto dash = range.find('-');
    one.low = size(range.substr(0, dash));
    one.high = dash == std::string_view::npos ? one.low : size(range.substr(dash + 1));
    if (one.low > one.high) {
      throw usage_error(fmt::format("{}: the range '{}' is upside down; did you mean {}-{}?", flag, range,
                                    one.high, one.low));
    }
    out.max_ = std::max(out.max_, one.high);
    total += one.weight;
    out.parts_[out.count_++] = one;
  }
  // The only one needs no weight.
  if (out.count_ == 1) total = out.parts_[0].weight = 1;
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < out.count_; ++i) {
    sum += out.parts_[i].weight;
    out.parts_[i].limit = draws * sum / total;
  }
  const part& first = out.parts_[0];
  out.fixed_ = out.count_ == 1 && first.low == first.high ? first.low : varied;
  return out;
}

std::string value_sizes::to_string() const {
  std::string out;
  for (std::size_t i = 0; i < count_; ++i) {
    const part& one = parts_[i];
    if (i != 0) out += ',';
    out += std::to_string(one.low);
    if (one.high != one.low) out += fmt::format("-{}", one.high);
    if (count_ > 1) out += fmt::format(":{}", one.weight);
  }
  return out;
}

double value_sizes::mean() const noexcept {
  double sum = 0;
  double weights = 0;
  for (std::size_t i = 0; i < count_; ++i) {
    const auto weight = static_cast<double>(parts_[i].weight);
    sum += weight * static_cast<double>(parts_[i].low + parts_[i].high) / 2;
    weights += weight;
  }
  return sum / weights;
}

std::size_t value_sizes::draw(std::uint64_t tag) const noexcept {
  // Tags are text of 64 letters; the multiplication spreads their bits over the upper half.
  std::uint64_t mixed = (tag ^ tag >> 29) * 0xbf58476d1ce4e5b9;
  mixed = (mixed ^ mixed >> 32) * 0x94d049bb133111eb;
  const std::uint64_t which = (mixed ^ mixed >> 32) % draws;
  const part* at = parts_.data();
  while (which >= at->limit) ++at;
  return at->low + static_cast<std::size_t>((mixed >> 32) * (at->high - at->low + 1) / draws);
}

}  // namespace dbdyno
