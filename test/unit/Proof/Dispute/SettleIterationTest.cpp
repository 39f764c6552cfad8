// Who is right about an op that runs a program of its own, in a synthetic run.

#include "IterationDisputes.h"

#include <set>

using namespace gensyn;
using namespace gensyn::testing;

/// So that the other tests are about different numbers, and about both programs
/// of a branch.
TEST_F(SettleIterations, IterationsFollowFromTheData) {
  std::set<uint64_t> counts;
  std::set<bool> chosen;
  for (int64_t step = 1; step <= SyntheticRun::kSteps; ++step) {
    const uint64_t count = countIterations(step);
    counts.insert(count);
    for (uint64_t iteration = 1; iteration <= count; ++iteration)
      chosen.insert(run.open(step)
                        ->enter(kLooped, iteration)
                        ->value(In::Odd)
                        .as<bool>()[0]);
  }
  EXPECT_TRUE(counts.contains(0));
  EXPECT_GE(counts.size(), 4u);
  EXPECT_LE(*counts.rbegin(), 5u);
  EXPECT_EQ(chosen.size(), 2u);
}

TEST_F(SettleIterations, AnyElementOfAnyIterationIsFound) {
  for (int64_t step : {1, 2, 3, 9, 15})
    for (uint64_t iteration = 1; iteration <= countIterations(step);
         ++iteration)
      for (uint64_t value :
           {In::Added, In::Less, In::Odd, In::Next, In::More}) {
        const size_t element = value == In::Odd || value == In::More ? 0 : 1099;
        const Verdict verdict =
            expectLoses(flipIn(step, {at(kLooped, iteration)}, value, element),
                        ", and it is");
        EXPECT_EQ(verdict.step, step);
        EXPECT_EQ(verdict.value, value);
        EXPECT_EQ(verdict.first, verdict.right);
        ASSERT_EQ(verdict.path.size(), 1u);
        EXPECT_EQ(verdict.path[0].value, kLooped);
        EXPECT_EQ(verdict.path[0].iteration, iteration);
        EXPECT_EQ(verdict.path[0].operation, "node 'loop'");
      }
}

TEST_F(SettleIterations, AnElementOfAnOpInAnOpIsFound) {
  for (int64_t step : {1, 2, 5, 6})
    for (uint64_t iteration = 1; iteration <= countIterations(step);
         ++iteration) {
      const Verdict verdict = expectLoses(
          flipIn(step, {at(kLooped, iteration), at(In::Branched, 1)},
                 SyntheticRun::InBranch::Result, 700),
          ", and it is");
      ASSERT_EQ(verdict.path.size(), 2u);
      EXPECT_EQ(verdict.path[1].value, uint64_t(In::Branched));
      EXPECT_EQ(verdict.path[1].operation, "node 'branch'");
      EXPECT_EQ(verdict.value, uint64_t(SyntheticRun::InBranch::Result));
      EXPECT_EQ(verdict.element, std::vector<int64_t>{700});
    }
}

/// Where the result of the loop that differs is the second one.
TEST_F(SettleIterations, TheSecondResultLeadsToTheSame) {
  const Verdict verdict =
      expectLoses(flipIn(2, {at(SyntheticRun::LoopedSecond, 2)}, In::Less, 9),
                  ", and it is");
  EXPECT_EQ(verdict.path.at(0).value, uint64_t(SyntheticRun::LoopedSecond));
  expectLoses(flipIn(2, {}, SyntheticRun::LoopedSecond, 9),
              "claims another result than that of the last iteration");
}

