#include "data-loaders/verification.hpp"

#include <fmt/format.h>

#include <iterator>

#include "data-loaders/with_thousands.hpp"

namespace dbdyno {
namespace {

constexpr std::string_view generation_as_loaded = "00000000";
static_assert(generation_as_loaded.size() == data_set::generation_size);

}  // namespace

std::string verification::to_string() const {
  std::string out = fmt::format("{} of {} keys intact", with_thousands(intact), with_thousands(expected));
  const auto add = [&out](std::uint64_t count, std::string_view what) {
    if (count != 0) fmt::format_to(std::back_inserter(out), ", {} {}", with_thousands(count), what);
  };
  add(overwritten, "overwritten by sets");
  add(missing, "missing");
  add(wrong, "with a wrong value");
  add(unexpected, "beyond the data set");
  if (!rows.empty()) out += "; of the rows beside them " + rows;
  if (!as_loaded()) out += ": run dbdyno-load again to restore";
  return out;
}

void verifier::found(std::uint64_t id, std::string_view value) noexcept {
  const auto narrow_id = static_cast<std::uint32_t>(id);
  result_.checksum += data_set::checksum(narrow_id, value);
  if (!in_range(id)) return found_unexpected();
  if (value == data_.fill_value(narrow_id, expected_value_)) {
    ++result_.intact;
  } else if (data_.matches(data_.make_key(narrow_id), value) &&
             value.substr(data_set::tag_size, data_set::generation_size) != generation_as_loaded) {
    ++result_.overwritten;
  } else {
    ++result_.wrong;
  }
}

verification verifier::finish() noexcept {
  const std::uint64_t present = result_.intact + result_.overwritten + result_.wrong;
  result_.missing = result_.expected - present;
  return result_;
}

}  // namespace dbdyno
