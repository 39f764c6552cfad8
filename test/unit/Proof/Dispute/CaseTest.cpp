// Cases as files.

#include "gensyn/Proof/Dispute/Case.h"

#include "Cheats/AlteredParty.h"
#include "SyntheticRun/SyntheticRun.h"
#include "gensyn/Executable/Support/Failure.h"
#include "gensyn/Executable/Support/Files.h"

#include <gtest/gtest.h>

using namespace gensyn;
using namespace gensyn::proof;
using cheats::AlteredParty;
using gensyn::testing::SyntheticRun;

namespace {

namespace fs = std::filesystem;

class CaseFile : public ::testing::Test {
protected:
  CaseFile()
      : file(
            fs::path(::testing::TempDir()) /
            (std::string("case-") +
             ::testing::UnitTest::GetInstance()->current_test_info()->name())) {
    options.compiler = &compiler;
    cheats::Lie lie;
    lie.step = 4;
    lie.value = SyntheticRun::Shifted;
    lie.alter = [](Tensor &tensor) { tensor.data()[2800] ^= std::byte(1); };
    lie.after = cheats::spoil;
    AnsweringParty first(run);
    AlteredParty second(run, lie, nullptr);
    options.firstRoot = run.commitments().points.back().root;
    options.secondRoot = second.root();
    verdict = made.settle(first, second, options);
    options.firstRoot.reset();
    options.secondRoot.reset();
  }
  ~CaseFile() override { fs::remove(file); }

  DisputeCase read(const std::string &bytes, uint64_t most = 1 << 20) const {
    writeText(file, bytes);
    return DisputeCase::read(file, most);
  }
  std::string problem(const std::string &bytes, uint64_t most = 1 << 20) const {
    try {
      (void)read(bytes, most);
    } catch (const Failure &failure) {
      EXPECT_EQ(failure.code, bytes.size() > most ? ExitCode::InputOutput
                                                  : ExitCode::BadInput);
      return failure.what();
    }
    return "";
  }

  fs::path file;
  SyntheticRun run;
  runtime::Compiler compiler = gensyn::testing::makeSyntheticCompiler();
  DisputeOptions options;
  DisputeCase made;
  Verdict verdict;
};

} // namespace

TEST_F(CaseFile, DecidesAsThePartiesDid) {
  ASSERT_EQ(verdict.kind, Verdict::Kind::Second) << verdict.reason;
  const std::string bytes = made.serialize();
  EXPECT_EQ(made.bytes(), bytes.size());
  const DisputeCase again = read(bytes);
  EXPECT_EQ(again.answers(), made.answers());
  EXPECT_EQ(again.serialize(), bytes);
  const Verdict decided = again.decide(options);
  EXPECT_EQ(decided.kind, verdict.kind);
  EXPECT_EQ(decided.reason, verdict.reason);
  EXPECT_EQ(decided.step, verdict.step);
  EXPECT_EQ(decided.value, verdict.value);
  EXPECT_EQ(decided.element, verdict.element);
  EXPECT_EQ(decided.right, verdict.right);
}

TEST_F(CaseFile, OtherRunsHaveOtherRoots) {
  const DisputeCase again = read(made.serialize());
  options.firstRoot = Digest();
  const Verdict decided = again.decide(options);
  EXPECT_EQ(decided.kind, Verdict::Kind::First);
  EXPECT_NE(decided.reason.find("and committed to"), std::string::npos);
}

TEST_F(CaseFile, KeepsThatThereWasNoAnswer) {
  AnsweringParty first(run);
  cheats::Lie lie;
  lie.step = 1;
  AlteredParty second(run, lie, [](const dispute::Question &, auto &) {
    throw Failure(ExitCode::BadInput, "gone");
  });
  DisputeCase silent;
  const Verdict live = silent.settle(first, second, options);
  EXPECT_EQ(live.kind, Verdict::Kind::Second);
  EXPECT_NE(live.reason.find("gone"), std::string::npos);
  EXPECT_EQ(read(silent.serialize()).decide(options).reason, live.reason);
}

TEST_F(CaseFile, WhatIsNoCaseIsRefused) {
  const std::string right = made.serialize();
  EXPECT_EQ(problem(right), "");
  EXPECT_NE(problem("not a case").find("is not a case"), std::string::npos);
  EXPECT_NE(problem(right.substr(0, right.size() - 1)).find("is not a case"),
            std::string::npos);
  EXPECT_NE(problem("").find("of format 0"), std::string::npos);
  std::string other = right;
  ASSERT_EQ(other.substr(0, 2), "\x08\x01");
  other[1] = 2;
  EXPECT_NE(problem(other).find("of format 2"), std::string::npos);
  EXPECT_NE(problem(right, right.size() - 1), "");
  EXPECT_EQ(problem(right, right.size()), "");
}

/// Answers at the end are absent: that is the fault of the file, and of no
/// party.
TEST_F(CaseFile, FewerAnswersDecideNothing) {
  dispute::Case answers;
  ASSERT_TRUE(answers.ParseFromString(made.serialize()));
  while (answers.second_size() > 0) {
    answers.mutable_second()->RemoveLast();
    try {
      (void)read(answers.SerializeAsString()).decide(options);
      FAIL() << answers.second_size();
    } catch (const Failure &failure) {
      EXPECT_EQ(failure.code, ExitCode::BadInput);
      EXPECT_STREQ(failure.what(), "the case lacks an answer");
    }
  }
}
