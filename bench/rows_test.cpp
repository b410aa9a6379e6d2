#include "bench/rows.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "drivers/cell_block.hpp"

namespace dbdyno {
namespace {

using rows_of_table = rows_workload<rows_source::table>;

TEST(html_list, is_an_item_for_each_row_with_what_html_wants_escaped) {
  std::string cells;
  for (const char* cell : {"a", "<b & \"c\">", "", "1"}) append_cell(cells, cell);
  html_list list(2, cells.size());
  EXPECT_EQ(list.render(cells), "<ul>\n<li>a, &lt;b &amp; &quot;c&quot;&gt;</li>\n<li>, 1</li>\n</ul>\n");
  EXPECT_EQ(list.render(""), "<ul>\n</ul>\n") << "nothing is left of the list before";
}

/// Answers with what it is told.
class scripted_rows {
 public:
  scripted_rows() = default;
  scripted_rows(const scripted_rows&) = delete;
  op_status get(const key&, std::string_view&) noexcept { return op_status::refused; }
  op_status set(const key&, std::string_view) noexcept { return op_status::refused; }
  op_status read_rows(std::string_view& out) noexcept {
    out = answer;
    return status;
  }
  void interrupt() noexcept {}
  std::string last_error() const { return {}; }

  std::string answer = user_rows_block();
  op_status status = op_status::ok;
};

TEST(rows, are_right_only_if_every_cell_is) {
  const std::string reference = user_rows_block();
  for (const bool render : {false, true}) {
    rows_of_table workload(workload_settings{.rows = &reference, .render = render});
    scripted_rows driver;
    EXPECT_EQ(workload.run(driver, key()), op_status::ok);
    driver.answer.back() = 'x';
    EXPECT_EQ(workload.run(driver, key()), op_status::wrong_reply);
    driver.answer = reference.substr(0, reference.size() / 3);
    EXPECT_EQ(workload.run(driver, key()), op_status::wrong_reply);
    driver.answer.clear();
    EXPECT_EQ(workload.run(driver, key()), op_status::wrong_reply);
    driver.status = op_status::refused;
    EXPECT_EQ(workload.run(driver, key()), op_status::refused);
  }
}

}  // namespace
}  // namespace dbdyno
