// Who is right about a synthetic run; gensyn-cheats does the same with trained
// models.

#include "gensyn/Proof/Dispute/Dispute.h"

#include "Cheats/AlteredParty.h"
#include "SyntheticRun/SyntheticRun.h"
#include "gensyn/Executable/Support/Failure.h"

#include <gtest/gtest.h>

#include <cmath>

using namespace gensyn;
using namespace gensyn::proof;
using cheats::AlteredParty;
using cheats::Lie;
using gensyn::testing::SyntheticRun;

namespace {

using Kind = Verdict::Kind;

class Settle : public ::testing::Test {
protected:
  Settle() {
    options.compiler = &compiler;
    options.mostBytes = uint64_t(4) << 20;
  }

  /// Who lies is the second party.
  Verdict settle(Lie lie, AlteredParty::Alter alter = nullptr) {
    AnsweringParty first(run);
    AlteredParty second(run, std::move(lie), std::move(alter));
    return proof::settle(first, second, options);
  }
  /// The first one.
  Verdict settleReversed(Lie lie, AlteredParty::Alter alter = nullptr) {
    AlteredParty first(run, std::move(lie), std::move(alter));
    AnsweringParty second(run);
    return proof::settle(first, second, options);
  }
  /// Both ways.
  void expectLoses(const Lie &lie, const std::string &reason,
                   const AlteredParty::Alter &alter = nullptr) {
    const Verdict second = settle(lie, alter);
    EXPECT_EQ(second.kind, Kind::Second) << second.reason;
    EXPECT_NE(second.reason.find(reason), std::string::npos) << second.reason;
    const Verdict first = settleReversed(lie, alter);
    EXPECT_EQ(first.kind, Kind::First) << first.reason;
  }

  SyntheticRun run;
  runtime::Compiler compiler = gensyn::testing::makeSyntheticCompiler();
  DisputeOptions options;
};

/// None.
Lie nothing() {
  Lie lie;
  lie.step = 1;
  return lie;
}

/// One bit of an element of a value.
Lie flip(int64_t step, uint64_t value, size_t element, int bit = 1) {
  Lie lie;
  lie.step = step;
  lie.value = value;
  lie.alter = [=](Tensor &tensor) {
    const auto width = size_t(byteWidth(tensor.elementType()));
    tensor.data()[element * width] ^= std::byte(1 << bit);
  };
  lie.after = cheats::spoil;
  return lie;
}

} // namespace

TEST_F(Settle, TheSameRunIsEqual) {
  const Verdict verdict = settle(nothing());
  EXPECT_EQ(verdict.kind, Kind::Equal);
  EXPECT_EQ(verdict.reason, "both claim the same of all 15 steps");
}

TEST_F(Settle, AnotherSeedIsAnotherRun) {
  SyntheticRun other(8);
  AnsweringParty first(run), second(other);
  const Verdict verdict = proof::settle(first, second, options);
  EXPECT_EQ(verdict.kind, Kind::Different);
  EXPECT_EQ(verdict.reason.find("the programs differ"), std::string::npos);
  EXPECT_EQ(verdict.reason, "the seeds differ: 7 and 8");
}

/// In each chunk, also the last one, in each step, and in each op.
TEST_F(Settle, AnyElementIsFound) {
  for (int64_t step : {1, 2, 3, 5, 6, 9, 15})
    for (uint64_t value : {SyntheticRun::Sum, SyntheticRun::Shifted,
                           SyntheticRun::NewParameter, SyntheticRun::NewState})
      for (size_t element : {0u, 255u, 256u, 800u, 1099u}) {
        const Lie lie = flip(step, value, element);
        const Verdict verdict = settle(lie);
        ASSERT_EQ(verdict.kind, Kind::Second) << verdict.reason;
        EXPECT_EQ(verdict.step, step);
        EXPECT_EQ(verdict.value, value);
        EXPECT_EQ(verdict.element, (std::vector<int64_t>{int64_t(element)}));
        EXPECT_EQ(verdict.first, verdict.right);
        EXPECT_NE(verdict.second, verdict.right);
        ASSERT_EQ(settleReversed(lie).kind, Kind::First);
      }
  // An op of a whole operand.
  expectLoses(flip(4, SyntheticRun::Loss, 0), "claims");
}

