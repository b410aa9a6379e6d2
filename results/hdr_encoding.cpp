#include "results/hdr_encoding.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <new>
#include <stdexcept>

#include "results/base64.hpp"

namespace dbdyno::results {
namespace {

// The word size in bits 4 to 7 of a cookie is 1, which stands for LEB128.
constexpr std::uint32_t plain_cookie = 0x1c849303 | 0x10;
constexpr std::uint32_t compressed_cookie = 0x1c849304 | 0x10;
constexpr std::size_t header_size = 40;
constexpr std::size_t compressed_header_size = 8;
constexpr std::size_t max_word_size = 9;
constexpr std::size_t max_plain_size = header_size + histogram::size * max_word_size;

[[noreturn]] void refuse(std::string_view reason) {
  throw std::runtime_error(fmt::format("not a histogram of ours in HdrHistogram V2: {}", reason));
}

void put_big_endian(std::string& out, std::uint64_t value, unsigned bytes) {
  for (unsigned left = bytes; left > 0; --left) out += static_cast<char>(value >> 8 * (left - 1) & 0xffU);
}

/// Positive counts are counts, negative ones runs of so many zeros. Unlike the LEB128 of others, a ninth byte
/// has 8 bits of the value.
void put_word(std::string& out, std::int64_t word) {
  std::uint64_t left = static_cast<std::uint64_t>(word) << 1U ^ static_cast<std::uint64_t>(word >> 63);
  for (std::size_t i = 1; i < max_word_size && left > 0x7f; ++i) {
    out += static_cast<char>(left | 0x80U);
    left >>= 7U;
  }
  out += static_cast<char>(left);
}

class byte_reader {
 public:
  explicit byte_reader(std::string_view bytes) : bytes_(bytes) {}

  bool at_end() const noexcept { return bytes_.empty(); }
  std::size_t left() const noexcept { return bytes_.size(); }

  std::uint64_t big_endian(unsigned bytes) {
    std::uint64_t value = 0;
    for (unsigned i = 0; i < bytes; ++i) value = value << 8U | next();
    return value;
  }

  std::int64_t word() {
    std::uint64_t value = next();
    if (value >= 0x80) value = longer_word(value & 0x7fU);
    return static_cast<std::int64_t>(value >> 1U ^ (0 - (value & 1U)));
  }

 private:
  /// value: of the first byte.
  std::uint64_t longer_word(std::uint64_t value) {
    for (unsigned shift = 7;; shift += 7) {
      const std::uint64_t byte = next();
      if (shift == 7 * (max_word_size - 1)) return value | byte << shift;
      value |= (byte & 0x7fU) << shift;
      if (byte < 0x80) return value;
    }
  }

  std::uint64_t next() {
    if (bytes_.empty()) refuse("it is cut off");
    const auto byte = static_cast<unsigned char>(bytes_.front());
    bytes_.remove_prefix(1);
    return byte;
  }

