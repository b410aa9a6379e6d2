#pragma once

#include <functional>
#include <string_view>

#include "results/json_node.hpp"

/// For the readers of this folder only.
namespace dbdyno::results {

/// Has `read` read the text's JSON.
///
/// Errors: result_file_error naming the file `name`: that it is empty or of blanks alone, line and column
/// where it is no JSON, or the pointer of the value where `read` throws value_error.
void read_document(std::string_view text, std::string_view name,
                   const std::function<void(const node&)>& read);

}  // namespace dbdyno::results
