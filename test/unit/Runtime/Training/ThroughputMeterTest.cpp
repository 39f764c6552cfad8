// Rates, times and sizes in words.

#include "gensyn/Runtime/Training/ThroughputMeter.h"

#include <gtest/gtest.h>

using namespace gensyn;
using namespace gensyn::runtime;

TEST(ThroughputMeter, rateOfTheLastSteps) {
  ThroughputMeter pace;
  EXPECT_EQ(pace.samplesPerSecond(), 0);
  EXPECT_EQ(pace.secondsLeft(10), 0);
  pace.add(8, 0.5, 0.5);
  EXPECT_EQ(pace.samplesPerSecond(), 16);
  EXPECT_EQ(pace.secondsLeft(10), 5);
  // The first step was slow; after many others it does not matter.
  for (int i = 0; i < 1000; ++i)
    pace.add(8, 0.25, 0.5 + 0.25 * (i + 1));
  EXPECT_NEAR(pace.samplesPerSecond(), 32, 1e-3);
  // Time between steps counts for the remaining time.
  pace.add(8, 0.25, 2004);
  EXPECT_NEAR(pace.secondsLeft(501), 1002, 2);
}

TEST(ThroughputMeter, memoryOfAProcess) {
  const ProcessMemory memory = parseProcessMemory(
      "Name:\tx\nVmPeak:\t  9 kB\nVmHWM:\t    2048 kB\nVmRSS:\t    1024 kB\n");
  EXPECT_EQ(memory.resident, uint64_t(1) << 20);
  EXPECT_EQ(memory.peak, uint64_t(2) << 20);
  EXPECT_EQ(parseProcessMemory("").peak, 0u);
  EXPECT_GT(readProcessMemory().peak, uint64_t(1) << 16);
}

TEST(ThroughputMeter, words) {
  EXPECT_EQ(describeDuration(0.2), "0 s");
  EXPECT_EQ(describeDuration(59.4), "59 s");
  EXPECT_EQ(describeDuration(59.6), "1 min 0 s");
  EXPECT_EQ(describeDuration(3725), "1 h 2 min");
  EXPECT_EQ(describeDuration(86400 * 3 + 7200), "3 d 2 h");
  EXPECT_EQ(describeDuration(-1), "0 s");
  EXPECT_EQ(describeDuration(1e300), "a long time");
  EXPECT_EQ(describeBytes(1), "1 byte");
  EXPECT_EQ(describeBytes(1023), "1023 bytes");
  EXPECT_EQ(describeBytes(1536), "1.5 KB");
  EXPECT_EQ(describeBytes(uint64_t(312) << 20), "312.0 MB");
  EXPECT_EQ(describeBytes(~uint64_t(0)), "16.0 EB");
  EXPECT_EQ(describeRate(0.5234), "0.523");
  EXPECT_EQ(describeRate(99.94), "99.9");
  EXPECT_EQ(describeRate(10321.4), "10321");
}
