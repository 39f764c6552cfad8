// A plan that does not hold together is refused as a whole.

#include "PlanBuilder.h"
#include "TestFiles.h"

#include <gtest/gtest.h>

using namespace gensyn;
using namespace gensyn::runtime;
using namespace gensyn::runtime::test;

/// What is said of the tiny plan after `change`.
template <class Change> static std::string failureOfPlan(Change &&change) {
  auto executable = makeTinyExecutable(8);
  change(*executable);
  return failureOf([&] { readSignature(*executable); });
}

TEST(PlanCheck, goodPlanIsDecoded) {
  auto executable = makeTinyExecutable(8);
  Signature signature = readSignature(*executable);
  ASSERT_EQ(signature.inputs.size(), 2u);
  EXPECT_EQ(signature.inputs[0].role, Role::Parameter);
  EXPECT_EQ(signature.inputs[1].name, "x");
  EXPECT_EQ(signature.inputs[1].shape, std::vector<int64_t>{8});
  EXPECT_EQ(signature.donated, std::vector<int>{-1});
}

TEST(PlanCheck, namesAreOwn) {
  EXPECT_EQ(failureOfPlan([](plan::Executable &e) {
              e.mutable_plan()->mutable_inputs(1)->set_name("w");
            }),
            "3: two tensors of the program are called 'w'");
}

TEST(PlanCheck, faultsAreNamed) {
  const std::string bad = "3: the program is malformed: ";
  using E = plan::Executable;
  EXPECT_EQ(failureOfPlan([](E &e) { e.set_version(2); }),
            "4: the program has version 2; version 1 is known");
  EXPECT_EQ(failureOfPlan([](E &e) {
              e.mutable_plan()->mutable_inputs(0)->set_role("boss");
            }),
            bad + "'w' has role 'boss'");
  EXPECT_EQ(failureOfPlan([](E &e) {
              e.mutable_plan()->mutable_inputs(0)->set_element_type("f33");
            }),
            bad + "'w' has element type 'f33'");
  EXPECT_EQ(failureOfPlan([](E &e) {
              e.mutable_plan()->mutable_inputs(0)->set_shape(0, -1);
            }),
            bad + "'w' has no valid shape");
  EXPECT_EQ(failureOfPlan([](E &e) {
              e.mutable_plan()->mutable_inputs(1)->set_shape(0, 9);
            }),
            bad + "buffer 1 does not fit its tensor");
  EXPECT_EQ(failureOfPlan([](E &e) {
              e.mutable_plan()->mutable_buffers(0)->set_input(7);
            }),
            bad + "buffer 0 does not fit its tensor");
  EXPECT_EQ(failureOfPlan([](E &e) {
              e.mutable_plan()->mutable_buffers(2)->set_arena(128);
            }),
            bad + "buffer 2 lies outside the arena");
  EXPECT_EQ(failureOfPlan([](E &e) {
              e.mutable_plan()->mutable_buffers(2)->set_arena(60);
            }),
            bad + "buffer 2 lies outside the arena");
  EXPECT_EQ(failureOfPlan([](E &e) {
              e.mutable_plan()->mutable_buffers(2)->set_bytes(~0ull);
            }),
            bad + "buffer 2 lies outside the arena");
  EXPECT_EQ(failureOfPlan([](E &e) {
              e.mutable_plan()->mutable_buffers(3)->set_constant(1);
            }),
            bad + "buffer 3 does not fit its constant");
  EXPECT_EQ(failureOfPlan([](E &e) {
              e.mutable_plan()->mutable_buffers(3)->clear_place();
            }),
            bad + "buffer 3 has no place");
  EXPECT_EQ(failureOfPlan([](E &e) {
              e.mutable_plan()->mutable_launches(0)->set_buffers(0, 5);
            }),
            bad + "kernel 'tiny_add' has no buffer 5");
  EXPECT_EQ(failureOfPlan([](E &e) {
              e.mutable_plan()->mutable_launches(0)->set_tiles(-1);
            }),
            bad + "kernel 'tiny_add' has an impossible size");
  EXPECT_EQ(failureOfPlan([](E &e) {
              e.mutable_plan()->mutable_launches(0)->add_grid(0);
            }),
            bad + "kernel 'tiny_add' has an impossible grid");
  EXPECT_EQ(failureOfPlan(
                [](E &e) { e.mutable_plan()->set_arena_bytes(1ull << 60); }),
            bad + "its arena is impossibly large");
}

TEST(PlanCheck, donations) {
  auto donate = [](int input) {
    return failureOfPlan(
        [&](plan::Executable &e) { e.mutable_plan()->set_donated(0, input); });
  };
  EXPECT_EQ(donate(0), "");
  EXPECT_EQ(donate(1), "3: the program is malformed: 'y' cannot replace 'x'");
  EXPECT_EQ(donate(2),
            "3: the program is malformed: output 0 replaces input 2");
  EXPECT_EQ(donate(-2),
            "3: the program is malformed: output 0 replaces input -2");
}
