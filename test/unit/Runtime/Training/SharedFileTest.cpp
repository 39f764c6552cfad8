// Files that ranks write together, where they see the folder.

#include "Training/SharedFile.h"
#include "../../Executable/TestFiles.h"
#include "../ForRanks.h"
#include "Training/SharedFolder.h"

#include <gtest/gtest.h>

using namespace gensyn;
using namespace gensyn::runtime;
using namespace gensyn::test;

constexpr int kRanks = 3;
const std::vector<std::string> kNoErrors(kRanks);

namespace fs = std::filesystem;
using communication::Communicator;

static std::vector<std::string> list(const fs::path &folder) {
  std::vector<std::string> names;
  for (const auto &item : fs::directory_iterator(folder))
    names.push_back(item.path().filename());
  return names;
}

TEST(SharedFolder, isSeenUnderAnyName) {
  ScratchFolder scratch;
  fs::create_directory(scratch / "run");
  fs::create_directory(scratch / "other");
  fs::create_directory_symlink(scratch / "run", scratch / "link");
  auto find = [&](std::vector<fs::path> folders) {
    std::vector<bool> found;
    const auto errors = forRanks(kRanks, [&](Communicator &ranks, size_t rank) {
      const std::vector<bool> all = findSharers(ranks, folders[rank]);
      if (rank == 1)
        found = all;
    });
    EXPECT_EQ(errors, kNoErrors);
    EXPECT_EQ(list(scratch / "run"), std::vector<std::string>());
    EXPECT_EQ(list(scratch / "other"), std::vector<std::string>());
    return found;
  };
  const fs::path run = scratch / "run";
  EXPECT_EQ(find({run, run, scratch / "link"}),
            std::vector<bool>({true, true, true}));
  EXPECT_EQ(find({run, scratch / "other", scratch / "link"}),
            std::vector<bool>({true, false, true}));
  EXPECT_EQ(find({run, scratch / "none", run}),
            std::vector<bool>({true, false, true}));
  EXPECT_EQ(find({run, "", run}), std::vector<bool>());
  EXPECT_EQ(find({"", run, run}), std::vector<bool>());
  EXPECT_EQ(find({scratch / "none", run, run}), std::vector<bool>());
}

/// Each rank that uses files writes three bytes.
static std::vector<std::string> write(const fs::path &folder,
                                      const fs::path &file, int failing) {
  return forRanks(kRanks, [&](Communicator &ranks, size_t rank) {
    const bool usesFiles = rank != 1;
    SharedFile shared(ranks, folder, file, usesFiles, "head", 13);
    if (!shared.isShared())
      return;
    const std::string bytes(3, char('0' + rank));
    if (usesFiles)
      shared.write(4 + 3 * rank, std::as_bytes(std::span(bytes)));
    if (int(rank) == failing) {
      const Failure failure(ExitCode::InputOutput, "the disk is full");
      ranks.reportFailure(failure);
      throw failure;
    }
    shared.commit();
    ranks.barrier();
    EXPECT_EQ(readText(file, 100), std::string("head000\0\0\0"
                                               "222",
                                               13));
  });
}

TEST(SharedFile, isWrittenByAllAndComplete) {
  ScratchFolder scratch;
  fs::create_directory(scratch / "part");
  EXPECT_EQ(write(scratch / "", scratch / "part" / "f", -1), kNoErrors);
  EXPECT_EQ(list(scratch / "part"), std::vector<std::string>{"f"});
}

TEST(SharedFile, staysAsItWasWhenARankFails) {
  ScratchFolder scratch;
  for (int failing = 0; failing < kRanks; ++failing) {
    writeText(scratch / "f", "before");
    const auto errors = write(scratch / "", scratch / "f", failing);
    for (int rank = 0; rank < kRanks; ++rank)
      EXPECT_EQ(errors[size_t(rank)], rank == failing
                                          ? "the disk is full"
                                          : "rank " + std::to_string(failing) +
                                                " (here): the disk is full");
    EXPECT_EQ(readText(scratch / "f", 100), "before");
    EXPECT_EQ(list(scratch / ""), std::vector<std::string>{"f"});
  }
}

TEST(SharedFile, outsideOfTheFolderIsTheFirstRanks) {
  ScratchFolder scratch;
  fs::create_directory(scratch / "run");
  writeText(scratch / "elsewhere", "before");
  fs::create_symlink(scratch / "elsewhere", scratch / "run" / "f");
  EXPECT_EQ(write(scratch / "run", scratch / "run" / "f", -1), kNoErrors);
  EXPECT_EQ(readText(scratch / "elsewhere", 100), "before");
  EXPECT_EQ(list(scratch / "run"), std::vector<std::string>{"f"});
}
