#pragma once

#include <string>
#include <string_view>

namespace dbdyno::results {

/// The bytes in the alphabet A-Z a-z 0-9 + /, padded with = to a multiple of 4, without line breaks.
/// Source: RFC 4648, section 4.
std::string encode_base64(std::string_view bytes);

/// What encode_base64 was given. Errors: std::runtime_error for any text that it does not write, line breaks
/// and missing padding included.
std::string decode_base64(std::string_view text);

}  // namespace dbdyno::results
