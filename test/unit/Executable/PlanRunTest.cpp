// Steps of plans in host memory.

#include "gensyn/Executable/PlanRun.h"
#include "gensyn/Executable/plan.pb.h"

#include <gtest/gtest.h>

#include <cstring>

namespace gensyn {
namespace {

/// Buffers of 8 bytes each, every one a number.
class PlanRun : public ::testing::Test {
protected:
  explicit PlanRun(size_t count = 6) : numbers(count, 0) {
    for (int64_t &number : numbers)
      places.push_back({reinterpret_cast<uint8_t *>(&number), 8, true});
  }

  int64_t at(uint32_t buffer) const {
    int64_t number = 0;
    std::memcpy(&number, places[buffer].begin, sizeof(number));
    return number;
  }
  void set(uint32_t buffer, int64_t number) {
    std::memcpy(places[buffer].begin, &number, sizeof(number));
  }

  std::vector<int64_t> numbers;
  std::vector<Place> places;
  plan::Plan plan;
};

TEST_F(PlanRun, carriedValuesChangePlaces) {
  // Fibonacci: (a, b) becomes (b, a + b).
  plan::Step::Loop &loop = *plan.add_steps()->mutable_loop();
  loop.set_trips(10);
  loop.set_index(4);
  loop.add_body()->set_launch(0);
  for (uint32_t buffer : {0, 1}) {
    plan::Step::Carry &carry = *loop.add_carries();
    carry.set_current(buffer);
    carry.set_next(buffer + 2);
  }
  set(0, 0);
  set(1, 1);
  std::vector<int64_t> indices;
  FaultWords faults(plan);
  runSteps(plan, places, faults, [&](int launch) {
    EXPECT_EQ(launch, 0);
    indices.push_back(at(4));
    const int64_t a = at(0), b = at(1);
    set(2, b);
    set(3, a + b);
  });
  EXPECT_EQ(indices, (std::vector<int64_t>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}));
  EXPECT_EQ(at(0), 55);
  EXPECT_EQ(at(1), 89);
}

TEST_F(PlanRun, aConditionEndsALoop) {
  plan.add_faults();
  plan::Step::Loop &loop = *plan.add_steps()->mutable_loop();
  loop.set_trips(5);
  loop.set_index(4);
  loop.set_condition(5);
  loop.set_exhaust_fault(0);
  loop.add_body()->set_launch(0);
  int runs = 0;
  auto run = [&](int64_t end) {
    runs = 0;
    set(5, 1);
    FaultWords faults(plan);
    runSteps(plan, places, faults, [&](int) { set(5, ++runs < end ? 1 : 0); });
    return faults.getPositions()[0];
  };
  const uint64_t none = ~uint64_t(0);
  EXPECT_EQ(run(3), none);
  EXPECT_EQ(runs, 3);
  EXPECT_EQ(run(5), none);
  EXPECT_EQ(runs, 5);
  // The flag is still true at the bound.
  EXPECT_EQ(run(100), 0u);
  EXPECT_EQ(runs, 5);
}

// g7: the iteration has 24 bits, larger ones are 2^24 - 1.
TEST_F(PlanRun, iterationsBeyondTheirBits) {
  plan.add_faults();
  const int64_t last = (int64_t(1) << 24) - 1;
  for (const int64_t iteration : {last - 1, last, last + 1, last + 7}) {
    FaultWords faults(plan);
    faults.record(size_t(0), 5);
    faults.merge(iteration);
    EXPECT_EQ(faults.getPositions()[0],
              uint64_t(std::min(iteration, last)) << 40 | 5);
  }
}

TEST_F(PlanRun, branchesCopiesAndChecks) {
  plan.add_faults();
  plan::Step::If &branch = *plan.add_steps()->mutable_branch();
  branch.set_predicate(0);
  plan::Step::Copy &copy = *branch.add_then_steps()->mutable_copy();
  copy.set_from(1);
  copy.set_to(2);
  branch.add_else_steps()->set_launch(3);
  plan::Step::Check &check = *plan.add_steps()->mutable_check();
  check.set_ok(0);
  check.set_fault(0);
  set(1, 7);
  std::vector<int> launched;
  auto run = [&] {
    FaultWords faults(plan);
    runSteps(plan, places, faults,
             [&](int launch) { launched.push_back(launch); });
    return faults.getPositions()[0];
  };
  set(0, 1);
  EXPECT_EQ(run(), ~uint64_t(0));
  EXPECT_EQ(at(2), 7);
  EXPECT_TRUE(launched.empty());
  set(0, 0);
  set(2, 0);
  EXPECT_EQ(run(), 0u);
  EXPECT_EQ(at(2), 0);
  EXPECT_EQ(launched, std::vector<int>{3});
}

TEST_F(PlanRun, launchesBeforeTheRun) {
  for (bool prepares : {false, true, false, true})
    plan.add_launches()->set_prepares(prepares);
  std::vector<int> launched;
  auto run = [&](bool prepares) {
    launched.clear();
    FaultWords faults(plan);
    runSteps(
        plan, places, faults, [&](int launch) { launched.push_back(launch); },
        prepares);
    return launched;
  };
  EXPECT_TRUE(hasPreparation(plan));
  EXPECT_EQ(run(true), (std::vector<int>{1, 3, 0, 2}));
  EXPECT_EQ(run(false), (std::vector<int>{0, 2}));
  plan.add_steps()->set_launch(2);
  EXPECT_EQ(run(true), (std::vector<int>{1, 3, 2}));
  EXPECT_EQ(run(false), (std::vector<int>{2}));
  EXPECT_FALSE(hasPreparation(plan::Plan()));
}

} // namespace
} // namespace gensyn
