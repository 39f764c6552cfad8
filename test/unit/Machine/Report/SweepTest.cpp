// Values of sweeps, and the front.

#include "gensyn/Machine/Sweep.h"
#include "gensyn/Executable/Support/Failure.h"

#include <gtest/gtest.h>

using namespace gensyn;
using namespace gensyn::machine;

namespace {

std::string failureOf(const std::string &text) {
  try {
    (void)parseSweep(text, findMachine("xr-soc"));
  } catch (const Failure &failure) {
    return failure.what();
  }
  return "";
}

TEST(Sweep, StepsAreGeometric) {
  const Sweep sweep = parseSweep("dram.bandwidth=2:16:4,npu-sram.size=64K:1M:3",
                                 findMachine("xr-soc"));
  ASSERT_EQ(sweep.axes.size(), 2u);
  EXPECT_EQ(sweep.axes[0].values,
            (std::vector<int64_t>{2'000'000'000, 4'000'000'000, 8'000'000'000,
                                  16'000'000'000}));
  EXPECT_EQ(sweep.axes[1].values,
            (std::vector<int64_t>{64 << 10, 256 << 10, 1 << 20}));
  ASSERT_EQ(sweep.points.size(), 12u);
  EXPECT_EQ(sweep.points[1].values,
            (std::vector<int64_t>{2'000'000'000, 256 << 10}));
  EXPECT_EQ(sweep.points[1].size, 256 << 10);
  EXPECT_TRUE(sweep.hasSize());
  const Description machine =
      parseDescription(sweep.points[11].machine, "point");
  EXPECT_EQ(machine.memories[4].bandwidth.value, 16'000'000'000);
  EXPECT_EQ(machine.memories[0].size.value, 1 << 20);
}

TEST(Sweep, EightValuesByDefaultAndOneThatStays) {
  const Sweep sweep = parseSweep("dram.bandwidth=2:16,dsp.frequency=360",
                                 findMachine("xr-soc"));
  EXPECT_EQ(sweep.points.size(), 8u);
  EXPECT_FALSE(sweep.hasSize());
}

TEST(Sweep, Errors) {
  EXPECT_EQ(failureOf("dram.bandwith=2:16"),
            "'dram.bandwith' is not a number of the machine file; the nearest "
            "one is 'dram.bandwidth'");
  EXPECT_EQ(failureOf("dram.bandwidth"),
            "--sweep: 'dram.bandwidth' is not PATH=FIRST:LAST[:COUNT]");
  EXPECT_EQ(failureOf("dram.bandwidth=16:2"),
            "--sweep: 'dram.bandwidth=16:2' is not PATH=FIRST:LAST[:COUNT] "
            "with 0 < FIRST < LAST");
  EXPECT_EQ(failureOf("dram.bandwidth=2:16:1"),
            "--sweep 'dram.bandwidth': '1' is not a number of values from 2 to "
            "1024");
  EXPECT_EQ(failureOf("dram.bandwidth=2:4,dram.bandwidth=2:4"),
            "--sweep: 'dram.bandwidth' is there twice");
  EXPECT_EQ(failureOf("dram.bandwidth=2:16:1000,dsp.frequency=100:400:9"),
            "--sweep: more than 4096 combinations of values");
  // Checked as a file is: what is reserved must fit.
  EXPECT_EQ(failureOf("dsp-l1.size=8K:16K:2").substr(0, 48),
            "--sweep: xr-soc with dsp-l1.size = 8 KiB: memori");
}

TEST(Sweep, Front) {
  Sweep sweep;
  auto add = [&](int64_t time, int64_t energy, int64_t size,
                 const char *problem = "") {
    SweepPoint point;
    point.time = time;
    point.energy = energy;
    point.size = size;
    point.problem = problem;
    sweep.points.push_back(point);
  };
  add(10, 10, 1);
  add(20, 10, 1); // slower
  add(5, 20, 1);
  add(10, 10, 1); // as good as the first
  add(10, 10, 2); // larger
  add(1, 1, 1, "does not fit");
  add(5, 20, 0);
  markFront(sweep);
  std::vector<bool> front;
  for (const SweepPoint &point : sweep.points)
    front.push_back(point.isOnFront);
  EXPECT_EQ(front,
            (std::vector<bool>{true, false, false, true, false, false, true}));
}

} // namespace
