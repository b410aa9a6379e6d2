#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

/// RESP2, sans I/O. Source: Redis serialization protocol specification, version 2, as Redis 7.0 speaks it.
namespace dbdyno {

/// Bytes that no RESP2 reply starts with, or a length that is none.
class resp_error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Any reply, as a tree. For administration and tests: the timed loops decode without building one.
struct resp_reply {
  enum class type : std::uint8_t { status, error, integer, string, nil, array };
  type kind = type::nil;
  std::string text{};                  ///< of a status, an error or a string
  std::int64_t integer = 0;            ///< of an integer
  std::vector<resp_reply> elements{};  ///< of an array
};

struct parsed_reply {
  resp_reply reply;
  std::size_t consumed = 0;
};

/// Parses the reply that `bytes` starts with; nullopt if it is not all there yet.
/// Errors: resp_error.
std::optional<parsed_reply> parse_reply(std::string_view bytes);

/// Appends a request: an array of bulk strings.
void append_command(std::string& out, std::initializer_list<std::string_view> words);

}  // namespace dbdyno
