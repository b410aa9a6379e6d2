#pragma once

#include <string>
#include <string_view>

namespace dbdyno::results {

/// The text as valid UTF-8 without control characters, so that every JSON reader and every terminal can take
/// it. ASCII control characters become spaces; bytes that are not UTF-8 and C1 control characters become
/// U+FFFD.
std::string clean_text(std::string_view text);

}  // namespace dbdyno::results
