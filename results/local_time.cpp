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

}  // namespace dbdyno::results
