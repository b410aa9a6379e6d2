#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "data-loaders/loader.hpp"

namespace dbdyno {

/// What read_marker() makes of a marker's text.
/// Errors: setup_error for a text that is none of ours.
std::optional<data_set> interpret_marker(std::string_view loader_name, const target& where,
                                         const std::optional<std::string>& text);

/// The order of things in every load: refuse what is not ours, mark the data as being in the making, write,
/// mark it as whole. So a load that is cut short leaves data that the next one recognises, and nobody takes
/// for whole.
class marked_loader : public loader {
 public:
  /// name: as in messages, "redis loader".
  marked_loader(std::string_view name, target where) : name_(name), where_(std::move(where)) {}

  std::optional<data_set> read_marker() final;
  void load(const data_set& data, bool replace, const loading_progress& progress) final;
  std::string read_rows(rows_source) override { fail("read rows of", "it holds none"); }

 protected:
  const std::string& name() const noexcept { return name_; }
  const target& where() const noexcept { return where_; }
  [[noreturn]] void fail(std::string_view step, std::string_view reason) const;

 private:
  /// The marker's text; nullopt where it or what it is kept in does not exist.
  virtual std::optional<std::string> fetch_marker() = 0;
  /// What in the way of the data set was not made by a loader, as the object of a sentence ("it holds ...");
  /// empty if nothing is. ours: a marker says that what looks like our data is.
  virtual std::string find_strangers(bool ours) = 0;
  /// Makes room for the data set. replace_strangers: find_strangers has found some, and the user wants them
  /// gone.
  virtual void prepare(bool replace_strangers) = 0;
  virtual void store_marker(std::string_view text) = 0;
  /// Writes every pair over what is there, and removes keys of ours beyond the data set.
  virtual void write(const data_set& data, const loading_progress& progress) = 0;
  /// Writes the rows beside the data set, where the storage holds any, over what is there.
  virtual void write_rows() {}

  std::string name_;
  target where_;
};

/// Calls a progress function that may be empty.
inline void report(const loading_progress& progress, std::string_view step, std::uint64_t done,
                   std::uint64_t total) {
  if (progress) progress(step, done, total);
}

}  // namespace dbdyno
