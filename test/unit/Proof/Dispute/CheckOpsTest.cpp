// Random elements of ops, against the reference.

#include "gensyn/Proof/Dispute/CheckOps.h"

#include "Cheats/AlteredParty.h"
#include "SyntheticRun/SyntheticRun.h"

#include <gtest/gtest.h>

using namespace gensyn;
using namespace gensyn::proof;
using gensyn::testing::SyntheticRun;

namespace {

class CheckOps : public ::testing::Test {
protected:
  CheckOps() {
    options.compiler = &compiler;
    options.ops = 20;
    options.seed = 3;
  }

  /// Checks a step in which a value is altered behind the op that computes it.
  OpsCheck check(std::optional<uint64_t> value) {
    cheats::Lie lie;
    lie.step = 7;
    if (value) {
      lie.value = *value;
      lie.alter = [](Tensor &tensor) {
        for (int64_t i = 0; i < tensor.byteSize(); ++i)
          tensor.data()[i] ^= std::byte(1);
      };
    }
    cheats::AlteredRun altered(run, lie);
    return checkOps(altered.open(7), options);
  }

  SyntheticRun run;
  runtime::Compiler compiler = gensyn::testing::makeSyntheticCompiler();
  OpsCheckOptions options;
};

TEST_F(CheckOps, RightOnesAreUpheld) {
  const OpsCheck found = check(std::nullopt);
  EXPECT_EQ(found.problem, "");
  EXPECT_EQ(found.ops, 20u);
  EXPECT_EQ(found.elements, 160u);
  EXPECT_EQ(found.passed, 0u);
}

TEST_F(CheckOps, WrongElementIsNamed) {
  const std::string problem = check(SyntheticRun::Loss).problem;
  EXPECT_NE(
      problem.find(" of value " + std::to_string(SyntheticRun::Loss) + " is "),
      std::string::npos)
      << problem;
  EXPECT_NE(problem.find(", and the reference computes "), std::string::npos)
      << problem;
}

TEST_F(CheckOps, ResultIsThatOfTheLastIteration) {
  const std::string problem = check(SyntheticRun::Looped).problem;
  EXPECT_NE(problem.find(" is another one than what its "), std::string::npos)
      << problem;
}

TEST_F(CheckOps, LargeOperandsArePassedOver) {
  options.mostBytes = 0;
  const OpsCheck found = check(std::nullopt);
  EXPECT_EQ(found.ops, 0u);
  EXPECT_GT(found.passed, 20u);
}

TEST_F(CheckOps, TheSeedDecides) {
  options.ops = 1;
  std::set<std::string> problems;
  for (options.seed = 0; options.seed < 20; ++options.seed)
    problems.insert(check(SyntheticRun::Sum).problem);
  EXPECT_GT(problems.size(), 1u);
}

} // namespace
