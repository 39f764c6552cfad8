// Files by device and inode.

#include "gensyn/Executable/Support/FileSet.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include <fcntl.h>
#include <unistd.h>

using namespace gensyn;
namespace fs = std::filesystem;

namespace {

class FileSetTest : public testing::Test {
protected:
  FileSetTest() {
    std::string name =
        (fs::temp_directory_path() / "gensyn-test.XXXXXX").string();
    folder = ::mkdtemp(name.data());
    write("in");
  }
  ~FileSetTest() override { fs::remove_all(folder); }

  void write(const char *name) { std::ofstream(folder / name) << "bytes"; }

  fs::path folder;
  FileSet files;
};

} // namespace

TEST_F(FileSetTest, findsAFileUnderEveryName) {
  EXPECT_TRUE(files.empty());
  EXPECT_FALSE(files.find(folder / "in"));
  files.insert(*identifyFile(folder / "in"));
  fs::create_symlink("in", folder / "link");
  fs::create_hard_link(folder / "in", folder / "hard");
  write("other");
  const std::string in = folder / "in";
  EXPECT_EQ(files.find(folder / "./in"), in);
  EXPECT_EQ(files.find(folder / "link"), in);
  EXPECT_EQ(files.find(folder / "hard"), in);
  EXPECT_FALSE(files.find(folder / "other"));
  EXPECT_FALSE(files.find(folder / "none"));
  // The name by which it was opened, if there are several.
  files.insert(*identifyFile(folder / "hard"));
  EXPECT_EQ(files.find(folder / "hard"), (folder / "hard").string());
  EXPECT_EQ(files.list().size(), 2u);
  files.clear();
  EXPECT_FALSE(files.find(folder / "in"));
}

TEST_F(FileSetTest, isFilledFromOpenFiles) {
  const int opened = ::open((folder / "in").c_str(), O_RDONLY);
  ASSERT_GE(opened, 0);
  // A file created later under the same name is another file.
  fs::rename(folder / "in", folder / "moved");
  write("in");
  files.insert(*identifyFile(opened, folder / "in"));
  ::close(opened);
  EXPECT_FALSE(files.find(folder / "in"));
}

TEST_F(FileSetTest, hasRegularFilesOnly) {
  EXPECT_FALSE(identifyFile(folder));
  EXPECT_FALSE(identifyFile(fs::path("/dev/null")));
  EXPECT_EQ(absolutePath(folder / ".//./in"), (folder / "in").string());
  EXPECT_EQ(absolutePath(folder / "a/../in"), (folder / "a/../in").string());
}
