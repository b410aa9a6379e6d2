#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "results/histogram.hpp"

/// The encoding that HdrHistogram's implementations exchange, version 2. It holds the buckets alone: what it
/// takes to read back the exact maximum and sum is in latency_record.
/// Source: HdrHistogram 2.1.12, AbstractHistogram.java (encodeIntoByteBuffer) and ZigZagEncoding.java.
namespace dbdyno::results {

/// As bytes, not compressed. Errors: std::runtime_error if a count exceeds 2^63 - 1.
std::string encode_v2(const histogram& counts);

/// The buckets of encode_v2's bytes, or of another writer's with equal layout: 3 significant digits from 1
/// on.
///
/// Shapes: max() is the longest duration that the last bucket can mean, 60 s at most; sum() takes each
/// duration for the middle of its bucket; clamped() is 0.
/// Errors: std::runtime_error saying what is wrong, whatever the bytes.
histogram decode_v2(std::string_view bytes);

/// Deflated and in base64, as in result files and .hlog files.
std::string encode_compressed_base64(const histogram& counts);
/// As decode_v2.
histogram decode_compressed_base64(std::string_view text);

/// A bucket that is not empty.
struct bucket_count {
  std::size_t index;  ///< as histogram::index_of
  std::uint64_t times;
};
/// The same without a histogram, which is large beside what most hold. In the order of the indices.
/// Errors: as decode_v2.
std::vector<bucket_count> decode_buckets_compressed_base64(std::string_view text);

}  // namespace dbdyno::results
