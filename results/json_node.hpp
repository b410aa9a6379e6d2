#pragma once

#include <fmt/format.h>
#include <nlohmann/json.hpp>

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
class node {
 public:
  using json = nlohmann::json;

  explicit node(const json& root) : value_(root) {}

  std::optional<node> find(const char* key) const {
    require(value_.is_object(), "an object");
    const auto found = value_.find(key);
    if (found == value_.end()) return std::nullopt;
    return node(*found, this, key, 0);
  }

  node at(const char* key) const {
    const auto found = find(key);
    if (!found) throw value_error{pointer() + "/" + key, "missing"};
    return *found;
  }

  template <class Visit>
  void for_each_element(Visit visit) const {
    require(value_.is_array(), "an array");
    for (std::size_t i = 0; i < value_.size(); ++i) visit(node(value_[i], this, nullptr, i));
  }

  template <class Visit>
  void for_each_member(Visit visit) const {
    require(value_.is_object(), "an object");
    for (auto member = value_.begin(); member != value_.end(); ++member) {
      visit(member.key(), node(member.value(), this, member.key().c_str(), 0));
    }
  }

  std::string text() const {
    require(value_.is_string() && !is_not_finite(), "a string");
    return value_.get<std::string>();
  }

  bool truth() const {
    require(value_.is_boolean(), "true or false");
    return value_.get<bool>();
  }

  bool is_object() const { return value_.is_object(); }
  bool is_null() const { return value_.is_null(); }
  bool is_number() const { return value_.is_number(); }
  bool is_text() const { return value_.is_string() && !is_not_finite(); }
  /// Whether the text had NaN or an infinity here, see read_json.
  bool is_not_finite() const {
    const auto* const text = value_.get_ptr<const json::string_t*>();
    return text != nullptr && text->starts_with(not_finite_mark);
  }

  double number() const {
    require(value_.is_number(), "a number");
    return value_.get<double>();
  }

  template <class Unsigned>
  Unsigned count() const {
    require(
        value_.is_number_unsigned() && value_.get<std::uint64_t>() <= std::numeric_limits<Unsigned>::max(),
        "a whole number");
    return value_.get<Unsigned>();
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
    return parent_->pointer() + "/" + (key_ != nullptr ? std::string(key_) : std::to_string(index_));
  }

 private:
  node(const json& value, const node* parent, const char* key, std::size_t index)
      : value_(value), parent_(parent), key_(key), index_(index) {}

  void require(bool condition, const char* expected) const {
    if (!condition)
      throw value_error{pointer(), fmt::format("expected {}, found {}", expected,
                                               is_not_finite() ? "NaN or Infinity" : value_.type_name())};
  }

  const json& value_;
  const node* parent_ = nullptr;
  const char* key_ = nullptr;
  std::size_t index_ = 0;
};

}  // namespace dbdyno::results
