// A plan that does not hold together is refused as a whole.

#include "gensyn/Executable/Packages/PlanCheck.h"
#include "../PlanBuilder.h"
#include "../TestFiles.h"

#include "gensyn/Executable/Signature.h"
#include "gensyn/Executable/plan.pb.h"

#include <gtest/gtest.h>

using namespace gensyn;
using namespace gensyn::test;

/// Returns the error of the tiny plan after `change`.
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
  EXPECT_EQ(failureOfPlan([](E &e) { e.set_version(3); }),
            "4: the program has version 3; versions 1 and 2 are known");
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
  // It begins in the arena, which is large enough for it, and ends behind it.
  EXPECT_EQ(failureOfPlan([](E &e) {
              e.mutable_plan()->mutable_buffers(2)->set_bytes(64);
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
  EXPECT_EQ(failureOfPlan([](E &e) {
              plan::Launch &launch = *e.mutable_plan()->mutable_launches(0);
              launch.add_grid(7);
              launch.add_grid(65536);
              launch.add_block(128);
            }),
            "6: kernel 'tiny_add' needs a grid of 7 by 65536 blocks of 128 "
            "threads; a GPU has at most 2147483647 by 65535 by 65535 of 1024");
  EXPECT_EQ(failureOfPlan([](E &e) {
              plan::Launch &launch = *e.mutable_plan()->mutable_launches(0);
              launch.add_grid(7);
              launch.add_block(32);
              launch.add_block(33);
            }),
            "6: kernel 'tiny_add' needs a grid of 7 blocks of 32 by 33 "
            "threads; a GPU has at most 2147483647 by 65535 by 65535 of 1024");
  EXPECT_EQ(failureOfPlan(
                [](E &e) { e.mutable_plan()->set_arena_bytes(1ull << 60); }),
            bad + "its arena has 1152921504606846976 bytes, its buffers end at "
                  "96");
  EXPECT_EQ(failureOfPlan([](E &e) {
              e.mutable_plan()->mutable_inputs(1)->set_role("output");
            }),
            bad + "'x' is taken, which its role does not allow");
  EXPECT_EQ(failureOfPlan([](E &e) {
              e.mutable_plan()->mutable_outputs(0)->set_role("key");
            }),
            bad + "'y' is made, which its role does not allow");
  EXPECT_EQ(failureOfPlan([](E &e) {
              e.mutable_plan()->mutable_outputs(0)->set_role("loss");
            }),
            bad + "'y' is a metric but not a number");
  EXPECT_EQ(failureOfPlan([](E &e) {
              e.mutable_plan()->mutable_inputs(1)->set_role("step");
            }),
            bad + "'x' counts steps but is not a number");
  EXPECT_EQ(failureOfPlan([](E &e) {
              e.mutable_plan()->mutable_inputs(1)->set_role("key");
            }),
            bad + "its key is neither two ui32 nor one ui64");
}

TEST(PlanCheck, buffersOfALaunchDoNotOverlap) {
  // Buffer 2 is [64, 96) of the arena; a sixth buffer is added to launch 0.
  auto place = [](uint64_t begin, uint64_t bytes) {
    return failureOfPlan([&](plan::Executable &e) {
      plan::Plan &plan = *e.mutable_plan();
      plan.set_arena_bytes(256);
      plan::Buffer &buffer = *plan.add_buffers();
      buffer.set_arena(begin);
      buffer.set_bytes(bytes);
      plan.mutable_launches(0)->add_buffers(5);
    });
  };
  const std::string bad = "3: the program is malformed: kernel 'tiny_add' has "
                          "buffers that overlap";
  EXPECT_EQ(place(64, 32), "");
  EXPECT_EQ(place(128, 32), "");
  EXPECT_EQ(place(0, 64), "");
  EXPECT_EQ(place(0, 65), bad);
  EXPECT_EQ(place(0, 256), bad);
  EXPECT_EQ(place(64, 31), bad);
  EXPECT_EQ(place(64, 0), "");
}

TEST(PlanCheck, preparedValues) {
  // Buffer 2, which the first launch writes and the second reads.
  auto prepare = [](auto &&change) {
    return failureOfPlan([&](plan::Executable &e) {
      plan::Plan &plan = *e.mutable_plan();
      e.set_version(2);
      plan.set_arena_bytes(0);
      plan.set_prepared_bytes(128);
      plan.mutable_buffers(2)->set_prepared(64);
      plan.mutable_launches(0)->set_prepares(true);
      change(plan);
    });
  };
  using P = plan::Plan;
  const std::string bad = "3: the program is malformed: ";
  EXPECT_EQ(prepare([](P &) {}), "");
  for (uint64_t offset : {32, 128, 192})
    EXPECT_EQ(prepare([&](P &plan) {
                plan.mutable_buffers(2)->set_prepared(offset);
              }),
              bad + "buffer 2 lies outside the prepared values");
  EXPECT_EQ(prepare([](P &plan) { plan.set_prepared_bytes(1ull << 60); }),
            bad + "the memory of its prepared values has 1152921504606846976 "
                  "bytes, its buffers end at 96");
  EXPECT_EQ(prepare([](P &plan) { plan.add_steps()->set_launch(1); }), "");
  EXPECT_EQ(prepare([](P &plan) { plan.add_steps()->set_launch(0); }),
            bad + "a step launches number 0, which runs before the steps");
  EXPECT_EQ(prepare([](P &plan) {
              plan::Step::Copy &copy = *plan.add_steps()->mutable_copy();
              copy.set_from(0);
              copy.set_to(2);
            }),
            bad + "a step writes buffer 2");
  EXPECT_EQ(prepare([](P &plan) {
              plan::Buffer &buffer = *plan.add_buffers();
              buffer.set_prepared(0);
              buffer.set_bytes(80);
              plan.mutable_launches(1)->add_buffers(5);
            }),
            bad + "kernel 'tiny_mul' has buffers that overlap");
}

TEST(PlanCheck, loopsHaveAnEnd) {
  auto loop = [](int64_t trips, int64_t inner, bool hasCondition) {
    return failureOfPlan([&](plan::Executable &e) {
      plan::Plan &plan = *e.mutable_plan();
      plan.set_arena_bytes(256);
      for (uint64_t bytes : {8, 1}) {
        plan::Buffer &buffer = *plan.add_buffers();
        buffer.set_arena(128);
        buffer.set_bytes(bytes);
      }
      plan::Step::Loop *made = plan.add_steps()->mutable_loop();
      for (int64_t count : {trips, inner}) {
        made->set_trips(count);
        made->set_index(5);
        if (hasCondition)
          made->set_condition(6);
        made = made->add_body()->mutable_loop();
      }
      made->set_index(5);
      made->add_body()->set_launch(0);
    });
  };
  const std::string absurd =
      "6: a run of the program takes more than 268435456 steps";
  EXPECT_EQ(loop(1000, 1000, false), "");
  EXPECT_EQ(loop(int64_t(1) << 40, 0, false), absurd);
  EXPECT_EQ(loop(1 << 15, 1 << 15, false), absurd);
  EXPECT_EQ(loop(int64_t(1) << 62, int64_t(1) << 62, false), absurd);
  // A condition may end it sooner; the run counts.
  EXPECT_EQ(loop(int64_t(1) << 62, int64_t(1) << 62, true), "");
}

TEST(PlanCheck, accessesOfAKernel) {
  auto failure = [](auto &&change) {
    auto executable = makeTinyExecutable(8);
    plan::Plan &plan = *executable->mutable_plan();
    KernelAccess access;
    access.tiles = 8;
    access.scratchBytes = 4;
    access.buffers = {{32}, {32}, {32, /*isWritten=*/true}};
    change(plan, access);
    return failureOf([&] { checkAccess(plan, plan.launches(0), access); });
  };
  using P = plan::Plan;
  using A = KernelAccess;
  const std::string bad = "3: the program is malformed: kernel 'tiny_add' ";
  EXPECT_EQ(failure([](P &, A &) {}), "");
  EXPECT_EQ(failure([](P &, A &access) { access.tiles = 7; }),
            bad + "has 7 tiles and is launched with 8");
  EXPECT_EQ(failure([](P &, A &access) { access.scratchBytes = 64; }),
            bad + "needs 64 bytes of scratch and is given 4");
  EXPECT_EQ(failure([](P &, A &access) { access.buffers.pop_back(); }),
            bad + "takes 2 buffers and is given 3");
  EXPECT_EQ(failure([](P &, A &access) { access.buffers[1].bytes = 36; }),
            bad + "accesses 36 bytes of argument 1, which has 32");
  EXPECT_EQ(failure([](P &, A &access) { access.buffers[0].isWritten = true; }),
            bad + "writes argument 0, which may only be read");
  // A run may read prepared values; launches before it write them.
  auto prepare = [](P &plan) {
    plan.set_prepared_bytes(128);
    plan.mutable_buffers(2)->set_prepared(64);
  };
  EXPECT_EQ(failure([&](P &plan, A &) { prepare(plan); }),
            bad + "writes argument 2, which was prepared before the run");
  EXPECT_EQ(failure([&](P &plan, A &access) {
              prepare(plan);
              access.buffers[2].isWritten = false;
            }),
            "");
  EXPECT_EQ(failure([&](P &plan, A &) {
              prepare(plan);
              plan.mutable_launches(0)->set_prepares(true);
            }),
            "");
  // The result over an operand.
  auto over = [](P &plan) { plan.mutable_launches(0)->set_buffers(0, 2); };
  EXPECT_EQ(failure([&](P &plan, A &) { over(plan); }),
            bad + "writes argument 0, which is another one, too");
  EXPECT_EQ(failure([&](P &plan, A &access) {
              over(plan);
              access.buffers[0].isInPlace = access.buffers[2].isInPlace = true;
            }),
            "");
}

TEST(PlanCheck, accessesAreReadAsTheyAreWritten) {
  KernelAccess access;
  access.tiles = 77;
  access.scratchBytes = 128;
  access.buffers = {{32}, {uint64_t(1) << 40, true}, {0, true, true}};
  const std::string text = access.encode();
  auto read = KernelAccess::decode(text);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->encode(), text);
  EXPECT_EQ(read->buffers[1].bytes, uint64_t(1) << 40);
  EXPECT_TRUE(read->buffers[1].isWritten && !read->buffers[1].isInPlace);
  EXPECT_FALSE(KernelAccess::decode(text.substr(0, text.size() - 1)));
  EXPECT_FALSE(KernelAccess::decode(std::string(32, 'x')));
  EXPECT_FALSE(KernelAccess::decode(""));
}

TEST(PlanCheck, steps) {
  const std::string bad = "3: the program is malformed: ";
  // Returns the error of a plan with one step, which `change` fills in. Buffer
  // 0 is an input of 32 bytes, 2 is in the arena; 5 is a flag, 6 an index, 7
  // and 8 carry a value, 9 is a fault word.
  auto failureOfStep = [](auto &&change) {
    return failureOfPlan([&](plan::Executable &e) {
      plan::Plan &plan = *e.mutable_plan();
      plan.set_arena_bytes(512);
      for (uint64_t bytes : {1, 8, 32, 32}) {
        plan::Buffer &buffer = *plan.add_buffers();
        buffer.set_bytes(bytes);
        buffer.set_arena(static_cast<uint64_t>(plan.buffers_size()) * 32 / 64 *
                         64);
      }
      plan.add_faults();
      plan::Buffer &word = *plan.add_buffers();
      word.set_bytes(8);
      word.set_fault(0);
      change(plan, *plan.add_steps());
    });
  };
  using P = plan::Plan;
  using S = plan::Step;
  EXPECT_EQ(failureOfStep([](P &, S &step) { step.set_launch(1); }), "");
  EXPECT_EQ(failureOfStep([](P &, S &step) { step.set_launch(2); }),
            bad + "a step launches number 2");
  EXPECT_EQ(failureOfStep([](P &, S &) {}), bad + "a step does nothing");
  EXPECT_EQ(failureOfStep([](P &plan, S &step) {
              plan.mutable_buffers(9)->set_fault(1);
              step.set_launch(0);
            }),
            bad + "buffer 9 does not fit its fault word");
  auto copy = [&](uint32_t from, uint32_t to) {
    return failureOfStep([&](P &, S &step) {
      step.mutable_copy()->set_from(from);
      step.mutable_copy()->set_to(to);
    });
  };
  EXPECT_EQ(copy(0, 7), "");
  EXPECT_EQ(copy(7, 0), bad + "a step writes buffer 0");
  EXPECT_EQ(copy(5, 7), bad + "a step writes buffer 7");
  EXPECT_EQ(copy(99, 7), bad + "a step has no buffer 99");
  auto check = [&](uint32_t ok, uint32_t fault) {
    return failureOfStep([&](P &, S &step) {
      step.mutable_check()->set_ok(ok);
      step.mutable_check()->set_fault(fault);
    });
  };
  EXPECT_EQ(check(5, 0), "");
  EXPECT_EQ(check(7, 0), bad + "buffer 7 is not a flag");
  EXPECT_EQ(check(5, 1), bad + "a step has no fault word 1");
  EXPECT_EQ(failureOfStep([](P &, S &step) {
              step.mutable_branch()->set_predicate(5);
              step.mutable_branch()->add_else_steps()->set_launch(7);
            }),
            bad + "a step launches number 7");
  auto loop = [&](auto &&change) {
    return failureOfStep([&](P &, S &step) {
      S::Loop &made = *step.mutable_loop();
      made.set_trips(3);
      made.set_index(6);
      made.add_body()->set_launch(0);
      S::Carry &carry = *made.add_carries();
      carry.set_current(7);
      carry.set_next(8);
      change(made);
    });
  };
  using L = S::Loop;
  EXPECT_EQ(loop([](L &) {}), "");
  EXPECT_EQ(loop([](L &made) { made.set_trips(-1); }),
            bad + "a loop has -1 trips");
  EXPECT_EQ(loop([](L &made) { made.set_index(5); }),
            bad + "a step writes buffer 5");
  EXPECT_EQ(loop([](L &made) { made.set_condition(6); }),
            bad + "buffer 6 is not a flag");
  EXPECT_EQ(loop([](L &made) { made.set_exhaust_fault(4); }),
            bad + "a step has no fault word 4");
  EXPECT_EQ(loop([](L &made) { made.mutable_carries(0)->set_next(4); }),
            bad + "a loop carries buffer 4");
  EXPECT_EQ(loop([](L &made) { made.mutable_carries(0)->set_next(5); }),
            bad + "a loop carries buffer 5");
  EXPECT_EQ(loop([](L &made) { made.mutable_body(0)->set_launch(9); }),
            bad + "a step launches number 9");
}

TEST(PlanCheck, inPlace) {
  auto overwrite = [](int count, int donated) {
    return failureOfPlan([&](plan::Executable &e) {
      e.mutable_plan()->set_donated(0, donated);
      for (int j = 0; j < count; ++j)
        e.mutable_plan()->add_in_place(true);
    });
  };
  EXPECT_EQ(overwrite(1, 0), "");
  EXPECT_EQ(overwrite(1, -1), "3: the program is malformed: output 0 replaces "
                              "nothing that it could be written over");
  EXPECT_EQ(overwrite(2, 0), "3: the program is malformed: it writes more "
                             "tensors in place than it has");
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
