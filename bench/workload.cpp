#include "bench/workload.hpp"

#include <fmt/format.h>

#include "drivers/errors.hpp"
#include "drivers/parse_number.hpp"

namespace dbdyno {

mix_ratio parse_ratio(std::string_view flag, std::string_view text) {
  constexpr std::uint64_t most = 1'000'000;
  const auto colon = text.find(':');
  const auto part = [&](std::string_view digits) {
    return static_cast<std::uint32_t>(parse_whole_number(flag, digits, 0, most));
  };
  mix_ratio out{.gets = part(text.substr(0, colon)), .sets = 1};
  if (colon != std::string_view::npos) out.sets = part(text.substr(colon + 1));
  if (out.gets == 0 && out.sets == 0)
    throw usage_error(fmt::format("{}: '{}' asks for nothing; 9:1 is nine gets to a set", flag, text));
  return out;
}

std::string to_string(const mix_ratio& ratio) {
  return ratio.sets == 1 ? std::to_string(ratio.gets) : fmt::format("{}-{}", ratio.gets, ratio.sets);
}

}  // namespace dbdyno