TEST_F(SettleIterations, ArgumentsFollowFromTheOp) {
  const std::pair<uint64_t, const char *> sources[] = {
      {In::Index, "the number of iterations before is another one"},
      {In::X, "the iteration before, on which both agree, has another one"},
      {In::Y, "the iteration before, on which both agree, has another one"},
      {In::Operand, "the op reads another one"}};
  for (int64_t step : {1, 2, 3})
    for (uint64_t iteration = 1; iteration <= countIterations(step);
         ++iteration)
      for (const auto &[argument, source] : sources) {
        const Verdict verdict =
            expectLoses(flipIn(step, {at(kLooped, iteration)}, argument),
                        std::string("that is not its own: ") + source);
        EXPECT_EQ(verdict.operation, "input " + std::to_string(argument));
        EXPECT_EQ(verdict.op, "");
      }
  for (uint64_t argument :
       {SyntheticRun::InBranch::X, SyntheticRun::InBranch::Y})
    expectLoses(flipIn(1, {at(kLooped, 1), at(In::Branched, 1)}, argument),
                "the op reads another one");
}

TEST_F(SettleIterations, CarriedValuesAreThoseOfTheIteration) {
  for (uint64_t iteration = 1; iteration <= countIterations(1); ++iteration)
    for (size_t number : {0u, 1u, 2u})
      expectLoses(
          withCarried(flipIn(1, {}, kLooped), alterCarried(iteration, number)),
          "has another value after the iteration");
  // Also where an iteration returns a constant.
  expectLoses(withCarried(flipIn(1, {at(kLooped, 2)}, In::Branched),
                          alterCarried(1, 0)),
              "has another value after the iteration");
  expectLoses(
      withCarried(flipIn(1, {at(kLooped, 2)}, In::Picked), alterCarried(1, 0)),
      "has another value after the iteration");
}

TEST_F(SettleIterations, ResultsAreThoseOfTheLastIteration) {
  const std::string reason =
      "claims another result than that of the last iteration";
  expectLoses(flipIn(1, {}, kLooped, 800), reason);
  // Of a loop without iterations.
  ASSERT_EQ(countIterations(4), 0u);
  expectLoses(flipIn(4, {}, kLooped, 800), reason);
  expectLoses(flipIn(1, {at(kLooped, 1)}, In::Branched, 800), reason);
  expectLoses(flipIn(1, {at(kLooped, 1)}, In::Picked, 800), reason);
}

TEST_F(SettleIterations, TheFlagSaysHowManyIterationsThereAre) {
  auto resize = [](size_t count) {
    return [=](CarriedValues &carried) {
      const auto last = carried.back();
      carried.resize(count + 1, last);
    };
  };
  for (int64_t step : {1, 2, 3, 4, 5}) {
    const uint64_t right = countIterations(step);
    for (uint64_t count = 0; count <= 6; ++count)
      if (count < right)
        expectLoses(withCarried(flipIn(step, {}, kLooped), resize(count)),
                    "ends after " + std::to_string(count) +
                        " iterations, and there is another one");
      else if (count > right)
        expectLoses(withCarried(flipIn(step, {}, kLooped), resize(count)),
                    "does not end after " + std::to_string(right) +
                        " iterations, and there is no other one");
    expectLoses(withCarried(flipIn(step, {}, kLooped), resize(7)),
                "claims 7 iterations of an op that has at most 6");
  }
  for (uint64_t count : {0u, 2u})
    expectLoses(
        withCarried(flipIn(1, {at(kLooped, 1)}, In::Branched), resize(count)),
        "iterations of an op that has 1");
}

/// Both carry something else: each is told.
TEST_F(SettleIterations, BothMayBeWrong) {
  Lie other = flipIn(5, {}, kLooped, 1);
  // At a point, so that claims of later steps do not matter.
  other.after = [](auto &state) { state["w"].elements[9] ^= 1; };
  auto alter = [](uint8_t mark) {
    return [mark](CarriedValues &carried) {
      carried.back()[1].elements[3] ^= mark;
    };
  };
  AlteredParty first(run, withCarried(flipIn(5, {}, kLooped), alter(1)),
                     nullptr),
      second(run, withCarried(other, alter(2)), nullptr);
  const Verdict verdict = settle(first, second);
  EXPECT_EQ(verdict.kind, VerdictKind::Both) << verdict.reason;
}
