#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>

#include "drivers/connect_options.hpp"
#include "drivers/key.hpp"
#include "drivers/op_status.hpp"
#include "drivers/wire/stream.hpp"

namespace dbdyno {

/// Which reply a decoder should expect.
enum class op_kind : std::uint8_t {
  get,
  set,
  block  ///< rows, or the values of several keys
};

/// One decoded reply. consumed == 0: the bytes at hand do not hold a whole reply yet, and nothing else is
/// set. status protocol: the stream cannot be trusted any more. value is set for a get that is ok, where it
/// views the input, and for status refused, where it is the codec's error text. Lifetime of value: until the
/// next decode.
struct decoded {
  std::size_t consumed = 0;
  op_status status = op_status::ok;
  std::string_view value;
};

/// The size of a guess that no reply is like: not that of any, nor the -1 of a recv() that had none.
inline constexpr std::size_t no_likely_size = std::numeric_limits<std::ptrdiff_t>::max();
static_assert(static_cast<std::ptrdiff_t>(no_likely_size) > 0, "or a failed recv() would be as long");

/// A request/reply protocol, sans I/O: bytes out, bytes in, no sockets, no clocks, no allocation in the codec
/// calls. drivers/wire turns one into sync, pipeline and async drivers. Replies come in the order of the
/// requests.
///
/// C(const connect_options&): a codec for one connection.
/// open(stream): authenticates and prepares on a fresh blocking connection; throws setup_error.
/// request_capacity(options): the most bytes that one append_* writes, given options.value_size.
/// append_*(out, ...): writes a request at out, where request_capacity() bytes are free, and returns its end.
/// check(value): ok, or too_large / unstorable for a value that must not be sent; called before append_set.
/// likely_get(): a guess at the next reply to a get, good until the next decode; a small value with size(),
///   is_at(begin): whether the size() bytes at begin are such a reply, and value_at(begin): its value.
///   Without a guess, size() is no_likely_size.
/// decode(kind, begin, end): looks at [begin, end), which starts at a reply's first byte. It may rewrite
/// those bytes
///   (unescaping in place) only if it consumes them.
/// append_read_rows(out), append_multiget(out, keys), of codecs that can: write a request for what options
///   asked for, the one or the other, which decode() answers with op_kind block; the value is then a
///   cell_block of the codec's.
/// error_text(): what the server said in the latest reply decoded as refused, or how the protocol was broken.
template <class C>
concept wire_codec = std::constructible_from<C, const connect_options&> &&
    requires(C c, const C const_c, wire_stream& stream, const connect_options& options, const key& k,
             std::string_view value, char* out, op_kind kind) {
  { C::driver_name } -> std::convertible_to<std::string_view>;
  { C::port(options) } -> std::same_as<std::uint16_t>;
  { C::request_capacity(options) } -> std::same_as<std::size_t>;
  c.open(stream);
  { const_c.check(value) }
  noexcept->std::same_as<op_status>;
  { const_c.append_get(out, k) }
  noexcept->std::same_as<char*>;
  { const_c.append_set(out, k, value) }
  noexcept->std::same_as<char*>;
  { const_c.likely_get().size() } -> std::same_as<std::size_t>;
  { const_c.likely_get().is_at(out) } -> std::same_as<bool>;
  { const_c.likely_get().value_at(out) } -> std::same_as<std::string_view>;
  { c.decode(kind, out, out) }
  noexcept->std::same_as<decoded>;
  { const_c.error_text() } -> std::same_as<std::string>;
};

template <class C>
concept multigets_on_wire = requires(const C c, char* out, std::span<const key> keys) {
  { c.append_multiget(out, keys) }
  noexcept->std::same_as<char*>;
};

template <class C>
concept reads_rows_on_wire = requires(C c, char* out) {
  { c.append_read_rows(out) }
  noexcept->std::same_as<char*>;
};

}  // namespace dbdyno
