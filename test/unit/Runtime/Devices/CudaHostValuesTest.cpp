// Which values may be in the host's memory, and which ones are chosen.

#include "Devices/CudaHostValues.h"
#include "../../Executable/PlanBuilder.h"

#include <gtest/gtest.h>

using namespace gensyn;
using namespace gensyn::cuda;
using namespace gensyn::test;

namespace {

/// Inputs 0 and 1, kept, that outputs 0 and 1 replace, and a value between.
struct Update {
  Update() {
    for (const char *name : {"m", "w"}) {
      addInput(plan, name, "state", {4});
      addOutput(plan, name, "state", {4}, plan.outputs_size());
      plan.add_in_place(true);
    }
    // 0 m, 1 w, 2 new m, 3 new w, 4 between.
    for (uint32_t i = 0; i < 5; ++i) {
      plan::Buffer &buffer = *plan.add_buffers();
      buffer.set_bytes(16);
      if (i < 2)
        buffer.set_input(i);
      else if (i < 4)
        buffer.set_output(i - 2);
      else
        buffer.set_arena(0);
    }
  }
  void launch(std::vector<uint32_t> buffers) {
    plan.add_launches()->mutable_buffers()->Add(buffers.begin(), buffers.end());
  }
  std::vector<bool> find() const { return findReplacedOnce(plan); }

  plan::Plan plan;
};

} // namespace

TEST(CudaHostValues, OneLaunchReadsAndReplaces) {
  Update update;
  // The parameter is read before.
  update.launch({1, 4});
  update.launch({0, 4, 2});
  update.launch({1, 4, 3});
  EXPECT_EQ(update.find(), (std::vector<bool>{true, false}));
}

TEST(CudaHostValues, OneLaunchOfBoth) {
  Update update;
  update.launch({0, 1, 2, 3});
  EXPECT_EQ(update.find(), (std::vector<bool>{true, true}));
}

TEST(CudaHostValues, ResultsThatAreRead) {
  Update update;
  update.launch({0, 4, 2});
  update.launch({2, 1, 3});
  EXPECT_EQ(update.find(), (std::vector<bool>{false, true}));
}

TEST(CudaHostValues, ResultsElsewhere) {
  Update update;
  update.plan.set_in_place(1, false);
  update.launch({0, 1, 2, 3});
  EXPECT_EQ(update.find(), (std::vector<bool>{true, false}));
}

TEST(CudaHostValues, LoopsAndBranchesReadOften) {
  Update update;
  update.launch({0, 4, 2});
  update.launch({1, 4, 3});
  update.plan.add_steps()->set_launch(0);
  plan::Step::Loop &loop = *update.plan.add_steps()->mutable_loop();
  loop.set_index(4);
  loop.add_body()->set_launch(1);
  EXPECT_EQ(update.find(), (std::vector<bool>{true, false}));
  plan::Step::If &branch = *update.plan.mutable_steps(0)->mutable_branch();
  branch.set_predicate(4);
  branch.add_else_steps()->set_launch(0);
  EXPECT_EQ(update.find(), (std::vector<bool>{false, false}));
}

TEST(CudaHostValues, CopiesAndChecksCount) {
  Update update;
  update.launch({0, 4, 2});
  update.launch({1, 4, 3});
  update.plan.add_steps()->set_launch(0);
  update.plan.add_steps()->set_launch(1);
  EXPECT_EQ(update.find(), (std::vector<bool>{true, true}));
  plan::Step::Copy &copy = *update.plan.add_steps()->mutable_copy();
  copy.set_from(2);
  copy.set_to(4);
  EXPECT_EQ(update.find(), (std::vector<bool>{false, true}));
  update.plan.add_steps()->mutable_check()->set_ok(3);
  EXPECT_EQ(update.find(), (std::vector<bool>{false, false}));
}

TEST(CudaHostValues, TheLargestFirst) {
  const std::map<std::string, uint64_t> values = {
      {"a", 10}, {"b", 30}, {"c", 30}, {"d", 20}};
  using Names = std::set<std::string>;
  EXPECT_EQ(chooseHostValues(values, 0), Names{});
  EXPECT_EQ(chooseHostValues(values, 30), Names{"b"});
  EXPECT_EQ(chooseHostValues(values, 31), (Names{"b", "c"}));
  EXPECT_EQ(chooseHostValues(values, 61), (Names{"b", "c", "d"}));
  EXPECT_EQ(chooseHostValues(values, 1000), (Names{"a", "b", "c", "d"}));
}
