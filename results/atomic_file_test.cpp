#include "results/atomic_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "results/temporary_directory.hpp"

namespace fs = std::filesystem;
using namespace dbdyno::results;
using testing::ElementsAre;
using testing::IsEmpty;

namespace {

class AtomicFile : public testing::Test {
 protected:
  AtomicFile() { fs::permissions(directory_.path(), fs::perms(0755)); }

  std::string path(const std::string& name) const { return (directory_.path() / name).string(); }

  std::string file(const std::string& name, const std::string& text) const {
    std::ofstream(path(name)) << text;
    return path(name);
  }

  static std::string content(const std::string& file) {
    std::ifstream stream(file);
    return {std::istreambuf_iterator<char>(stream), {}};
  }

  std::vector<std::string> names() const {
    std::vector<std::string> found;
    for (const auto& entry : fs::directory_iterator(directory_.path()))
      found.push_back(entry.path().filename());
    return found;
  }

  static std::string reason(const std::string& file, void (*action)(const std::string&)) {
    try {
      action(file);
    } catch (const result_path_error& error) {
      EXPECT_EQ(error.path(), file);
      const std::string prefix = "cannot write result file '" + file + "': ";
      const std::string message = error.what();
      EXPECT_EQ(message.substr(0, prefix.size()), prefix);
      return message.substr(std::min(message.size(), prefix.size()));
    }
    return "no error";
  }

  static void replace(const std::string& file) { replace_file(file, "new"); }

  /// Compares the reason given in a child process that prepared itself in a way this one must not.
  template <class Prepare>
  static void expect_reason_in_child(const std::string& file, void (*action)(const std::string&),
                                     Prepare prepare, const std::string& expected) {
    EXPECT_EXIT(
        {
          prepare();
          const auto given = reason(file, action);
          std::fputs(given.c_str(), stderr);
          std::_Exit(given == expected ? 0 : 1);
        },
        testing::ExitedWithCode(0), "");
  }

  /// As a user whom permissions stop: root is not one.
  static void as_ordinary_user() {
    constexpr unsigned nobody = 65534;
    if (geteuid() == 0 && (setgid(nobody) != 0 || setuid(nobody) != 0)) std::_Exit(1);
  }

 private:
  temporary_directory directory_;
};

TEST_F(AtomicFile, MakesAFileWithThePermissionsNewFilesGet) {
  const auto previous = umask(027);
  replace_file(path("run.json"), "text");
  umask(previous);
  EXPECT_EQ(content(path("run.json")), "text");
  EXPECT_EQ(fs::status(path("run.json")).permissions(), fs::perms(0640));
  EXPECT_THAT(names(), ElementsAre("run.json"));
}

TEST_F(AtomicFile, ReplacesAFileAndKeepsItsPermissions) {
  const auto run = file("run.json", "a longer old text");
  fs::permissions(run, fs::perms(0604));
  replace_file(run, "new");
  EXPECT_EQ(content(run), "new");
  EXPECT_EQ(fs::status(run).permissions(), fs::perms(0604));
  EXPECT_THAT(names(), ElementsAre("run.json"));
}

TEST_F(AtomicFile, ReadersOfTheOldFileKeepTheOldText) {
  const auto run = file("run.json", "old");
  std::ifstream reader(run);
  replace_file(run, "new");
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(reader), {}), "old");
}

TEST_F(AtomicFile, FollowsASymbolicLink) {
  const auto run = file("run.json", "old");
  fs::create_symlink("run.json", path("latest.json"));
  replace_file(path("latest.json"), "new");
  EXPECT_TRUE(fs::is_symlink(path("latest.json")));
  EXPECT_EQ(content(run), "new");
}

TEST_F(AtomicFile, TakesAFileNameWithoutDirectory) {
  const auto previous = fs::current_path();
  fs::current_path(fs::path(path("x")).parent_path());
  check_writable("run.json");
  replace_file("run.json", "new");
  fs::current_path(previous);
  EXPECT_EQ(content(path("run.json")), "new");
}

TEST_F(AtomicFile, ATrialLeavesNothingBehind) {
  check_writable(path("run.json"));
  EXPECT_THAT(names(), IsEmpty());
  const auto run = file("run.json", "old");
  check_writable(run);
  EXPECT_EQ(content(run), "old");
  EXPECT_THAT(names(), ElementsAre("run.json"));
}

TEST_F(AtomicFile, PathsThatCannotBeAFileAreRefused) {
  fs::create_directory(path("folder"));
  file("plain", "");
  ASSERT_EQ(mkfifo(path("pipe").c_str(), 0600), 0);
  for (auto* action : {&check_writable, &AtomicFile::replace}) {
    EXPECT_EQ(reason(path("folder"), action), "it is a directory");
    EXPECT_EQ(reason(path("folder/"), action), "it is a directory");
    EXPECT_EQ(reason(path("none/"), action), "it names a directory");
    EXPECT_EQ(reason("", action), "it names a directory");
    EXPECT_EQ(reason(path("none/run.json"), action), "there is no directory " + path("none"));
    EXPECT_EQ(reason(path("plain/run.json"), action), "Not a directory");
    EXPECT_EQ(reason(path(std::string(300, 'x')), action), "File name too long");
    EXPECT_EQ(reason(path("pipe"), action), "it is not a regular file");
  }
}

TEST_F(AtomicFile, AReadOnlyDirectoryIsRefusedAndItsFileKept) {
  const auto run = file("run.json", "old");
  fs::permissions(run, fs::perms(0666));
  fs::permissions(fs::path(run).parent_path(), fs::perms(0555));
  expect_reason_in_child(run, check_writable, as_ordinary_user, "Permission denied");
  expect_reason_in_child(run, replace, as_ordinary_user, "Permission denied");
  EXPECT_EQ(content(run), "old");
  EXPECT_THAT(names(), ElementsAre("run.json"));
  fs::permissions(fs::path(run).parent_path(), fs::perms(0755));
}

TEST_F(AtomicFile, AFileMadeReadOnlyIsRefusedBeforehand) {
  const auto run = file("run.json", "old");
  fs::permissions(run, fs::perms(0444));
  fs::permissions(fs::path(run).parent_path(), fs::perms(0777));
  expect_reason_in_child(run, check_writable, as_ordinary_user, "Permission denied");
}

TEST_F(AtomicFile, AWriteThatFailsHalfwayKeepsTheOldFile) {
  const auto run = file("run.json", "old");
  const auto limit_file_size = [] {
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit two_bytes{2, 2};
    if (setrlimit(RLIMIT_FSIZE, &two_bytes) != 0) std::_Exit(1);
  };
  expect_reason_in_child(run, check_writable, limit_file_size, "File too large");
  expect_reason_in_child(run, replace, limit_file_size, "File too large");
  EXPECT_EQ(content(run), "old");
  EXPECT_THAT(names(), ElementsAre("run.json"));
}

}  // namespace
