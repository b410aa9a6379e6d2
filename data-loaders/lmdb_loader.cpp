#include "data-loaders/lmdb_loader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "data-loaders/data_key.hpp"
#include "data-loaders/marked_loader.hpp"
#include "data-loaders/marker.hpp"
#include "drivers/lmdb/environment.hpp"

namespace dbdyno {
namespace {

constexpr std::uint32_t keys_a_report = 1000;

class lmdb_loader : public marked_loader {
 public:
  explicit lmdb_loader(const target& where) : marked_loader("lmdb loader", where) {}

  verification verify(const data_set& data, const loading_progress& progress) override;

 private:
  using missing_directory = lmdb_environment::missing_directory;

  std::optional<std::string> fetch_marker() override;
  std::string find_strangers(bool ours) override;
  void prepare(bool replace_strangers) override;
  void store_marker(std::string_view text) override;
  void write(const data_set& data, const loading_progress& progress) override;

  bool exists() const { return std::filesystem::exists(where().path + "/data.mdb"); }
  lmdb_environment& open(missing_directory policy) {
    if (!environment_) environment_.emplace(where().path, policy);
    return *environment_;
  }
  lmdb_environment& open() { return open(missing_directory::refuse); }

  std::optional<lmdb_environment> environment_;
};

std::optional<std::string> lmdb_loader::fetch_marker() {
  if (!exists()) return std::nullopt;
  return open().get(marker::key_text);
}

std::string lmdb_loader::find_strangers(bool ours) {
  if (ours || !exists()) return {};
  const std::size_t entries = open().count();
  return entries == 0 ? "" : fmt::format("{} entr{}", entries, entries == 1 ? "y" : "ies");
}

void lmdb_loader::prepare(bool replace_strangers) {
  lmdb_environment& environment = open(missing_directory::create);
  if (!replace_strangers) return;
  lmdb_bulk_writer writer(environment);
  writer.clear();
  writer.commit();
}

void lmdb_loader::store_marker(std::string_view text) {
  lmdb_bulk_writer writer(open());
  writer.put(marker::key_text, text);
  writer.commit();
}

void lmdb_loader::write(const data_set& data, const loading_progress& progress) {
  std::vector<std::string> beyond;
  open().for_each([&](std::string_view key, std::string_view) {
    if (parse_data_key(key).value_or(0) > data.keys()) beyond.emplace_back(key);
  });
  lmdb_bulk_writer writer(open());
  for (const std::string& text : beyond) writer.remove(text);
  std::string value(data.largest_value(), '\0');
  for (std::uint32_t id = 1; id <= data.keys(); ++id) {
    writer.put(data.make_key(id).text(), data.fill_value(id, value.data()));
    if (id % keys_a_report == 0) report(progress, "loading", id, data.keys());
  }
  writer.commit();
}

verification lmdb_loader::verify(const data_set& data, const loading_progress& progress) {
  verifier check(data);
  std::uint64_t read = 0;
  open().for_each([&](std::string_view key, std::string_view value) {
    const auto id = parse_data_key(key);
    if (!id) return;
    check.found(*id, value);
    if (++read % keys_a_report == 0)
      report(progress, "verifying", std::min<std::uint64_t>(read, data.keys()), data.keys());
  });
  return check.finish();
}

}  // namespace

std::unique_ptr<loader> make_lmdb_loader(const target& where) {
  return std::make_unique<lmdb_loader>(where);
}

}  // namespace dbdyno
