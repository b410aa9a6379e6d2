#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "results/json_node.hpp"

/// Reading the JSON of other programs. For the readers of this folder only.
namespace dbdyno::results {

/// The keys of the outermost object in order, as far as the text goes; none if it does not begin with one.
/// It takes a small part of the time that parsing does, and broken JSON does not stop it.
std::vector<std::string_view> top_level_keys(std::string_view text);

/// Has `read` read the JSON, in which NaN, Infinity, nan and inf, with a minus in front or not, may stand
/// where a number should: see node::is_not_finite.
///
/// Errors: result_file_error naming the file `name`, and line and column where it is no JSON, the pointer of
/// the value where `read` throws value_error.
void read_json(std::string_view text, std::string_view name, const std::function<void(const node&)>& read);

}  // namespace dbdyno::results
