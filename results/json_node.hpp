#pragma once

#include <fmt/format.h>
#include <simdjson.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

/// Reading JSON so that what is wrong is said with its place. For the readers of this folder only.
namespace dbdyno::results {

/// A text that begins so stands for NaN or an infinity, which JSON has no way to write.
inline constexpr char not_finite_mark = '\x7f';

/// A value is not what it should be; the file's name is added further up.
struct value_error {
  std::string where;
  std::string reason;
};

/// A JSON value that knows where in the file it stands. The way there is spelt out only when something is
/// wrong.
///
/// Of members that have one name find and at take one. Lifetime: within the call that read_document or
/// read_json makes.
class node {
 public:
  using element = simdjson::dom::element;

  explicit node(element root) : value_(root) {}

  std::optional<node> find(std::string_view key) const {
    require(value_.is_object(), "an object");
    element found;
    if (value_.at_key(key).get(found) != simdjson::SUCCESS) return std::nullopt;
    return node(found, this, key, 0);
  }

  node at(std::string_view key) const {
    const auto found = find(key);
    if (!found) throw value_error{pointer() + "/" + std::string(key), "missing"};
    return *found;
  }

  template <class Visit>
  void for_each_element(Visit visit) const {
    require(value_.is_array(), "an array");
    std::size_t i = 0;
    for (const element one : simdjson::dom::array(value_)) visit(node(one, this, {}, i++));
  }

  /// In the file's order.
  template <class Visit>
  void for_each_member(Visit visit) const {
    require(value_.is_object(), "an object");
    for (const auto& [key, value] : simdjson::dom::object(value_))
      visit(std::string(key), node(value, this, key, 0));
  }

  std::string text() const {
    require(is_text(), "a string");
    return std::string(view());
  }

  bool truth() const {
    require(value_.is_bool(), "true or false");
    return bool(value_);
  }

  bool is_object() const { return value_.is_object(); }
  bool is_null() const { return value_.is_null(); }
  bool is_number() const { return value_.is_number(); }
  bool is_text() const { return value_.is_string() && !is_not_finite(); }
  /// Whether the text had NaN or an infinity here, see read_json.
  bool is_not_finite() const { return value_.is_string() && view().starts_with(not_finite_mark); }

  double number() const {
    require(value_.is_number(), "a number");
    return double(value_);
  }

  template <class Unsigned>
  Unsigned count() const {
    std::uint64_t out = 0;
    require(value_.get(out) == simdjson::SUCCESS && out <= std::numeric_limits<Unsigned>::max(),
            "a whole number");
    return static_cast<Unsigned>(out);
  }

  /// The value that one of the names stands for.
  template <class Enum, std::size_t Size>
  Enum one_of(const std::string_view (&names)[Size]) const {
    const auto name = text();
    for (std::size_t i = 0; i < Size; ++i) {
      if (names[i] == name) return static_cast<Enum>(i);
    }
    throw value_error{pointer(), fmt::format("unknown value \"{}\"", name)};
  }

  /// Where it stands in the document: a JSON pointer, without the escapes of RFC 6901.
  std::string pointer() const {
    if (parent_ == nullptr) return "";
    return parent_->pointer() + "/" + (parent_->is_object() ? std::string(key_) : std::to_string(index_));
  }

 private:
  node(element value, const node* parent, std::string_view key, std::size_t index)
      : value_(value), parent_(parent), key_(key), index_(index) {}

  std::string_view view() const { return std::string_view(value_); }

  std::string_view what_it_is() const {
    if (is_not_finite()) return "NaN or Infinity";
    if (value_.is_number()) return "number";
    switch (value_.type()) {
      case simdjson::dom::element_type::ARRAY:
        return "array";
      case simdjson::dom::element_type::OBJECT:
        return "object";
      case simdjson::dom::element_type::STRING:
        return "string";
      case simdjson::dom::element_type::BOOL:
        return "boolean";
      default:
        return "null";
    }
  }

  void require(bool condition, const char* expected) const {
    if (!condition)
      throw value_error{pointer(), fmt::format("expected {}, found {}", expected, what_it_is())};
  }

  element value_;
  const node* parent_ = nullptr;
  std::string_view key_;  ///< where the parent is an object
  std::size_t index_ = 0;
};

}  // namespace dbdyno::results
