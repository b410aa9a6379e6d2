#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace dbdyno::results {

/// SHA-256 of the bytes. It names a page's scripts and styles to the browser; nothing here is secret.
/// Source: FIPS 180-4.
std::array<std::uint8_t, 32> sha256(std::string_view bytes);

}  // namespace dbdyno::results
