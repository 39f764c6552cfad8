#include "gensyn/Executable/WorkMemory.h"

#include "gtest/gtest.h"

#include <cstring>

namespace gensyn {
namespace {

TEST(WorkMemory, HasRoomForTheLargestProgram) {
  WorkMemory work;
  for (uint64_t bytes : {100u, 5000u, 10u, 0u, 70'000u}) {
    work.reserveArena(bytes);
    ASSERT_NE(work.arena(), nullptr);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(work.arena()) % 64, 0u);
    std::memset(work.arena(), 1, bytes);
  }
  uint8_t *const largest = work.arena();
  work.reserveArena(5000);
  EXPECT_EQ(work.arena(), largest);
}

TEST(WorkMemory, HasScratchForEachThread) {
  WorkMemory work;
  work.reserveScratch(1, 1000);
  work.reserveScratch(3, 10); // more threads, each with the most bytes so far
  for (size_t thread = 0; thread < 3; ++thread)
    std::memset(work.scratch()[thread].get(), int(thread), 1000);
  work.reserveScratch(2, 4000);
  for (size_t thread = 0; thread < 3; ++thread)
    std::memset(work.scratch()[thread].get(), int(thread), 4000);
  EXPECT_NE(work.scratch()[0].get(), work.scratch()[1].get());
}

} // namespace
} // namespace gensyn
