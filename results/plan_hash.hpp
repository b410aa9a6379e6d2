#pragma once

#include <string>
#include <string_view>

namespace dbdyno::results {

/// 64-bit FNV-1a of the text as 16 lower-case hexadecimal digits: equal plans have equal hashes on every
/// machine. It tells plans apart by accident, not against an attacker.
std::string plan_hash(std::string_view text);

}  // namespace dbdyno::results
