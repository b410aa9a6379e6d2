#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>

namespace dbdyno {

/// The cells of some rows, one after the other: four bytes of length in the machine's byte order, then the
/// bytes. NULL is an empty cell. It is what a driver materialises a reply of rows to.
///
/// All memory is taken at construction.
class cell_block {
 public:
  static constexpr std::size_t usual_capacity = std::size_t{64} * 1024;
  static constexpr std::size_t header_size = sizeof(std::uint32_t);

  explicit cell_block(std::size_t capacity = usual_capacity)
      : bytes_(std::make_unique<char[]>(capacity)), capacity_(capacity) {}

  void clear() noexcept { size_ = 0; }
  /// Returns false, and does nothing, where there is no room for it.
  bool append(std::string_view cell) noexcept {
    if (capacity_ - size_ < header_size + cell.size()) return false;
    const auto length = static_cast<std::uint32_t>(cell.size());
    std::memcpy(bytes_.get() + size_, &length, header_size);
    cell.copy(bytes_.get() + size_ + header_size, cell.size());
    size_ += header_size + cell.size();
    return true;
  }
  /// Valid until the next call of another member.
  std::string_view view() const noexcept { return {bytes_.get(), size_}; }

 private:
  std::unique_ptr<char[]> bytes_;
  std::size_t capacity_;
  std::size_t size_ = 0;
};

/// Bytes of a block of `cells` cells of at most `largest` bytes.
constexpr std::size_t block_size(std::size_t cells, std::size_t largest) noexcept {
  return cells * (cell_block::header_size + largest);
}

/// Takes the first cell off a block.
/// Precondition: the block is whole and not empty.
inline std::string_view take_cell(std::string_view& block) noexcept {
  std::uint32_t length = 0;
  std::memcpy(&length, block.data(), sizeof length);
  const std::string_view cell = block.substr(sizeof length, length);
  block.remove_prefix(sizeof length + length);
  return cell;
}

/// For what is no driver: as cell_block::append.
inline void append_cell(std::string& block, std::string_view cell) {
  const auto length = static_cast<std::uint32_t>(cell.size());
  block.append(reinterpret_cast<const char*>(&length), sizeof length).append(cell);
}

}  // namespace dbdyno
