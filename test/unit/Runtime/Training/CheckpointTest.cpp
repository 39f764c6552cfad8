// Checkpoints are there whole or not at all, and refused where a bit is
// another.

#include "Training/Checkpoint.h"
#include "../../Executable/TestFiles.h"

#include <gtest/gtest.h>

using namespace gensyn;
using namespace gensyn::runtime;
using namespace gensyn::test;

namespace fs = std::filesystem;

namespace {

class CheckpointTest : public testing::Test {
protected:
  CheckpointTest() {
    checkpoint.model.emplace("w", Tensor::of<float>({2}, {1.0f, -2.0f}));
    checkpoint.optimizer.emplace("m", Tensor::of<double>({1}, {0.5}));
    checkpoint.state = {{"step", 7}};
  }

  ScratchFolder scratch;
  Checkpoint checkpoint;
  fs::path place = scratch / "step-7";
};

} // namespace

TEST_F(CheckpointTest, isReadAsItWasWritten) {
  writeCheckpoint(place, checkpoint);
  Checkpoint read = readCheckpoint(place);
  EXPECT_EQ(read.state, checkpoint.state);
  ASSERT_EQ(read.model.size(), 1u);
  EXPECT_TRUE(read.model["w"].bitEqual(checkpoint.model["w"]));
  ASSERT_EQ(read.optimizer.size(), 1u);
  EXPECT_TRUE(read.optimizer["m"].bitEqual(checkpoint.optimizer["m"]));
  // Only the folder is left, and writing again replaces it.
  checkpoint.state["step"] = 8;
  writeCheckpoint(place, checkpoint);
  EXPECT_EQ(readCheckpoint(place).state["step"], 8);
  EXPECT_EQ(std::distance(fs::directory_iterator(scratch / ""), {}), 1);
}

TEST_F(CheckpointTest, everyBitOfEveryFileCounts) {
  writeCheckpoint(place, checkpoint);
  for (const char *name : {"parameters.safetensors", "optimizer.safetensors",
                           "state.json", "B3SUMS"}) {
    const std::string whole = readFile(place / name);
    ASSERT_FALSE(whole.empty());
    auto refused = [&](const std::string &contents) {
      writeFile(place / name, contents);
      std::string failure = failureOf([&] { readCheckpoint(place); });
      return failure.starts_with("3: " + place.string() + ": ") &&
             failure.find(name) != std::string::npos;
    };
    for (size_t bit = 0; bit < 8 * whole.size(); ++bit) {
      std::string flipped = whole;
      flipped[bit / 8] ^= char(1 << bit % 8);
      ASSERT_TRUE(refused(flipped)) << name << " bit " << bit;
    }
    for (size_t size = 0; size < whole.size(); ++size)
      ASSERT_TRUE(refused(whole.substr(0, size))) << name << " of " << size;
    ASSERT_TRUE(refused(whole + "\n"));
    fs::remove(place / name);
    EXPECT_EQ(failureOf([&] { readCheckpoint(place); }),
              "3: " + place.string() + ": " + name + " is missing");
    writeFile(place / name, whole);
    EXPECT_EQ(readCheckpoint(place).state, checkpoint.state);
  }
}

TEST_F(CheckpointTest, failuresLeaveNothing) {
  // A name that a file cannot have.
  checkpoint.optimizer.emplace("__metadata__", Tensor::scalar(1.0f));
  EXPECT_NE(failureOf([&] { writeCheckpoint(place, checkpoint); }), "");
  EXPECT_TRUE(fs::is_empty(scratch / ""));
  // The existing checkpoint stays.
  checkpoint.optimizer.erase("__metadata__");
  writeCheckpoint(place, checkpoint);
  checkpoint.optimizer.emplace("__metadata__", Tensor::scalar(1.0f));
  EXPECT_NE(failureOf([&] { writeCheckpoint(place, checkpoint); }), "");
  EXPECT_EQ(readCheckpoint(place).optimizer.size(), 1u);
}

/// The name that hides a checkpoint while it is removed is longer.
TEST_F(CheckpointTest, areRemovedWhereTheyCannotBeRenamed) {
  const fs::path place = scratch / ("step-" + std::string(249, '0') + "7");
  fs::create_directory(place);
  writeFile(place / "state.json", "{}");
  ASSERT_EQ(listCheckpoints(scratch / "").size(), 1u);
  removeCheckpoint(place);
  EXPECT_TRUE(listCheckpoints(scratch / "").empty());
}

TEST_F(CheckpointTest, areListedAndRemoved) {
  EXPECT_TRUE(listCheckpoints(scratch / "none").empty());
  for (const char *name : {"step-9", "step-10", "step-x", "step-1x", "step-",
                           ".step-3.partial", ".step-4.old", ".probe.abcdef"})
    fs::create_directory(scratch / name);
  auto found = listCheckpoints(scratch / "");
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].first, 10);
  EXPECT_EQ(found[1].second, scratch / "step-9");
  removeLeftovers(scratch / "");
  EXPECT_FALSE(fs::exists(scratch / ".step-3.partial"));
  EXPECT_FALSE(fs::exists(scratch / ".step-4.old"));
  EXPECT_FALSE(fs::exists(scratch / ".probe.abcdef"));
  EXPECT_TRUE(fs::exists(scratch / "step-x"));
  removeCheckpoint(scratch / "step-9");
  EXPECT_EQ(listCheckpoints(scratch / "").size(), 1u);
}
