#include "drivers/key.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <type_traits>

namespace dbdyno {
namespace {

TEST(key, spells_its_id_with_and_without_the_prefix) {
  const struct {
    std::uint32_t id;
    std::string_view decimal;
    std::string_view text;
  } cases[] = {
      {0, "0", "dbdyno:0"},
      {1, "1", "dbdyno:1"},
      {9, "9", "dbdyno:9"},
      {10, "10", "dbdyno:10"},
      {999, "999", "dbdyno:999"},
      {100'000, "100000", "dbdyno:100000"},
      {key::max_id, "2147483647", "dbdyno:2147483647"},
  };
  for (const auto& c : cases) {
    const key k(c.id, 0);
    EXPECT_EQ(k.id(), c.id);
    EXPECT_EQ(k.decimal(), c.decimal);
    EXPECT_EQ(k.text(), c.text);
  }
}

TEST(key, keeps_its_tag) {
  EXPECT_EQ(key(7, 0xfedcba9876543210).tag(), 0xfedcba9876543210);
}

TEST(key, is_id_0_by_default) {
  EXPECT_EQ(key().id(), 0U);
  EXPECT_EQ(key().tag(), 0U);
  EXPECT_EQ(key().text(), "dbdyno:0");
}

TEST(key, views_its_own_bytes_after_a_copy) {
  key copy;
  {
    const key original(42, 1);
    copy = original;
    EXPECT_NE(copy.text().data(), original.text().data());
  }
  EXPECT_EQ(copy.text(), "dbdyno:42");
  static_assert(std::is_trivially_copyable_v<key>);
}

TEST(key, may_be_copied_in_one_piece_of_a_fixed_size) {
  for (const std::uint32_t id : {1U, key::max_id}) {
    // Of exactly the key's size on the heap: AddressSanitizer sees one byte too many.
    const auto k = std::make_unique<key>(id, 0);
    char text[key::text_capacity];
    std::memcpy(text, k->text().data(), sizeof text);
    EXPECT_EQ(std::string_view(text, k->text().size()), k->text());
    char decimal[key::text_capacity - key::prefix.size()];
    std::memcpy(decimal, k->decimal().data(), sizeof decimal);
    EXPECT_EQ(std::string_view(decimal, k->decimal().size()), k->decimal());
    const char* const end = reinterpret_cast<const char*>(k.get() + 1);
    EXPECT_LE(k->text().data() + key::text_capacity, end);
  }
}

}  // namespace
}  // namespace dbdyno
