#include "results/local_time.hpp"

#include <fmt/format.h>

#include <cstdlib>

namespace dbdyno::results {

std::string local_time(std::time_t moment) {
  std::tm parts{};
  localtime_r(&moment, &parts);
  const long offset = parts.tm_gmtoff / 60;
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}{}{:02}:{:02}", parts.tm_year + 1900,
                     parts.tm_mon + 1, parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec,
                     offset < 0 ? '-' : '+', std::labs(offset) / 60, std::labs(offset) % 60);
}

std::optional<std::time_t> parse_local_time(const std::string& text) {
  std::tm parts{};
  const char* const end = strptime(text.c_str(), "%Y-%m-%dT%H:%M:%S%z", &parts);
  if (end == nullptr || *end != '\0') return std::nullopt;
  // timegm overwrites the offset.
  const long offset = parts.tm_gmtoff;
  return timegm(&parts) - offset;
}

}  // namespace dbdyno::results
