// A tool does not overwrite its inputs, whatever the path.

#include "../TestFiles.h"

#include "gensyn/Executable/Support/Files.h"
#include "gensyn/Executable/Support/InputFiles.h"

#include <gtest/gtest.h>

#include <fcntl.h>
#include <sys/stat.h>

using namespace gensyn;
using namespace gensyn::test;
namespace fs = std::filesystem;

static int stats = 0;

/// In place of the C library's, also for the C++ library.
extern "C" int stat(const char *path, struct stat *status) noexcept {
  ++stats;
  return ::fstatat(AT_FDCWD, path, status, 0);
}

namespace {

class InputFilesTest : public testing::Test {
protected:
  InputFilesTest() { writeFile(scratch / "in", "bytes"); }
  /// Returns the error of writing to `path`.
  static std::string writing(const fs::path &path) {
    return failureOf([&] { writeText(path, "other"); });
  }
  ScratchFolder scratch;
};

} // namespace

TEST_F(InputFilesTest, areNotReplacedUnderAnyName) {
  InputGuard guard;
  MappedFile input(scratch / "in");
  fs::create_symlink("in", scratch / "link");
  fs::create_hard_link(scratch / "in", scratch / "hard");
  fs::create_directory(scratch / "folder");
  const std::string in = (scratch / "in").string();
  for (const char *name : {"in", "./in", ".//in"})
    EXPECT_EQ(writing(scratch / name), "2: " + (scratch / name).string() +
                                           ": is read, and would be replaced");
  for (const char *name : {"link", "hard", "folder/../in"})
    EXPECT_EQ(writing(scratch / name),
              "2: " + (scratch / name).string() +
                  ": is read, and would be replaced; it is '" + in + "'");
  EXPECT_EQ(readFile(scratch / "in"), "bytes");
  EXPECT_EQ(writing(scratch / "out"), "");
}

TEST_F(InputFilesTest, becomeInputsUntilTheFileIsCommitted) {
  InputGuard guard;
  AtomicFile file(scratch / "in");
  file.write("other");
  MappedFile input(scratch / "in");
  EXPECT_NE(failureOf([&] { file.commit(); }), "");
  EXPECT_EQ(readFile(scratch / "in"), "bytes");
}

/// Paths as models name their external data.
TEST_F(InputFilesTest, areNamedWithoutDots) {
  InputGuard guard;
  noteInput(scratch / "./in");
  EXPECT_EQ(writing(scratch / "in"), "2: " + (scratch / "in").string() +
                                         ": is read, and would be replaced");
}

/// A new file is none that was read, whatever name and number it has.
TEST_F(InputFilesTest, areForgottenWhenTheyAreReplaced) {
  InputGuard guard;
  {
    MappedFile input(scratch / "in");
  }
  writeFile(scratch / "new", "new");
  fs::rename(scratch / "new", scratch / "in");
  EXPECT_EQ(writing(scratch / "in"), "");
  {
    MappedFile input(scratch / "in");
  }
  fs::remove(scratch / "in");
  // Some file systems give the number to the next file at once.
  for (int i = 0; i < 16; ++i) {
    writeFile(scratch / std::to_string(i), "new");
    EXPECT_EQ(writing(scratch / std::to_string(i)), "");
  }
}

/// A run writes a checkpoint in the same time whether it reads one file or ten
/// thousand.
TEST_F(InputFilesTest, areNotAskedForOneByOne) {
  InputGuard guard;
  MappedFile input(scratch / "in");
  auto count = [&] {
    const int before = stats;
    EXPECT_EQ(writing(scratch / "out"), "");
    return stats - before;
  };
  count();
  const int one = count();
  EXPECT_GE(one, 2);
  for (int i = 0; i < 100; ++i) {
    writeFile(scratch / std::to_string(i), "shard");
    MappedFile shard(scratch / std::to_string(i));
  }
  EXPECT_EQ(count(), one);
  EXPECT_EQ(listInputs().size(), 101u);
}

TEST_F(InputFilesTest, areFoundInFolders) {
  InputGuard guard;
  fs::create_directories(scratch / "a/b");
  fs::create_hard_link(scratch / "in", scratch / "a/b/file");
  noteInput(scratch / "in");
  EXPECT_NE(failureOf([&] { requireNoInputIn(scratch / "a"); }), "");
  EXPECT_EQ(failureOf([&] { requireNoInputIn(scratch / "none"); }), "");
}

TEST_F(InputFilesTest, areOnlyWhatIsGivenWhileAToolRuns) {
  {
    InputGuard guard;
    MappedFile own(scratch / "in", MappedFile::Origin::Own);
    EXPECT_EQ(writing(scratch / "in"), "");
    MappedFile given(scratch / "in");
    EXPECT_EQ(listInputs().size(), 1u);
  }
  MappedFile input(scratch / "in");
  EXPECT_EQ(writing(scratch / "in"), "");
}
