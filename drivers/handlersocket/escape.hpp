#pragma once

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>

/// HandlerSocket's encoding of a token: bytes below 0x10 travel as 0x01 and the byte with 0x40 added, all
/// others as they are. So a byte below 0x10 on the wire is a separator (TAB, LF), an escape (0x01) or NULL
/// (0x00).
///
/// Source: "The HandlerSocket protocol", Basic syntax (plugin/handler_socket/docs-en/protocol.en.txt of
/// MariaDB 10.11).
namespace dbdyno::handlersocket {

inline constexpr unsigned char control_end = 0x10;
inline constexpr char escape_mark = 0x01;
inline constexpr unsigned char escape_shift = 0x40;

inline bool is_control(char byte) noexcept {
  return static_cast<unsigned char>(byte) < control_end;
}

/// find_control() by words of eight bytes: for short inputs, and for machines without SSE2.
inline const char* find_control_by_words(const char* begin, const char* end) noexcept {
  constexpr std::uint64_t each_byte = 0x0101010101010101;
  for (; end - begin >= 8; begin += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, begin, sizeof word);
    // A byte below 0x10 borrows from its top bit and had none set.
    if (((word - each_byte * control_end) & ~word & (each_byte * 0x80)) != 0) break;
  }
  while (begin != end && !is_control(*begin)) ++begin;
  return begin;
}

#ifdef __SSE2__
namespace detail {
inline __m128i load_16(const char* at) noexcept {
  return _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
}

inline __m128i min_of_64(const char* at) noexcept {
  return _mm_min_epu8(_mm_min_epu8(load_16(at), load_16(at + 16)),
                      _mm_min_epu8(load_16(at + 32), load_16(at + 48)));
}

/// Bit i is set where byte i is below 0x10.
inline unsigned controls(__m128i bytes) noexcept {
  const __m128i above = _mm_subs_epu8(bytes, _mm_set1_epi8(control_end - 1));
  return static_cast<unsigned>(_mm_movemask_epi8(_mm_cmpeq_epi8(above, _mm_setzero_si128())));
}
}  // namespace detail
#endif

/// The first byte below 0x10 in [begin, end), or end. One pass finds both the end of a token and whether it
/// needs unescaping.
inline const char* find_control(const char* begin, const char* end) noexcept {
#ifdef __SSE2__
  while (end - begin >= 64 && detail::controls(detail::min_of_64(begin)) == 0) begin += 64;
  for (; end - begin >= 16; begin += 16) {
    if (const unsigned found = detail::controls(detail::load_16(begin)); found != 0) {
      return begin + std::countr_zero(found);
    }
  }
#endif
  return find_control_by_words(begin, end);
}

/// Whether [begin, end) holds no byte below 0x10: half the price of searching for one, where the end is
/// known.
inline bool is_clean(const char* begin, const char* end) noexcept {
#ifdef __SSE2__
  if (end - begin >= 64) {
    // The last block may overlap the one before it: no rest to look at byte by byte.
    __m128i lowest = _mm_min_epu8(detail::min_of_64(begin), detail::min_of_64(end - 64));
    for (begin += 64; end - begin > 64; begin += 64) lowest = _mm_min_epu8(lowest, detail::min_of_64(begin));
    return detail::controls(lowest) == 0;
  }
#endif
  return find_control_by_words(begin, end) == end;
}

/// Writes value's token at out, where 2 * value.size() bytes are free, and returns its end.
inline char* escape(char* out, std::string_view value) noexcept {
  const char* from = value.data();
  const char* const end = from + value.size();
  while (true) {
    const char* const control = find_control(from, end);
    const auto clean = static_cast<std::size_t>(control - from);
    if (clean != 0) std::memcpy(out, from, clean);
    out += clean;
    if (control == end) return out;
    *out++ = escape_mark;
    *out++ = static_cast<char>(*control | escape_shift);
    from = control + 1;
  }
}

/// Decodes a token that is not NULL in place and returns the end of the value, or nullptr where it breaks the
/// encoding.
inline char* unescape(char* begin, char* end) noexcept {
  char* out = begin;
  for (const char* from = begin;;) {
    const char* const control = find_control(from, end);
    const auto clean = static_cast<std::size_t>(control - from);
    if (out != from) std::memmove(out, from, clean);
    out += clean;
    if (control == end) return out;
    if (*control != escape_mark || control + 1 == end) return nullptr;
    const auto shifted = static_cast<unsigned char>(control[1]);
    if (shifted < escape_shift || shifted >= escape_shift + control_end) return nullptr;
    *out++ = static_cast<char>(shifted - escape_shift);
    from = control + 2;
  }
}

/// NULL, as opposed to the empty string, which is an empty token.
inline bool is_null(std::string_view token) noexcept {
  return token.size() == 1 && token.front() == '\0';
}

}  // namespace dbdyno::handlersocket
