#include "bench/reference_rows.hpp"

#include <fmt/format.h>

#include "data-loaders/loader.hpp"
#include "drivers/errors.hpp"
#include "fixtures/user_rows.hpp"

namespace dbdyno {

std::optional<rows_source> rows_source_of(const cell& what) {
  if (what.workload == "rows") return rows_source::table;
  if (what.workload == "rows_view") return rows_source::view;
  return std::nullopt;
}

const reference_rows::answer& reference_rows::of(const std::string& storage, rows_source from) {
  const auto found = known_.find({storage, from});
  if (found != known_.end()) return found->second;
  return known_.emplace(std::pair(storage, from), ask(storage, from)).first->second;
}

reference_rows::answer reference_rows::ask(const std::string& storage, rows_source from) const {
  const std::optional<target> where = targets_.any(storage);
  // In this process, the driver holds what it is given.
  if (!where || where->via == transport::in_process) return {user_rows_block(), ""};
  try {
    const std::string found = make_loader(*where, options_.connect_timeout)->read_rows(from);
    if (from == rows_source::view) return {found, ""};
    const std::string difference = describe_difference_from_user_rows(found);
    if (difference.empty()) return {found, ""};
    return {"",
            fmt::format(
                "not timed: its rows are not the reference answer: {}; dbdyno-load writes them anew "
                "(in another order, Redis keeps hashes that are too long for its hash-max-listpack-entries)",
                difference)};
  } catch (const setup_error& error) {
    return {"", fmt::format("not timed: {}; dbdyno-load writes the rows", error.what())};
  }
}

}  // namespace dbdyno
