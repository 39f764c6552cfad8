// Answers about an op that runs a program of its own which are none, or not
// those of the run.

#include "Cheats/MovedParty.h"
#include "IterationDisputes.h"
#include "gensyn/Executable/Support/Failure.h"

using namespace gensyn;
using namespace gensyn::testing;
using cheats::MovedParty;

namespace {

using AnswerIterations = SettleIterations;

} // namespace

TEST_F(AnswerIterations, CarriedValuesHaveTheRootThatWasClaimed) {
  const Lie lie = flipIn(1, {at(kLooped, 2)}, In::Added);
  using Alter = std::function<void(std::string &)>;
  auto alterTensors = [](const Alter &alter) {
    return [=](const dispute::Question &question, dispute::Answer &answer) {
      if (question.iterations().with_tensors())
        alter(*answer.mutable_iterations()->mutable_tensors());
    };
  };
  const std::string shows = "shows other values after iteration";
  expectLoses(lie, shows,
              alterTensors([](std::string &bytes) { bytes[40] ^= 1; }));
  expectLoses(lie, shows, alterTensors([](std::string &bytes) {
                bytes.resize(bytes.size() - 32);
              }));
  expectLoses(lie, shows,
              alterTensors([](std::string &bytes) { bytes.clear(); }));
  expectLoses(lie, "answers with digests that are none",
              alterTensors([](std::string &bytes) { bytes += '1'; }));
  // Of the result, where no iteration differs. The first one shows them.
  AlteredParty liar(run, flipIn(1, {}, kLooped),
                    alterTensors([](std::string &bytes) { bytes[40] ^= 1; }));
  AnsweringParty honest(run);
  const Verdict verdict = settle(liar, honest);
  EXPECT_EQ(verdict.kind, VerdictKind::First);
  EXPECT_NE(verdict.reason.find(shows), std::string::npos) << verdict.reason;
}

/// Fewer values than the op carries, whose root is right.
TEST_F(AnswerIterations, AsManyValuesAreCarriedAsTheIterationReturns) {
  for (size_t count : {0u, 1u, 2u, 4u, 100u})
    expectLoses(withCarried(flipIn(1, {}, kLooped),
                            [=](CarriedValues &carried) {
                              const auto last = carried.back().back();
                              carried.back().resize(count, last);
                            }),
                "carries " + std::to_string(count) +
                    " values, and an iteration returns 3");
}

TEST_F(AnswerIterations, EachIterationThatIsAskedForHasARoot) {
  const Lie lie = flipIn(1, {at(kLooped, 2)}, In::Added);
  for (size_t bytes : {size_t(0), size_t(64), size_t(33)})
    expectLoses(lie,
                bytes == 33
                    ? "answers with digests that are none"
                    : "claims something of " + std::to_string(bytes / 32) +
                          " iterations of 1",
                [=](const dispute::Question &question, auto &answer) {
                  if (question.has_iterations() &&
                      question.iterations().iterations_size() == 1)
                    answer.mutable_iterations()->mutable_roots()->resize(bytes);
                });
}

TEST_F(AnswerIterations, TheRootOfAnIterationIsThatOfItsValues) {
  auto alterRoot = [](dispute::Answer &answer) {
    if (answer.has_program())
      (*answer.mutable_program()->mutable_values_root())[9] ^= 1;
  };
  expectLoses(flipIn(1, {at(kLooped, 2)}, In::Added),
              "shows a part of a tree that is not in what it claimed",
              [=](auto &, auto &answer) { alterRoot(answer); });
  expectLoses(withCarried(flipIn(1, {}, kLooped), alterCarried(2, 1)),
              "shows a part of a tree that is not in what it claimed",
              [=](auto &, auto &answer) { alterRoot(answer); });
  expectLoses(flipIn(1, {at(kLooped, 2)}, In::Added),
              "answers with a digest that is not one",
              [=](auto &, auto &answer) {
                if (answer.has_program())
                  answer.mutable_program()->clear_values_root();
              });
}

/// No part of an empty tree can be asked for, and nobody has to show one.
TEST_F(AnswerIterations, AProgramWithoutValuesHasNoOtherRoot) {
  expectLoses(
      withCarried(flipIn(1, {at(kLooped, 2)}, In::Picked), alterCarried(1, 0)),
      "claims another tree than the empty one",
      [](const dispute::Question &question, auto &answer) {
        if (answer.has_program() && question.program().path_size() == 2)
          (*answer.mutable_program()->mutable_values_root())[9] ^= 1;
      });
}

