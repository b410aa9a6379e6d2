#include "bench/plan_file.hpp"

#include <fmt/format.h>

#include <fstream>
#include <regex>
#include <sstream>

#include "bench/pinning.hpp"
#include "bench/table_columns.hpp"
#include "drivers/errors.hpp"
#include "drivers/parse_number.hpp"

namespace dbdyno {
namespace {

constexpr std::string_view blanks = " \t\r";

std::string_view trim(std::string_view text) {
  const auto begin = text.find_first_not_of(blanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
}

std::vector<std::string> words_of(std::string_view text) {
  std::istringstream in{std::string(text)};
  std::vector<std::string> out;
  for (std::string word; in >> word;) out.push_back(word);
  return out;
}

/// "1 full 120"
std::string_view choose(std::string_view value, bool full) {
  constexpr std::string_view divider = " full ";
  const auto at = value.find(divider);
  if (at == std::string_view::npos) return value;
  return trim(full ? value.substr(at + divider.size()) : value.substr(0, at));
}

void check_expression(const std::string& where, const std::string& expression) {
  try {
    const std::regex probe(expression, std::regex::extended);
  } catch (const std::regex_error& error) {
    throw usage_error(
        fmt::format("{}: '{}' is no extended regular expression: {}", where, expression, error.what()));
  }
}

class plan_parser {
 public:
  plan_parser(std::string_view name, bool full) : name_(name), full_(full) {}

  void take(std::string_view line) {
    ++line_;
    line = trim(line.substr(0, line.find('#')));
    if (line.empty()) return;
    const auto end = line.find_first_of(blanks);
    const std::string_view word = line.substr(0, end);
    const std::string_view value = end == std::string_view::npos ? "" : trim(line.substr(end));
    if (value.empty()) throw usage_error(fmt::format("{}: nothing follows", where(word)));
    if (!set(word, value)) {
      throw usage_error(fmt::format(
          "{}:{}: unknown word '{}'; there are about, show, pin, cells, connections, depth, threads, "
          "transport, multiget-keys, reuse, rate, key-order, ratio, requests, duration, warmup, "
          "repetitions, row-seconds",
          name_, line_, word));
    }
  }

  plan_file result() {
    if (out_.groups.empty())
      throw usage_error(fmt::format("{}: it has no line 'cells REGEX', so there is nothing to run", name_));
    return std::move(out_);
  }

 private:
  std::string where(std::string_view word) const { return fmt::format("{}:{}: {}", name_, line_, word); }

  bool set(std::string_view word, std::string_view value) {
    if (word == "about") {
      if (!out_.about.empty()) out_.about += ' ';
      out_.about += value;
    } else if (word == "show") {
      for (std::string& column : words_of(value)) {
        require_column(where(word), column);
        out_.columns.push_back(std::move(column));
      }
    } else if (word == "pin") {
      check_pinning(where(word), value);
      out_.pin = value;
    } else if (word == "cells") {
      out_.groups.push_back(all_);
      out_.groups.back().filter = value;
      out_.groups.back().where = fmt::format("{}:{}", name_, line_);
      check_expression(where(word), out_.groups.back().filter);
    } else if (word == "row-seconds") {
      group().row_seconds = parse_decimal(where(word), choose(value, full_), "seconds", 0.001, 86'400);
    } else {
      if (!set_in(group().what, word, where(word), choose(value, full_))) return false;
      // What a group says of its length comes before what stands above it.
      if (word == "duration") group().what.requests.reset();
    }
    return true;
  }

  plan_group& group() { return out_.groups.empty() ? all_ : out_.groups.back(); }

  std::string name_;
  bool full_;
  int line_ = 0;
  plan_group all_;
  plan_file out_;
};

std::string read(const std::string& path) {
  std::ifstream in(path);
  std::ostringstream text;
  if (!in || !(text << in.rdbuf())) throw usage_error(fmt::format("--plan: cannot read '{}'", path));
  return text.str();
}

}  // namespace

plan_file parse_plan(std::string_view name, std::string_view text, bool full) {
  plan_parser parser(name, full);
  while (!text.empty()) {
    const auto end = text.find('\n');
    parser.take(text.substr(0, end));
    text = end == std::string_view::npos ? "" : text.substr(end + 1);
  }
  return parser.result();
}

plan_file find_plan(const std::string& name, bool full) {
  if (name.find('/') != std::string::npos || name.ends_with(".plan"))
    return parse_plan(name, read(name), full);
  std::string names;
  for (const built_in_plan& plan : built_in_plans()) {
    if (plan.name == name) return parse_plan(fmt::format("{}.plan", name), plan.text, full);
    names += fmt::format("{}{}", names.empty() ? "" : ", ", plan.name);
  }
  throw usage_error(fmt::format(
      "--plan: there is no plan '{}'; there are {}, or give a file that ends in .plan", name, names));
}

}  // namespace dbdyno
