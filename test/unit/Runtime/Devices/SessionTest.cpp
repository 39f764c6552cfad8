// A program on a store: values that are updated in place have one buffer.

#include "gensyn/Runtime/Devices/Session.h"
#include "../../Executable/PlanBuilder.h"
#include "../../Executable/TestFiles.h"
#include "gensyn/Executable/plan.pb.h"

#include <gtest/gtest.h>

using namespace gensyn;
using namespace gensyn::runtime;
using namespace gensyn::test;

namespace {

/// w and c replaced by w + 1 and c + 1.
class Counter final : public Program {
public:
  using Program::Program;
  void run(std::span<const Tensor *const> inputs,
           std::span<Tensor> outputs) override {
    for (size_t i = 0; i < 2; ++i) {
      const Tensor &output = outputs[i];
      sameMemory[i] = inputs[i]->data() == output.data();
      outputs[i].as<float>()[0] = inputs[i]->as<float>()[0] + 1;
    }
    if (fails)
      failBadInput("an element is at fault");
  }
  bool sameMemory[2] = {false, false};
  bool fails = false;
};

/// Only w may be written in place.
std::shared_ptr<plan::Executable> makeCounter() {
  auto executable = std::make_shared<plan::Executable>();
  executable->set_version(1);
  plan::Plan &plan = *executable->mutable_plan();
  addInput(plan, "w", "parameter", {1}).mutable_initial()->set_fill(1);
  addInput(plan, "c", "state", {1}).mutable_initial()->set_fill(5);
  addOutput(plan, "w", "parameter", {1}, 0);
  addOutput(plan, "c", "state", {1}, 1);
  plan.add_in_place(true);
  plan.add_in_place(false);
  return executable;
}

} // namespace

TEST(Session, outputsInPlace) {
  auto owned = std::make_unique<Counter>(makeCounter());
  Counter &program = *owned;
  ParameterStore store;
  Session session(std::move(owned), store);
  // A copy that somebody holds keeps its value.
  const TensorMap before = store.model();
  for (int step = 0; step < 3; ++step) {
    session.run({});
    EXPECT_TRUE(program.sameMemory[0]);
    EXPECT_FALSE(program.sameMemory[1]);
  }
  EXPECT_EQ(store.at("w").as<float>()[0], 4);
  EXPECT_EQ(store.at("c").as<float>()[0], 8);
  EXPECT_EQ(before.at("w").as<float>()[0], 1);
}

TEST(Session, aFaultEndsTheRun) {
  auto owned = std::make_unique<Counter>(makeCounter());
  owned->fails = true;
  ParameterStore store;
  Session session(std::move(owned), store);
  EXPECT_EQ(failureOf([&] { session.run({}); }), "3: an element is at fault");
  // A tensor that is not written in place is unchanged.
  EXPECT_EQ(store.at("c").as<float>()[0], 5);
}
