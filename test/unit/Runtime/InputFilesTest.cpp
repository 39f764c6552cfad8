// What a tool reads it does not write over, whatever the path.

#include "TestFiles.h"

#include "gensyn/Runtime/Files.h"
#include "gensyn/Runtime/InputFiles.h"

#include <gtest/gtest.h>

using namespace gensyn::runtime;
using namespace gensyn::runtime::test;
namespace fs = std::filesystem;

namespace {

class InputFilesTest : public testing::Test {
protected:
  InputFilesTest() { writeFile(scratch / "in", "bytes"); }
  /// How writing to `path` ends.
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
  EXPECT_EQ(writing(scratch / "in"),
            "2: " + in + ": is read, and would be replaced");
  for (const char *name : {"link", "hard", "folder/../in", "./in"})
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
