// The thread pool does every tile once, whatever the threads.

#include "gensyn/Runtime/Support/ThreadPool.h"
#include "../FlushToZero.h"
#include "gensyn/Numerics/FloatEnvironment.h"

#include <gtest/gtest.h>

#include <chrono>

using namespace gensyn;
using namespace gensyn::runtime;

namespace {
struct Counts {
  std::vector<std::atomic<int>> tiles;
  std::atomic<unsigned> highest{0};
};
} // namespace

static void countTiles(void *opaque, unsigned thread, int64_t begin,
                       int64_t end) {
  auto &counts = *static_cast<Counts *>(opaque);
  for (int64_t i = begin; i < end; ++i)
    ++counts.tiles[size_t(i)];
  unsigned seen = counts.highest;
  while (thread > seen && !counts.highest.compare_exchange_weak(seen, thread)) {
  }
}

TEST(ThreadPool, doesEveryTileOnce) {
  for (unsigned threads : {1u, 2u, 3u, 8u}) {
    ThreadPool pool(threads);
    EXPECT_EQ(pool.size(), threads);
    for (int64_t tiles : {0, 1, 2, 7, 1000}) {
      Counts counts{std::vector<std::atomic<int>>(size_t(tiles))};
      pool.run(0, tiles, countTiles, &counts);
      for (auto &count : counts.tiles)
        ASSERT_EQ(count, 1);
      EXPECT_LT(counts.highest, threads);
    }
  }
}

TEST(ThreadPool, manySmallRunsFollowOneAnother) {
  ThreadPool pool(4);
  for (int round = 0; round < 5000; ++round) {
    Counts counts{std::vector<std::atomic<int>>(5)};
    pool.run(0, 5, countTiles, &counts);
    for (auto &count : counts.tiles)
      ASSERT_EQ(count, 1);
  }
}

TEST(ThreadPool, beginsWhereItIsTold) {
  ThreadPool pool(3);
  Counts counts{std::vector<std::atomic<int>>(100)};
  pool.run(40, 90, countTiles, &counts);
  for (size_t i = 0; i < 100; ++i)
    EXPECT_EQ(counts.tiles[i], i >= 40 && i < 90);
}

namespace {
struct Meeting {
  std::atomic<int> arrived{0};
  std::atomic<bool> met{false};
};
} // namespace

/// Each tile waits for the other one, though not for ever.
static void meet(void *opaque, unsigned, int64_t, int64_t) {
  auto &meeting = *static_cast<Meeting *>(opaque);
  ++meeting.arrived;
  auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (meeting.arrived < 2 && std::chrono::steady_clock::now() < limit)
    std::this_thread::yield();
  if (meeting.arrived == 2)
    meeting.met = true;
}

TEST(ThreadPool, threadsWorkAtTheSameTime) {
  ThreadPool pool(2);
  for (int round = 0; round < 20; ++round) {
    Meeting meeting;
    pool.run(0, 2, meet, &meeting);
    ASSERT_TRUE(meeting.met);
  }
}

TEST(ThreadPool, zeroMeansEveryProcessor) {
  EXPECT_EQ(ThreadPool(0).size(), availableProcessors());
}

namespace {
struct HalvingMeeting : Meeting {
  volatile float halves[2] = {};
};
} // namespace

/// Halves the smallest normal number, on two threads at once.
static void halveSmallest(void *opaque, unsigned, int64_t begin, int64_t end) {
  auto &meeting = *static_cast<HalvingMeeting *>(opaque);
  meet(static_cast<Meeting *>(&meeting), 0, begin, end);
  volatile float smallest = 1.1754944e-38f;
  meeting.halves[begin] = smallest * 0.5f;
}

// A thread inherits the control register of the one that makes it.
TEST(ThreadPool, keepsSubnormalsWhateverTheCallerSet) {
  gensyn::test::FlushToZero flush;
  {
    ThreadPool pool(2);
    gensyn::FloatEnvironment environment;
    HalvingMeeting meeting;
    pool.run(0, 2, halveSmallest, &meeting);
    EXPECT_TRUE(meeting.met);
    EXPECT_EQ(meeting.halves[0], 5.877472e-39f);
    EXPECT_EQ(meeting.halves[1], 5.877472e-39f);
  }
  EXPECT_TRUE(gensyn::test::FlushToZero::isSet());
}
