#include "results/atomic_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>

#include "results/clean_text.hpp"

namespace dbdyno::results {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void throw_errno() {
  throw std::system_error(errno, std::generic_category());
}

/// A new file beside the one it is to replace; removed again unless it took that one's place.
class temporary_file {
 public:
  explicit temporary_file(const fs::path& directory) {
    for (unsigned attempt = 0;; ++attempt) {
      path_ = directory / fmt::format(".dbdyno-{}-{}.tmp", getpid(), attempt);
      descriptor_ = open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
      if (descriptor_ >= 0) return;
      if (errno != EEXIST) throw_errno();
    }
  }
  ~temporary_file() {
    if (descriptor_ >= 0) close(descriptor_);
    if (!path_.empty()) unlink(path_.c_str());
  }
  temporary_file(const temporary_file&) = delete;
  temporary_file& operator=(const temporary_file&) = delete;

  void write(std::string_view text) const {
    while (!text.empty()) {
      const auto written = ::write(descriptor_, text.data(), text.size());
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) throw_errno();
      text.remove_prefix(static_cast<std::size_t>(written));
    }
  }

  void take_owner_and_mode_of(const struct stat& original) const {
    // Only root may give files away; anyone else's file becomes ours, as with most editors.
    if (fchown(descriptor_, original.st_uid, original.st_gid) != 0 && errno != EPERM && errno != EINVAL) {
      throw_errno();
    }
    if (fchmod(descriptor_, original.st_mode & 0777U) != 0) throw_errno();
  }

  void flush_to_disk() const {
    if (fsync(descriptor_) != 0) throw_errno();
  }

  void take_place_of(const fs::path& target) {
    // Network file systems report a failed write only here.
    if (close(std::exchange(descriptor_, -1)) != 0) throw_errno();
    if (rename(path_.c_str(), target.c_str()) != 0) throw_errno();
    path_.clear();
  }

 private:
  fs::path path_;
  int descriptor_ = -1;
};

fs::path directory_of(const fs::path& file) {
  const auto directory = file.parent_path();
  return directory.empty() ? fs::path(".") : directory;
}

/// The file that `path` stands for, links followed, so that a link is not replaced by a file.
fs::path target_of(const std::string& path) {
  std::error_code error;
  const auto resolved = fs::canonical(path, error);
  return error ? fs::path(path) : resolved;
}

/// What is at the path now; nothing if there is none yet.
std::optional<struct stat> existing_file(const std::string& path, const fs::path& target) {
  struct stat found {};
  if (stat(target.c_str(), &found) == 0) {
    if (S_ISDIR(found.st_mode)) throw result_path_error(path, "it is a directory");
    if (!S_ISREG(found.st_mode)) throw result_path_error(path, "it is not a regular file");
    return found;
  }
  if (errno != ENOENT) throw_errno();
  if (!target.has_filename()) throw result_path_error(path, "it names a directory");
  if (!fs::is_directory(directory_of(target))) {
    throw result_path_error(path, "there is no directory " + directory_of(target).string());
  }
  return std::nullopt;
}

/// A rename outlives a power failure only once its directory is on disk. Some file systems cannot do that;
/// the file itself is whole either way.
void flush_directory(const fs::path& directory) noexcept {
  const int descriptor = open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  static_cast<void>(fsync(descriptor));
  close(descriptor);
}

template <class Action>
void naming(const std::string& path, Action action) {
  try {
    action();
  } catch (const std::system_error& error) {
    throw result_path_error(path, error.code().message());
  }
}

}  // namespace

result_path_error::result_path_error(std::string path, std::string_view reason)
    : std::runtime_error(fmt::format("cannot write result file '{}': {}", clean_text(path), reason)),
      path_(std::move(path)) {
}

void check_writable(const std::string& path) {
  naming(path, [&] {
    const auto target = target_of(path);
    if (existing_file(path, target) && access(target.c_str(), W_OK) != 0) throw_errno();
    constexpr std::size_t small_result = 65'536;
    const temporary_file probe(directory_of(target));
    probe.write(std::string(small_result, ' '));
    probe.flush_to_disk();
  });
}

void replace_file(const std::string& path, std::string_view text) {
  naming(path, [&] {
    const auto target = target_of(path);
    const auto original = existing_file(path, target);
    temporary_file replacement(directory_of(target));
    replacement.write(text);
    if (original) replacement.take_owner_and_mode_of(*original);
    replacement.flush_to_disk();
    replacement.take_place_of(target);
    flush_directory(directory_of(target));
  });
}

}  // namespace dbdyno::results
