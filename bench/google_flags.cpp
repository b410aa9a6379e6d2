#include "bench/google_flags.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "drivers/errors.hpp"
#include "results/nearest_name.hpp"

namespace dbdyno {
namespace {

constexpr std::string_view prefix = "--benchmark_";

bool as_bool(std::string_view name, const std::optional<std::string>& value) {
  if (!value) return true;
  for (const std::string_view yes : {"1", "true", "yes", "on"}) {
    if (*value == yes) return true;
  }
  for (const std::string_view no : {"0", "false", "no", "off"}) {
    if (*value == no) return false;
  }
  throw usage_error(fmt::format("{}{}: '{}' is neither true nor false", prefix, name, *value));
}

std::string one_of(std::string_view name, const std::string& value,
                   std::initializer_list<std::string_view> choices) {
  if (std::find(choices.begin(), choices.end(), value) != choices.end()) return value;
  throw usage_error(fmt::format("{}{}: '{}' is none of {}", prefix, name, value, fmt::join(choices, ", ")));
}

void take(google_flags& flags, const std::string& argument) {
  const auto equals = argument.find('=');
  const std::string name =
      argument.substr(prefix.size(), equals == std::string::npos ? equals : equals - prefix.size());
  std::optional<std::string> value;
  if (equals != std::string::npos) value = argument.substr(equals + 1);
  const auto required = [&] {
    if (!value) throw usage_error(fmt::format("{}{} needs a value: {}{}=...", prefix, name, prefix, name));
    return *value;
  };

  if (name == "filter") {
    flags.filter = required();
  } else if (name == "min_time") {
    flags.min_time = required();
  } else if (name == "min_warmup_time") {
    flags.min_warmup_time = required();
  } else if (name == "repetitions") {
    flags.repetitions = required();
  } else if (name == "list_tests") {
    flags.list_tests = as_bool(name, value);
  } else if (name == "format") {
    flags.format = one_of(name, required(), {"console", "json", "csv"});
  } else if (name == "out") {
    flags.out = required();
  } else if (name == "out_format") {
    flags.out_format = one_of(name, required(), {"console", "json", "csv"});
  } else if (name == "enable_random_interleaving") {
    if (as_bool(name, value)) {
      throw usage_error(
          "--benchmark_enable_random_interleaving draws an order that cannot be repeated; repetitions are "
          "always "
          "interleaved here, in an order drawn from --seed N");
    }
  } else if (name == "report_aggregates_only") {
    flags.report_aggregates_only = as_bool(name, value);
  } else if (name == "display_aggregates_only") {
    flags.display_aggregates_only = as_bool(name, value);
  } else if (name == "time_unit") {
    flags.passed_on.push_back(
        fmt::format("{}{}={}", prefix, name, one_of(name, required(), {"ns", "us", "ms", "s"})));
  } else if (name == "color") {
    flags.passed_on.push_back(fmt::format(
        "{}{}={}", prefix, name, one_of(name, required(), {"auto", "true", "false", "yes", "no", "1", "0"})));
  } else if (name == "counters_tabular") {
    flags.passed_on.push_back(fmt::format("{}{}={}", prefix, name, as_bool(name, value)));
  } else if (name == "context") {
    if (required().find('=') == std::string::npos) {
      throw usage_error(fmt::format("{}{}: '{}' is no list of key=value", prefix, name, *value));
    }
    flags.passed_on.push_back(argument);
  } else {
    const std::string meant = results::nearest_name(
        name, {"filter", "min_time", "min_warmup_time", "repetitions", "list_tests", "format", "out",
               "out_format", "enable_random_interleaving", "report_aggregates_only",
               "display_aggregates_only", "time_unit", "color", "counters_tabular", "context"});
    throw usage_error(
        fmt::format("unknown flag {}{}; {}", prefix, name,
                    meant.empty() ? "--help lists them" : fmt::format("did you mean {}{}?", prefix, meant)));
  }
}

}  // namespace

google_flags take_google_flags(std::vector<std::string>& arguments) {
  google_flags flags;
  std::vector<std::string> others;
  for (const std::string& argument : arguments) {
    if (argument.starts_with(prefix)) {
      take(flags, argument);
    } else {
      others.push_back(argument);
    }
  }
  arguments = std::move(others);
  return flags;
}

}  // namespace dbdyno
