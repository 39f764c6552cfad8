// The table of GPU generations.

#include "gensyn/Machine/Gpu.h"

#include <algorithm>
#include <gtest/gtest.h>

using namespace gensyn::machine;

TEST(Gpu, TheTableAscends) {
  ASSERT_FALSE(getGpus().empty());
  EXPECT_TRUE(
      std::ranges::is_sorted(getGpus(), std::ranges::less_equal(), &Gpu::sm));
  // Within a major version a later device never came with an older PTX.
  for (size_t i = 1; i < getGpus().size(); ++i)
    if (getGpus()[i - 1].sm / 10 == getGpus()[i].sm / 10)
      EXPECT_LE(getGpus()[i - 1].ptxVersion, getGpus()[i].ptxVersion);
}

TEST(Gpu, IsFoundByNumberAndByName) {
  for (const Gpu &gpu : getGpus()) {
    EXPECT_EQ(findGpu(gpu.sm), &gpu);
    EXPECT_EQ(findGpu(gpu.name()), &gpu);
  }
  EXPECT_EQ(findGpu(0), nullptr);
  EXPECT_EQ(findGpu(81), nullptr);
  for (const char *name : {"", "90", "sm_", "sm_090", "sm_90a", "SM_90"})
    EXPECT_EQ(findGpu(name), nullptr) << name;
}

TEST(Gpu, RunsItsOwnGenerationAndOlderOnes) {
  EXPECT_TRUE(listRunnableGpus(getGpus().front().sm - 1).empty());
  EXPECT_EQ(listRunnableGpus(87),
            (std::vector<std::string>{"sm_86", "sm_80", "sm_75"}));
  EXPECT_EQ(listRunnableGpus(getGpus().back().sm).size(), getGpus().size());
  for (int own : {103, 110, 121})
    EXPECT_EQ(listRunnableGpus(own).front(), "sm_" + std::to_string(own));
}

TEST(Gpu, TheDefaultIsPreferredThenOlderOnes) {
  EXPECT_EQ(listGpusByPreference(),
            (std::vector<std::string>{"sm_90", "sm_89", "sm_86", "sm_80",
                                      "sm_75", "sm_100", "sm_103", "sm_110",
                                      "sm_120", "sm_121"}));
}

TEST(Gpu, DescribesTheTable) {
  EXPECT_EQ(describeGpus(), "75, 80, 86, 89, 90, 100, 103, 110, 120 or 121");
}

// Numbers of the CUDA programming guide.
TEST(Gpu, DoublesAreFastOnLargeDevices) {
  std::vector<int> fast;
  for (const Gpu &gpu : getGpus())
    if (gpu.hasFastDouble())
      fast.push_back(gpu.sm);
  EXPECT_EQ(fast, (std::vector<int>{80, 90, 100}));
}
