#pragma once

#include <string_view>

#include "drivers/target.hpp"

namespace dbdyno {

/// Whether a session opens with AUTH. A user without a password has an empty one.
inline bool opens_with_auth(const target& where) noexcept {
  return !where.user.empty() || !where.password.empty();
}

/// Why AUTH was refused, in the server's words as far as they do not repeat the password.
/// Lifetime: views `words`, what the server said.
inline std::string_view auth_refusal(std::string_view words, std::string_view password) noexcept {
  // A server without AUTH says "unknown command 'AUTH', with args beginning with:" and then the password, or
  // its front.
  const std::string_view reason = words.substr(0, words.find(", with args"));
  const bool repeats_it = !password.empty() && reason.find(password) != std::string_view::npos;
  return repeats_it ? "the server refused it, in words that hold the password" : reason;
}

}  // namespace dbdyno
