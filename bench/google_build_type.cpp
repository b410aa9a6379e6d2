#include "bench/google_build_type.hpp"

#include <benchmark/benchmark.h>

#include <sstream>
#include <string_view>

namespace dbdyno {

std::string google_benchmark_build_type() {
  // The library tells nobody but its JSON reporter.
  std::ostringstream out;
  benchmark::JSONReporter reporter;
  reporter.SetOutputStream(&out);
  reporter.SetErrorStream(&out);
  const benchmark::BenchmarkReporter::Context context;
  reporter.ReportContext(context);
  constexpr std::string_view key = "\"library_build_type\": \"";
  const std::string text = out.str();
  const auto found = text.find(key);
  if (found == std::string::npos) return "unknown";
  const auto begin = found + key.size();
  return text.substr(begin, text.find('"', begin) - begin);
}

}  // namespace dbdyno
