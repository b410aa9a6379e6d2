#include "results/json_document.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <string>

#include "results/run_file_reader.hpp"

namespace dbdyno::results {
namespace {

/// The library's words without the tag in front: "parse error at line 3, column 5: ...".
std::string_view without_tag(std::string_view message) {
  const auto end = message.find("] ");
  return end == std::string_view::npos ? message : message.substr(end + 2);
}

/// "line 3, column 5" of where `word` first stands, counted as the library counts. Empty where it does not.
std::string place_of(std::string_view word, std::string_view text) {
  const auto at = text.find(word);
  if (at == std::string_view::npos) return "";
  const auto before = text.substr(0, at);
  const auto line = 1 + std::count(before.begin(), before.end(), '\n');
  const auto begin = before.rfind('\n');
  return fmt::format("line {}, column {}", line, begin == std::string_view::npos ? at + 1 : at - begin);
}

/// A number beyond a double's range is the one thing that the library refuses without a place.
std::string words_of(const nlohmann::json::exception& error, std::string_view text) {
  const auto words = without_tag(error.what());
  const auto begin = words.find('\'');
  const auto end = words.rfind('\'');
  if (dynamic_cast<const nlohmann::json::out_of_range*>(&error) == nullptr || begin >= end)
    return std::string(words);
  const auto place = place_of(words.substr(begin + 1, end - begin - 1), text);
  return place.empty() ? std::string(words) : fmt::format("parse error at {}: {}", place, words);
}

using simdjson::dom::parser;

/// What the fast parser would not read: its errors have no place, so another one says what is wrong and
/// where, or writes what is right as the fast one takes it, as whole numbers beyond 64 bits. Errors:
/// nlohmann::json::exception; result_file_error where none of them reads it.
simdjson::dom::element parse_again(parser& by, std::string_view text, std::string_view name,
                                   simdjson::error_code why) {
  // Writing nests as deep as the text.
  const auto shallow = [&](int depth, nlohmann::ordered_json::parse_event_t, nlohmann::ordered_json&) {
    if (static_cast<std::size_t>(depth) > by.max_depth())
      throw result_file_error(name, fmt::format("nested deeper than {}", by.max_depth()));
    return true;
  };
  const auto document = nlohmann::ordered_json::parse(text, shallow);
  if (why == simdjson::DEPTH_ERROR)
    throw result_file_error(name, fmt::format("nested deeper than {}", by.max_depth()));
  simdjson::dom::element root;
  if (by.parse(document.dump()).get(root) != simdjson::SUCCESS)
    throw result_file_error(name, simdjson::error_message(why));
  return root;
}

}  // namespace

void read_document(std::string_view text, std::string_view name,
                   const std::function<void(const node&)>& read) {
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos)
    throw result_file_error(name, "the file is empty");
  try {
    parser by;
    simdjson::dom::element root;
    const auto error = by.parse(text.data(), text.size()).get(root);
    read(node(error == simdjson::SUCCESS ? root : parse_again(by, text, name, error)));
  } catch (const nlohmann::json::exception& error) {
    throw result_file_error(name, words_of(error, text));
  } catch (const value_error& error) {
    const auto where = error.where.empty() ? "" : error.where + ": ";
    throw result_file_error(name, fmt::format("not a result file: {}{}", where, error.reason));
  }
}

}  // namespace dbdyno::results
