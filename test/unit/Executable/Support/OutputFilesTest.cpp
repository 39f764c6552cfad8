// Files that are written together, or not at all.

#include "../TestFiles.h"

#include "gensyn/Executable/Support/InputFiles.h"
#include "gensyn/Executable/Support/OutputFiles.h"

#include <gtest/gtest.h>

using namespace gensyn;
using namespace gensyn::test;
namespace fs = std::filesystem;

namespace {

class OutputFilesTest : public testing::Test {
protected:
  std::string claiming(const fs::path &path) {
    return failureOf([&] { outputs.claim(path); });
  }
  ScratchFolder scratch;
  OutputFiles outputs;
};

} // namespace

TEST_F(OutputFilesTest, haveNamesOfTheirOwn) {
  writeFile(scratch / "old", "old");
  fs::create_symlink("old", scratch / "link");
  fs::create_directory(scratch / "folder");
  EXPECT_EQ(claiming(scratch / "new"), "");
  EXPECT_EQ(claiming(scratch / "old"), "");
  for (const char *name :
       {"new", "./new", "folder/../new", "old", "link", "folder/../link"})
    EXPECT_EQ(claiming(scratch / name),
              "2: " + (scratch / name).string() +
                  ": two outputs would be written to it");
  EXPECT_EQ(claiming(scratch / "other"), "");
  EXPECT_EQ(claiming("/dev/null"), "");
  EXPECT_EQ(claiming("/dev/null"), "");
  EXPECT_EQ(scratch.files(), 3u);
  EXPECT_EQ(readFile(scratch / "old"), "old");
}

TEST_F(OutputFilesTest, appearTogether) {
  for (const char *name : {"a", "b"}) {
    outputs.claim(scratch / name);
    outputs.add(scratch / name, name);
  }
  outputs.write();
  EXPECT_FALSE(fs::exists(scratch / "a"));
  outputs.commit();
  EXPECT_EQ(readFile(scratch / "a"), "a");
  EXPECT_EQ(readFile(scratch / "b"), "b");
  EXPECT_EQ(scratch.files(), 2u);
}

TEST_F(OutputFilesTest, leaveNothingWhereOneFails) {
  InputGuard guard;
  outputs.claim(scratch / "a");
  outputs.add(scratch / "a", "a");
  outputs.claim(scratch / "b");
  outputs.add(scratch / "b", "b");
  // Meanwhile it became an input.
  writeFile(scratch / "b", "input");
  noteInput(scratch / "b");
  EXPECT_NE(failureOf([&] { outputs.write(); }), "");
  outputs = OutputFiles();
  EXPECT_EQ(readFile(scratch / "b"), "input");
  EXPECT_EQ(scratch.files(), 1u);
}