TEST_F(Settle, BothMayBeWrong) {
  // At a point, so that claims of later steps do not matter.
  Lie other = flip(5, SyntheticRun::Sum, 300, 2);
  other.after = [](auto &state) { state["w"].elements[9] ^= 1; };
  AlteredParty first(run, flip(5, SyntheticRun::Sum, 300, 1), nullptr),
      second(run, other, nullptr);
  const Verdict verdict = proof::settle(first, second, options);
  EXPECT_EQ(verdict.kind, Kind::Both) << verdict.reason;
}

TEST_F(Settle, ArgumentsFollowFromTheRun) {
  expectLoses(flip(4, SyntheticRun::Parameter, 9),
              "the state after step 3, on which both agree");
  expectLoses(flip(4, SyntheticRun::Epoch, 0), "the epoch is another one");
  expectLoses(flip(4, SyntheticRun::Key, 0), "the seed of the run");
  expectLoses(flip(4, SyntheticRun::Step, 0), "the number of steps");
  expectLoses(flip(4, SyntheticRun::Constant, 1), "the run began with");
  // Of the last batch, whose samples are fewer.
  expectLoses(flip(6, SyntheticRun::Input, 301), "of the data");
}

TEST_F(Settle, ResultsFollowFromTheValues) {
  Lie lie;
  lie.step = 7;
  lie.after = cheats::spoil;
  expectLoses(lie, "has another state");
  lie.after = [](auto &state) { state.erase("other"); };
  expectLoses(lie, "has a state of 3 tensors");
  lie.after = nullptr;
  lie.record = [](StepSource::Record &record) {
    record.loss = std::nextafter(record.loss, 0);
  };
  expectLoses(lie, "records a loss");
  lie.record = [](StepSource::Record &record) {
    std::swap(record.samples[0], record.samples[1]);
  };
  expectLoses(lie, "trains on other samples");
  lie.record = [](StepSource::Record &record) {
    record.programDigest = "last";
  };
  expectLoses(lie, "runs another program");
}

TEST_F(Settle, WhoDoesNotAnswerLoses) {
  const Lie lie = flip(4, SyntheticRun::Shifted, 700);
  for (int kind = dispute::Question::kRun; kind <= dispute::Question::kEntries;
       ++kind) {
    expectLoses(lie, "does not answer",
                [kind](const dispute::Question &question, auto &) {
                  if (question.kind_case() == kind)
                    throw Failure(ExitCode::BadInput, "no");
                });
    expectLoses(lie, "answers another question",
                [kind](const dispute::Question &question, auto &answer) {
                  if (question.kind_case() == kind)
                    answer.Clear();
                });
  }
  expectLoses(lie, "bytes in all", [](auto &, dispute::Answer &answer) {
    if (answer.has_nodes())
      answer.mutable_nodes()->mutable_digests()->resize(size_t(5) << 20);
  });
}

/// Of an op whose text is too long for the referee nobody has a shorter one.
TEST_F(Settle, TheOtherOneIsAskedForAnOpThatIsTooLong) {
  const Lie lie = flip(4, SyntheticRun::Shifted, 700);
  auto lengthen = [this](auto &, dispute::Answer &answer) {
    if (answer.has_evidence())
      answer.mutable_evidence()->mutable_module()->resize(options.mostBytes / 4 + 1);
  };
  AlteredParty liar(run, lie, lengthen), longer(run, nothing(), lengthen);
  AnsweringParty honest(run);
  const Verdict verdict = proof::settle(liar, honest, options);
  EXPECT_EQ(verdict.kind, Kind::First) << verdict.reason;
  EXPECT_NE(verdict.reason.find(", and it is"), std::string::npos);
  for (bool liesFirst : {false, true})
    try {
      (void)proof::settle(liesFirst ? liar : longer, liesFirst ? longer : liar,
                          options);
      FAIL();
    } catch (const Failure &failure) {
      EXPECT_EQ(failure.code, ExitCode::OutOfResources);
    }
}

