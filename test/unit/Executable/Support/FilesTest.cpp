// Files that several processes write.

#include "gensyn/Executable/Support/Files.h"
#include "../TestFiles.h"

#include <gtest/gtest.h>

using namespace gensyn;
using namespace gensyn::test;

TEST(Files, partsAreWrittenInAnyOrder) {
  ScratchFolder scratch;
  AtomicFile file(scratch / "f");
  file.write("head");
  file.resize(12);
  {
    FileParts late(file.temporaryPath(), "f"), early(file.temporaryPath(), "f");
    late.write(8, "tail", 4);
    early.write(5, "mid", 3);
    early.commit();
    late.commit();
  }
  EXPECT_FALSE(std::filesystem::exists(scratch / "f"));
  file.commit();
  EXPECT_EQ(readText(scratch / "f", 100), std::string("head\0midtail", 12));
}

TEST(Files, partsFailAsFiles) {
  ScratchFolder scratch;
  EXPECT_EQ(failureOf([&] { FileParts((scratch / "f.abc"), "f"); }),
            "5: f: cannot be written: No such file or directory");
  // It may lead anywhere.
  std::filesystem::create_symlink(scratch / "other", scratch / "link");
  writeText(scratch / "other", "kept");
  EXPECT_EQ(failureOf([&] { FileParts((scratch / "link"), "f"); }),
            "5: f: cannot be written: Too many levels of symbolic links");
  EXPECT_EQ(failureOf([&] { FileParts("/dev/full", "f").write(3, "x", 1); }),
            "5: f: cannot be written: No space left on device");
}
