#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "fixtures/data_set.hpp"

/// The one line of text that dbdyno-load leaves in every storage beside the data.
///
/// Shapes: "dbdyno 1 seed=1 keys=100000 value_size=100" where the data set is whole, and "dbdyno 1 loading"
/// from before its first key is written or removed until then: what is there is ours, and may be anything.
namespace dbdyno::marker {

inline constexpr std::string_view loading = "dbdyno 1 loading";
/// The key it is kept under in storages of keys and values.
inline constexpr std::string_view key_text = "dbdyno:marker";

std::string format(const data_set& data);

/// The data set that a marker tells of; nullopt for that of a load under way.
/// Errors: usage_error that quotes the text.
std::optional<data_set> parse(std::string_view text);

}  // namespace dbdyno::marker