TEST_F(Settle, RootsThatWerePublishedCount) {
  const Lie lie = flip(4, SyntheticRun::Shifted, 700);
  options.secondRoot = run.commitments().points.back().root;
  const Verdict verdict = settle(lie);
  EXPECT_EQ(verdict.kind, Kind::Second);
  EXPECT_NE(verdict.reason.find("and committed to"), std::string::npos);
}

namespace {

/// Facts that both sides have, however odd.
Lie withFacts(const std::string &facts) {
  Lie lie = nothing();
  lie.commitments = [facts](RunCommitments &told) {
    told.facts = facts;
    told.points[0].history = digestFacts(facts);
  };
  return lie;
}

} // namespace

/// A party's facts may be anything; nothing else is thrown than a Failure.
TEST_F(Settle, OddFactsAreNobodys) {
  std::string deep = run.commitments().facts;
  deep.replace(deep.find(":7"), 2,
               ":" + std::string(400'000, '[') + std::string(400'000, ']'));
  for (const std::string &facts :
       {deep, std::string("7"), std::string("{"),
        std::string("{\"a\":1,\"a\":1}"), std::string(size_t(2) << 20, ' ')}) {
    const Verdict verdict = settle(withFacts(facts));
    EXPECT_EQ(verdict.kind, Kind::Second) << verdict.reason;
    EXPECT_NE(verdict.reason.find("facts"), std::string::npos);
  }
  const Verdict verdict = settle(withFacts("{}"));
  EXPECT_EQ(verdict.kind, Kind::Different) << verdict.reason;
}

TEST_F(Settle, OddFactsOfBothAreNoCrash) {
  const std::string facts = run.commitments().facts;
  for (const auto &[key, value] :
       {std::pair("\"shuffle\":true", "\"shuffle\":\"yes\""),
        std::pair("\"seed\":7", "\"seed\":\"7\""),
        std::pair("\"seed\":7", "\"seed\":1e300"),
        std::pair("\"samples\":8", "\"samples\":-8"),
        std::pair("\"samples\":8", "\"samples\":9223372036854775807"),
        std::pair("\"batch_size\":3", "\"batch_size\":0"),
        std::pair("\"constants_root\":", "\"constants_root\":7,\"r\":"),
        std::pair("\"samples_root\":", "\"samples_root\":[],\"r\":"),
        std::pair("\"data\":\"some\"", "\"data\":{}")})
    for (uint64_t value_ : {SyntheticRun::Input, SyntheticRun::Key,
                            SyntheticRun::Constant, SyntheticRun::Sum}) {
      std::string odd = facts;
      ASSERT_NE(odd.find(key), odd.npos) << key;
      odd.replace(odd.find(key), std::string(key).size(), value);
      Lie lie = flip(4, value_, 0);
      lie.commitments = withFacts(odd).commitments;
      AlteredParty first(run, withFacts(odd), nullptr),
          second(run, lie, nullptr);
      try {
        (void)proof::settle(first, second, options);
      } catch (const Failure &) {
      }
    }
}

namespace {

/// Claims anything of any step; of those behind the first million not the
/// same.
class Endless final : public Party {
public:
  Endless(RunSource &run, char mark) : party(run), mark(mark) {}

  dispute::Answer ask(const dispute::Question &question) override {
    if (!question.has_steps())
      return party.ask(question);
    dispute::Answer answer;
    int64_t last = 0;
    for (int64_t step : question.steps().steps()) {
      EXPECT_GT(step, last);
      last = step;
      auto &claim = *answer.mutable_steps()->add_claims();
      claim.set_history(std::string(32, step > 1'000'000 ? mark : 0));
      claim.set_state(std::string(32, 0));
    }
    return answer;
  }

private:
  AnsweringParty party;
  char mark;
};

/// A run whose second point is after as many steps as a number can be.
Lie endless(uint8_t mark) {
  Lie lie = nothing();
  lie.commitments = [mark](RunCommitments &told) {
    told.points.resize(2);
    told.points[1].step = INT64_MAX;
    told.points[1].state[0] = mark;
  };
  return lie;
}

} // namespace

TEST_F(Settle, AnyNumberOfStepsIsNarrowed) {
  cheats::AlteredRun one(run, endless(1)), other(run, endless(2));
  Endless first(one, 1), second(other, 2);
  EXPECT_EQ(proof::settle(first, second, options).step, 1'000'001);
}
