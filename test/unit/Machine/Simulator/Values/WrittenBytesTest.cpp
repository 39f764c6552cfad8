// Which bytes of a core's memory were written.

#include "Simulator/Values/CoreMemories.h"

#include <gtest/gtest.h>

#include <optional>
#include <utility>
#include <vector>

using namespace gensyn;

namespace {

/// Some words of bits and a part of one.
constexpr int64_t kBytes = 200;

machine::WrittenBytes makeWritten() {
  machine::WrittenBytes memory;
  memory.reset(256, kBytes);
  for (int64_t i = 0; i < kBytes; ++i)
    memory.data()[i] = uint8_t(i);
  memory.write(0, kBytes);
  return memory;
}

/// The bytes that are as they were and written; all others must be FF and
/// unwritten.
std::vector<int64_t> listKept(machine::WrittenBytes &memory) {
  std::vector<int64_t> kept;
  for (int64_t i = 0; i < kBytes; ++i)
    if (!memory.findUnwritten(i, 1)) {
      EXPECT_EQ(memory.data()[i], uint8_t(i));
      kept.push_back(i);
    } else {
      EXPECT_EQ(memory.data()[i], 0xFF) << i;
    }
  return kept;
}

std::vector<int64_t> range(int64_t begin, int64_t end) {
  std::vector<int64_t> numbers;
  for (int64_t i = begin; i < end; ++i)
    numbers.push_back(i);
  return numbers;
}

TEST(WrittenBytes, FindsTheFirstThatIsMissing) {
  machine::WrittenBytes memory;
  memory.reset(256, kBytes);
  EXPECT_EQ(memory.findUnwritten(0, kBytes), 0);
  memory.write(3, 130);
  EXPECT_EQ(memory.findUnwritten(3, 130), std::nullopt);
  EXPECT_EQ(memory.findUnwritten(2, 10), 2);
  EXPECT_EQ(memory.findUnwritten(3, 131), 133);
  EXPECT_EQ(memory.findUnwritten(70, kBytes - 70), 133);
}

TEST(WrittenBytes, KeepsRowsAlone) {
  const std::vector<std::pair<int64_t, int64_t>> rows = {{10, 12}, {63, 65}};
  machine::WrittenBytes memory = makeWritten();
  memory.keep(rows);
  EXPECT_EQ(listKept(memory), std::vector<int64_t>({10, 11, 63, 64}));
}

// Two fetches ahead may read the same rows, or one those inside of another's.
TEST(WrittenBytes, KeepsRowsThatOverlap) {
  const std::vector<std::pair<int64_t, int64_t>> rows = {
      {0, 80}, {20, 40}, {70, 90}, {90, 100}, {90, 100}};
  machine::WrittenBytes memory = makeWritten();
  memory.keep(rows);
  EXPECT_EQ(listKept(memory), range(0, 100));
}

TEST(WrittenBytes, KeepsNothingOrAll) {
  machine::WrittenBytes memory = makeWritten();
  const std::vector<std::pair<int64_t, int64_t>> all = {{0, kBytes}};
  memory.keep(all);
  EXPECT_EQ(listKept(memory), range(0, kBytes));
  memory.keep({});
  EXPECT_TRUE(listKept(memory).empty());
}

} // namespace
