// TensorBoard's files: checksums, frames, and what a row of the log becomes.

#include "Formats/EventFile.h"

#include "../../Executable/TestFiles.h"
#include "gensyn/Runtime/Formats/event.pb.h"

#include <gtest/gtest.h>

using namespace gensyn;
using namespace gensyn::runtime;
using namespace gensyn::test;

// The values of RFC 3720, B.4.
TEST(EventFile, checksums) {
  EXPECT_EQ(checksumCastagnoli("", 0), 0u);
  EXPECT_EQ(checksumCastagnoli("123456789", 9), 0xe3069283u);
  EXPECT_EQ(checksumCastagnoli(std::string(32, '\0').data(), 32), 0x8a9136aau);
  EXPECT_EQ(checksumCastagnoli(std::string(32, '\xff').data(), 32),
            0x62a8ab43u);
}

TEST(EventFile, frames) {
  const std::string record = frameRecord("abc");
  ASSERT_EQ(record.size(), 8u + 4 + 3 + 4);
  EXPECT_EQ(record.substr(0, 8), std::string("\3\0\0\0\0\0\0\0", 8));
  EXPECT_EQ(record.substr(12, 3), "abc");
}

/// The events of the only file in a folder.
static std::vector<tensorboard::Event>
readEvents(const std::filesystem::path &folder) {
  std::vector<tensorboard::Event> events;
  for (const auto &item : std::filesystem::directory_iterator(folder)) {
    EXPECT_EQ(item.path().filename().string().find("events.out.tfevents."), 0u);
    std::string bytes = readFile(item.path());
    while (bytes.size() >= 16) {
      const size_t size = uint8_t(bytes[0]) | size_t(uint8_t(bytes[1])) << 8;
      const std::string contents = bytes.substr(12, size);
      EXPECT_EQ(frameRecord(contents), bytes.substr(0, size + 16));
      EXPECT_TRUE(events.emplace_back().ParseFromString(contents));
      bytes.erase(0, size + 16);
    }
    EXPECT_EQ(bytes, "");
  }
  return events;
}

TEST(EventFile, numbersOfARow) {
  ScratchFolder scratch;
  EventFile file;
  file.open(scratch / "t", 0);
  file.append({{"step", 3},
               {"epoch", 1},
               {"loss", 0.5},
               {"lr", 0.25},
               {"seconds", 7.0}});
  file.append({{"step", 3}, {"parameters", "digest"}});
  file.append({{"step", 4}, {"eval_loss", 1.5}, {"eval_samples", 10}});
  const auto events = readEvents(scratch / "t");
  ASSERT_EQ(events.size(), 3u);
  EXPECT_EQ(events[0].file_version(), "brain.Event:2");
  EXPECT_GT(events[0].wall_time(), 1.6e9);
  EXPECT_EQ(events[1].step(), 3);
  ASSERT_EQ(events[1].summary().value_size(), 2);
  EXPECT_EQ(events[1].summary().value(0).tag(), "loss");
  EXPECT_EQ(events[1].summary().value(0).simple_value(), 0.5f);
  EXPECT_EQ(events[1].summary().value(1).tag(), "lr");
  EXPECT_EQ(events[2].step(), 4);
  ASSERT_EQ(events[2].summary().value_size(), 1);
  EXPECT_EQ(events[2].summary().value(0).tag(), "eval_loss");
}

TEST(EventFile, aRunThatGoesOn) {
  ScratchFolder scratch;
  EventFile file;
  file.open(scratch / "t", 17);
  const auto events = readEvents(scratch / "t");
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(events[1].step(), 18);
  EXPECT_EQ(events[1].session_log().status(), tensorboard::SessionLog::START);
  // A second file in the same second has another name.
  file.open(scratch / "t", 17);
  EXPECT_EQ(readEvents(scratch / "t").size(), 4u);
}
