#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "bench/html_list.hpp"
#include "bench/workload.hpp"
#include "drivers/driver.hpp"
#include "fixtures/user_rows.hpp"

namespace dbdyno {

/// Reads a few wide rows, copies every cell and compares all of them with a reference answer; where asked to,
/// renders them into a small HTML list as well.
template <rows_source From>
class rows_workload {
 public:
  static constexpr std::string_view name = From == rows_source::table ? "rows" : "rows_view";
  static constexpr bool writes = false;
  static constexpr std::optional<rows_source> rows_from = From;

  explicit rows_workload(const workload_settings& settings) : reference_(*settings.rows) {
    if (settings.render) list_.emplace(user_columns().size(), reference_.size());
  }
  rows_workload(const rows_workload&) = delete;
  rows_workload& operator=(const rows_workload&) = delete;

  template <reads_rows_in_sync D>
  op_status run(D& driver, const key&) noexcept {
    std::string_view cells;
    const op_status status = driver.read_rows(cells);
    return check()(0, status, cells);
  }
  static bool wrote() noexcept { return false; }

  static std::uint64_t tag_of(const key&) noexcept { return 0; }
  static bool is_write(std::uint64_t) noexcept { return false; }
  template <reads_rows_in_flight D>
  submitted submit(D& driver, slot s, const key&) noexcept {
    return driver.submit_read_rows(s);
  }

  struct checker {
    std::string_view reference;
    html_list* list;  ///< null: nothing is rendered

    op_status operator()(std::uint64_t, op_status status, std::string_view cells) const noexcept {
      if (status != op_status::ok) [[unlikely]]
        return status;
      if (cells != reference) [[unlikely]]
        return op_status::wrong_reply;
      if (list != nullptr) {
        const std::string_view text = list->render(cells);
        // Nobody reads the text, which the compiler must not know.
        asm volatile("" : : "r"(text.data()), "r"(text.size()) : "memory");
      }
      return op_status::ok;
    }
  };
  /// Lifetime: valid as long as this workload.
  checker check() noexcept { return {reference_, list_ ? &*list_ : nullptr}; }

 private:
  std::string reference_;
  std::optional<html_list> list_;
};

}  // namespace dbdyno
