#include "results/machine.hpp"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>
#include <string_view>
#include <utility>

namespace dbdyno::results {
namespace {

namespace fs = std::filesystem;

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view space = " \t\r\n";
  const auto first = text.find_first_not_of(space);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(space) - first + 1);
}

std::optional<std::string> read_text(const fs::path& path) {
  const std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  std::string value{trimmed(text.view())};
  if (value.empty()) return std::nullopt;
  return value;
}

/// The number a text begins with; from_chars, since streams and strtod follow the locale.
template <class Number>
std::optional<Number> leading_number(std::string_view text) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{}) return std::nullopt;
  return value;
}

/// The value of the first "name : value" line, as /proc/cpuinfo and /proc/meminfo write them.
std::optional<std::string_view> field(std::string_view text, std::string_view name) {
  while (!text.empty()) {
    const auto line = text.substr(0, text.find('\n'));
    const auto colon = line.find(':');
    if (colon != std::string_view::npos && trimmed(line.substr(0, colon)) == name) {
      return trimmed(line.substr(colon + 1));
    }
    text.remove_prefix(std::min(text.size(), line.size() + 1));
  }
  return std::nullopt;
}

bool has_word(std::string_view text, std::string_view word) {
  std::istringstream words{std::string(text)};
  return std::find(std::istream_iterator<std::string>(words), {}, word) !=
         std::istream_iterator<std::string>{};
}

/// The numbers in a kernel list such as "0-3,8".
std::vector<unsigned> cpu_list(std::string_view text) {
  std::vector<unsigned> cpus;
  while (!text.empty()) {
    const auto range = text.substr(0, text.find(','));
    const auto dash = range.find('-');
    const auto first = leading_number<unsigned>(range);
    const auto last =
        dash == std::string_view::npos ? first : leading_number<unsigned>(range.substr(dash + 1));
    if (!first || !last) return {};
    for (unsigned cpu = *first; cpu <= *last; ++cpu) cpus.push_back(cpu);
    text.remove_prefix(std::min(text.size(), range.size() + 1));
  }
  return cpus;
}

std::vector<cpu_cache> read_caches(const fs::path& cpu) {
  std::vector<cpu_cache> caches;
  for (unsigned index = 0;; ++index) {
    const auto folder = cpu / "cache" / ("index" + std::to_string(index));
    const auto type = read_text(folder / "type");
    const auto level = read_text(folder / "level");
    const auto size = read_text(folder / "size");
    if (!type || !level || !size) return caches;
    const auto kibibytes = leading_number<std::uint64_t>(*size);
    if (!kibibytes || size->back() != 'K') return caches;
    cpu_cache cache;
    cache.type = *type;
    cache.level = leading_number<unsigned>(*level).value_or(0);
    cache.size = *kibibytes * 1024;
    cache.num_sharing =
        static_cast<unsigned>(cpu_list(read_text(folder / "shared_cpu_list").value_or("")).size());
    caches.push_back(std::move(cache));
  }
}

std::optional<std::string> read_governor(const fs::path& cpus, const std::vector<unsigned>& online) {
  std::set<std::string> governors;
  for (const unsigned cpu : online) {
    const auto governor = read_text(cpus / ("cpu" + std::to_string(cpu)) / "cpufreq" / "scaling_governor");
    if (governor) governors.insert(*governor);
  }
  if (governors.empty()) return std::nullopt;
  std::string joined;
  for (const auto& governor : governors) joined += (joined.empty() ? "" : ",") + governor;
  return joined;
}

std::optional<unsigned> read_mhz(const fs::path& cpu, std::string_view cpuinfo) {
  if (const auto khz = read_text(cpu / "cpufreq" / "cpuinfo_max_freq")) {
    if (const auto number = leading_number<unsigned>(*khz)) return *number / 1000;
  }
  const auto mhz = field(cpuinfo, "cpu MHz");
  return mhz ? leading_number<unsigned>(*mhz) : std::nullopt;
}

}  // namespace

machine_info read_machine(const fs::path& root) {
  const auto cpuinfo = read_text(root / "proc/cpuinfo").value_or("");
  const auto cpus = root / "sys/devices/system/cpu";
  const auto online = cpu_list(read_text(cpus / "online").value_or(""));
  const auto first_cpu = cpus / ("cpu" + std::to_string(online.empty() ? 0 : online.front()));

  machine_info machine;
  machine.host_name = read_text(root / "proc/sys/kernel/hostname").value_or("");
  machine.cpu_model = field(cpuinfo, "model name");
  machine.cpu_count = static_cast<unsigned>(online.size());
  machine.cpu_mhz = read_mhz(first_cpu, cpuinfo);
  machine.caches = read_caches(first_cpu);
  if (const auto flags = field(cpuinfo, "flags")) machine.virtualised = has_word(*flags, "hypervisor");
  machine.governor = read_governor(cpus, online);
  machine.kernel = read_text(root / "proc/sys/kernel/osrelease");
  const auto meminfo = read_text(root / "proc/meminfo").value_or("");
  if (const auto total = field(meminfo, "MemTotal")) {
    if (const auto kibibytes = leading_number<std::uint64_t>(*total))
      machine.memory_bytes = *kibibytes * 1024;
  }
  return machine;
}

std::vector<double> read_load_averages(const fs::path& root) {
  std::istringstream words{read_text(root / "proc/loadavg").value_or("")};
  std::vector<double> averages;
  std::string word;
  while (averages.size() < 3 && words >> word) {
    const auto average = leading_number<double>(word);
    if (!average) return {};
    averages.push_back(*average);
  }
  return averages;
}

}  // namespace dbdyno::results
