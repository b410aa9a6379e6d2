#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace dbdyno {

/// How many bytes the value of a key has: the same for all, drawn evenly from a range, or from several of
/// these by weight. A key's tag decides, so whoever knows the tag knows the size.
///
/// Threads: immutable after construction.
class value_sizes {
 public:
  static constexpr std::size_t smallest = 16;
  static constexpr std::size_t largest = 1024;
  static constexpr std::size_t most_parts = 8;

  /// All values have 100 bytes.
  value_sizes() : value_sizes(100) {}
  /// All values have `size` bytes. Errors: usage_error outside of smallest .. largest.
  explicit value_sizes(std::size_t size);

  /// "100", "16-1024", "100:9,1000:1", "16-64:3,1000:1".
  /// Errors: usage_error that begins with `flag` and says what it takes.
  static value_sizes parse(std::string_view flag, std::string_view text);
  /// As parse() takes it.
  std::string to_string() const;

  bool is_fixed() const noexcept { return fixed_ != varied; }
  std::size_t max() const noexcept { return max_; }
  /// The mean over many keys. Units: bytes.
  double mean() const noexcept;

  std::size_t of(std::uint64_t tag) const noexcept { return is_fixed() ? fixed_ : draw(tag); }
  /// Whether `size` is that of the value under this tag.
  bool match(std::uint64_t tag, std::size_t size) const noexcept {
    if (size == fixed_) [[likely]]
      return true;
    return !is_fixed() && size == draw(tag);
  }

  friend bool operator==(const value_sizes&, const value_sizes&) = default;

 private:
  /// A size that no value has.
  static constexpr std::size_t varied = 0;

  struct part {
    std::size_t low = 0;
    std::size_t high = 0;
    std::uint64_t weight = 0;
    std::uint64_t limit = 0;  ///< of draws out of 2^32; the last one's is 2^32

    friend bool operator==(const part&, const part&) = default;
  };
  std::size_t draw(std::uint64_t tag) const noexcept;

  std::size_t fixed_;
  std::size_t max_;
  std::size_t count_;
  std::array<part, most_parts> parts_{};
};

}  // namespace dbdyno