  std::string_view bytes_;
};

void check_header(byte_reader& in) {
  if (in.big_endian(4) != plain_cookie) refuse("it does not begin like one");
  const std::uint64_t payload = in.big_endian(4);
  const std::uint64_t index_offset = in.big_endian(4);
  const std::uint64_t digits = in.big_endian(4);
  const std::uint64_t lowest = in.big_endian(8);
  in.big_endian(8);  // the highest duration: whether those counted fit is seen below
  const auto ratio = std::bit_cast<double>(in.big_endian(8));
  if (digits != histogram::significant_digits) {
    refuse(fmt::format("it has {} significant digits, where {} are read", digits,
                       histogram::significant_digits));
  }
  if (lowest != histogram::lowest) {
    refuse(fmt::format("its lowest duration is {}, where {} is read", lowest, histogram::lowest));
  }
  if (index_offset != 0 || ratio != 1) refuse("its values are scaled");
  if (payload != in.left()) {
    refuse(fmt::format("its header announces {} bytes of counts, {} follow", payload, in.left()));
  }
}

/// How long a duration counts that is known by its bucket.
std::uint64_t duration_of(std::size_t index) noexcept {
  return std::min(histogram::middle_at(index), histogram::highest);
}

/// What is counted, and its durations added up, must be those of some run.
void check_totals(const std::vector<bucket_count>& buckets) {
  const auto require = [](bool fits) {
    if (!fits) refuse("its counts are larger than any run's");
  };
  std::uint64_t count = 0;
  for (const bucket_count& one : buckets) require(!__builtin_add_overflow(count, one.times, &count));
  if (count <= std::numeric_limits<std::uint64_t>::max() / histogram::highest) return;
  std::uint64_t sum = 0;
  for (const bucket_count& one : buckets) {
    std::uint64_t of_bucket = 0;
    require(!__builtin_mul_overflow(duration_of(one.index), one.times, &of_bucket) &&
            !__builtin_add_overflow(sum, of_bucket, &sum));
  }
}

std::vector<bucket_count> decode_buckets_v2(std::string_view bytes) {
  byte_reader in(bytes);
  check_header(in);
  std::vector<bucket_count> out;
  out.reserve(in.left());
  constexpr std::size_t end = histogram::index_of(histogram::highest) + 1;
  for (std::size_t index = 0; !in.at_end();) {
    const std::int64_t word = in.word();
    const std::uint64_t step = word < 0 ? 0 - static_cast<std::uint64_t>(word) : 1;
    if (step > end - index) refuse("it counts durations above 60 s");
    if (word > 0) out.push_back({index, static_cast<std::uint64_t>(word)});
    index += step;
  }
  check_totals(out);
  return out;
}

histogram histogram_of(const std::vector<bucket_count>& buckets) {
  histogram out;
  for (const bucket_count& one : buckets) out.record(duration_of(one.index), one.times);
  const std::uint64_t max =
      buckets.empty() ? 0 : std::min(histogram::highest_at(buckets.back().index), histogram::highest);
  out.restore_exact(max, out.sum(), 0);
  return out;
}

std::string inflate(std::string_view compressed) {
  // As long as any can be, most of it never touched.
  const auto bytes = std::make_unique_for_overwrite<char[]>(max_plain_size);
  uLongf size = max_plain_size;
  uLong used = compressed.size();
  const int status = ::uncompress2(reinterpret_cast<Bytef*>(bytes.get()), &size,
                                   reinterpret_cast<const Bytef*>(compressed.data()), &used);
  if (status == Z_MEM_ERROR) throw std::bad_alloc();
  if (status != Z_OK || used != compressed.size()) refuse("its compressed part is damaged");
  return {bytes.get(), size};
}

std::string deflate(std::string_view bytes) {
  uLongf size = ::compressBound(bytes.size());
  std::string compressed(size, '\0');
  const int status =
      ::compress2(reinterpret_cast<Bytef*>(compressed.data()), &size,
                  reinterpret_cast<const Bytef*>(bytes.data()), bytes.size(), Z_BEST_COMPRESSION);
  if (status != Z_OK) throw std::bad_alloc();  // compressBound leaves no other reason
  compressed.resize(size);
  return compressed;
}

}  // namespace

std::string encode_v2(const histogram& counts) {
  std::size_t end = histogram::size;
  while (end > 1 && counts.count_at(end - 1) == 0) --end;

  std::string payload;
  for (std::size_t index = 0; index < end;) {
    const std::uint64_t count = counts.count_at(index++);
    if (count > std::numeric_limits<std::int64_t>::max()) {
      throw std::runtime_error("a bucket's count is too large for HdrHistogram V2");
    }
    std::int64_t zeros = count == 0 ? 1 : 0;
    if (count == 0) {
      for (; index < end && counts.count_at(index) == 0; ++index) ++zeros;
    }
    put_word(payload, zeros > 1 ? -zeros : static_cast<std::int64_t>(count));
  }

  std::string bytes;
  put_big_endian(bytes, plain_cookie, 4);
  put_big_endian(bytes, payload.size(), 4);
  put_big_endian(bytes, 0, 4);  // normalizing index offset
  put_big_endian(bytes, histogram::significant_digits, 4);
  put_big_endian(bytes, histogram::lowest, 8);
  put_big_endian(bytes, histogram::highest, 8);
  put_big_endian(bytes, std::bit_cast<std::uint64_t>(1.0), 8);
  return bytes + payload;
}

histogram decode_v2(std::string_view bytes) {
  return histogram_of(decode_buckets_v2(bytes));
}

std::string encode_compressed_base64(const histogram& counts) {
  const std::string compressed = deflate(encode_v2(counts));
  std::string bytes;
  put_big_endian(bytes, compressed_cookie, 4);
  put_big_endian(bytes, compressed.size(), 4);
  return encode_base64(bytes + compressed);
}

histogram decode_compressed_base64(std::string_view text) {
  return histogram_of(decode_buckets_compressed_base64(text));
}

std::vector<bucket_count> decode_buckets_compressed_base64(std::string_view text) {
  const std::string bytes = decode_base64(text);
  byte_reader in(bytes);
  if (in.big_endian(4) != compressed_cookie) refuse("it does not begin like one");
  if (const std::uint64_t size = in.big_endian(4); size != in.left()) {
    refuse(fmt::format("its header announces {} compressed bytes, {} follow", size, in.left()));
  }
  return decode_buckets_v2(inflate(std::string_view(bytes).substr(compressed_header_size)));
}

}  // namespace dbdyno::results