TEST_F(AnswerIterations, AnswersAboutAnotherIterationLose) {
  const Lie lie = flipIn(1, {at(kLooped, 2)}, In::Added);
  MovedParty other(run, lie, [](dispute::Question &question) {
    auto *path = cheats::pathOf(question);
    if (path && path->size() == 1)
      path->Mutable(0)->set_iteration(1);
  });
  // The values of another iteration begin with another number.
  expectLoses(other, "the number of iterations before is another one");
  for (int kind : {dispute::Question::kNodes, dispute::Question::kEntries,
                   dispute::Question::kTensor, dispute::Question::kParts,
                   dispute::Question::kChunk}) {
    MovedParty sometimes(run, lie, [kind](dispute::Question &question) {
      auto *path = cheats::pathOf(question);
      if (path && path->size() == 1 && question.kind_case() == kind)
        path->Mutable(0)->set_iteration(1);
    });
    expectLoses(sometimes, "");
  }
}

/// The first one is asked for an op: it has to be one of the iteration.
TEST_F(AnswerIterations, OpsOfAnotherProgramAreNone) {
  const Lie lie = flipIn(1, {at(kLooped, 2)}, In::Added);
  for (bool isText : {false, true}) {
    MovedParty liar(run, lie, [=](dispute::Question &question) {
      if (question.has_evidence() && !isText &&
          question.evidence().path_size() == 1) {
        question.mutable_evidence()->clear_path();
        question.mutable_evidence()->set_value(SyntheticRun::Sum);
      }
    });
    AlteredParty renamed(run, lie, [](auto &, dispute::Answer &answer) {
      if (answer.has_evidence())
        answer.mutable_evidence()->set_module(
            answer.evidence().module() == "add" ? "sub" : "branch");
    });
    AnsweringParty honest(run);
    const Verdict verdict =
        settle(isText ? static_cast<Party &>(renamed) : liar, honest);
    EXPECT_EQ(verdict.kind, VerdictKind::First) << verdict.reason;
    EXPECT_TRUE(verdict.reason.find("is not in the program") !=
                    std::string::npos ||
                verdict.reason.find("does not compute the value") !=
                    std::string::npos ||
                verdict.reason.find("cannot be read") != std::string::npos)
        << verdict.reason;
  }
}

TEST_F(AnswerIterations, WhoDoesNotAnswerLoses) {
  const Lie lie = flipIn(1, {at(kLooped, 2), at(In::Branched, 1)},
                         SyntheticRun::InBranch::Result, 700);
  for (int kind : {dispute::Question::kProgram, dispute::Question::kIterations,
                   dispute::Question::kNodes, dispute::Question::kTensor})
    for (int depth : {0, 1, 2}) {
      if ((kind == dispute::Question::kProgram && depth == 0) ||
          (kind == dispute::Question::kIterations && depth == 2))
        continue;
      auto isMeant = [=](dispute::Question question) {
        const auto *path = cheats::pathOf(question);
        return path && path->size() == depth && question.kind_case() == kind;
      };
      expectLoses(lie, "does not answer",
                  [=](const dispute::Question &question, auto &) {
                    if (isMeant(question))
                      throw Failure(ExitCode::BadInput, "no");
                  });
      expectLoses(lie, "answers another question",
                  [=](const dispute::Question &question, auto &answer) {
                    if (isMeant(question))
                      answer.Clear();
                  });
    }
}

/// Any answer, altered at any place; without a file, since these are many.
TEST_F(AnswerIterations, WhateverIsAnsweredTheHonestPartyDoesNotLose) {
  const Lie lies[] = {
      flipIn(1, {at(kLooped, 2), at(In::Branched, 1)}, 2, 700),
      withCarried(flipIn(1, {}, kLooped), alterCarried(2, 1)),
      withCarried(flipIn(1, {at(kLooped, 2)}, In::Picked), alterCarried(1, 0)),
      flipIn(2, {at(kLooped, 1)}, In::X)};
  for (const Lie &lie : lies)
    for (int number = 0; number < 60; ++number)
      for (double place : {0.3, 0.6, 0.95})
        for (bool liesFirst : {false, true}) {
          int left = number;
          AlteredParty liar(run, lie, [&](auto &, dispute::Answer &answer) {
            if (left-- != 0)
              return;
            std::string bytes = answer.SerializeAsString();
            bytes[size_t(double(bytes.size()) * place)] ^= 1;
            if (!answer.ParseFromString(bytes))
              throw Failure(ExitCode::BadInput, "no answer");
          });
          AnsweringParty honest(run);
          const Verdict verdict = liesFirst
                                      ? proof::settle(liar, honest, options)
                                      : proof::settle(honest, liar, options);
          ASSERT_EQ(verdict.kind,
                    liesFirst ? VerdictKind::First : VerdictKind::Second)
              << number << " " << place << ": " << verdict.reason;
        }
}
