// A replay in words.

#include "gensyn/Runtime/Replay/DescribeReplay.h"

#include <gtest/gtest.h>

#include <string>

using namespace gensyn::runtime;

static std::string describe(const ReplayResult &result) {
  std::string text;
  for (const ReplayLine &line : describeReplay(result, "a", "b"))
    text += line.term + "|" + line.text + "\n";
  return text;
}

TEST(DescribeReplayTest, equalRecords) {
  EXPECT_EQ(describe({}), "replay|nothing differs: the records of both runs "
                          "are equal, and they were made alike\n");
}

TEST(DescribeReplayTest, neitherRunIsReproduced) {
  ReplayResult result;
  result.kind = ReplayResult::Kind::Judged;
  result.firstTarget = result.secondTarget = "reference";
  result.begin = 1000;
  result.repeated = 2;
  result.step = 1002;
  result.record = "their final parameters differ";
  result.first = {1001, "its log has the loss 1, here it is 2"};
  result.second = {1002, "its parameters.safetensors has other values"};
  EXPECT_EQ(describe(result),
            "replay|2 steps from the checkpoint of step 1,000 on reference\n"
            "step|1,002 is the first that differs: their final parameters "
            "differ\n"
            "refuted|a: not reproduced at step 1,001, its log has the loss 1, "
            "here it is 2\n"
            "refuted|b: not reproduced at step 1,002, its parameters."
            "safetensors has other values\n");
}

TEST(DescribeReplayTest, aStepThatDiffersThoughAllOpsAreEqual) {
  ReplayResult result;
  result.kind = ReplayResult::Kind::LockStep;
  result.firstTarget = "cpu:x86-64-v3";
  result.secondTarget = "reference";
  result.repeated = 3;
  result.step = 3;
  result.firstLoss = "0.5";
  result.secondLoss = "0.25";
  result.difference.emplace();
  result.difference->compared = 1;
  EXPECT_EQ(describe(result),
            "replay|3 steps from the initialization on cpu:x86-64-v3 and "
            "reference\n"
            "step|3 is the first that differs: the losses are 0.5 and 0.25\n"
            "inputs|are equal\n"
            "ops|the values of 1 op are equal: the step differs only if its "
            "kernels are fused, and returning values changes what is fused\n");
  EXPECT_EQ(toJson(result)["op"], nullptr);
  EXPECT_EQ(toJson(result)["ops"]["compared"], 1);
}
