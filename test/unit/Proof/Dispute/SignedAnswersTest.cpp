// Disputes in which the parties have signed their roots, and sign answers.

#include "gensyn/Proof/Dispute/SignedAnswers.h"

#include "../Sign/FakeKey.h"
#include "Cheats/AlteredParty.h"
#include "SyntheticRun/SyntheticRun.h"
#include "gensyn/Executable/Support/Failure.h"
#include "gensyn/Executable/Support/Files.h"
#include "gensyn/Proof/Dispute/Case.h"

#include <gtest/gtest.h>

#include <unistd.h>

using namespace gensyn;
using namespace gensyn::proof;
using gensyn::testing::FakeKey;
using gensyn::testing::SyntheticRun;

namespace {

namespace fs = std::filesystem;

/// Answers as another party, with signatures.
class SigningParty final : public Party {
public:
  SigningParty(Party &party, const FakeKey &key, const FakeKey &rootKey)
      : party(party), signer(key, party), rootKey(rootKey) {}

  dispute::Answer ask(const dispute::Question &question) override {
    dispute::Answer answer = party.ask(question);
    if (answer.has_run())
      signRoot(*answer.mutable_run());
    signer.sign(question, answer);
    if (alter)
      alter(question, answer);
    return answer;
  }

  std::function<void(const dispute::Question &, dispute::Answer &)> alter;

private:
  void signRoot(dispute::RunAnswer &run) const {
    RunPoint last;
    last.root = *findRoot(run);
    last.step = run.points().rbegin()->step();
    const RunSignature made = signRun(last, rootKey, "2026-12-02T09:30:00Z");
    dispute::RunAnswer::Signature &to = *run.add_signatures();
    to.set_root(std::string(made.root.begin(), made.root.end()));
    to.set_step(made.step);
    to.set_public_key(
        std::string(made.key.bytes.begin(), made.key.bytes.end()));
    to.set_time(made.time);
    to.set_signature(made.signature);
  }

  Party &party;
  AnswerSigner signer;
  const FakeKey &rootKey;
};

class SignedAnswers : public ::testing::Test {
protected:
  SignedAnswers() {
    options.compiler = &compiler;
    options.firstSigned = {&firstKey, true};
    options.secondSigned = {&secondKey, true};
    cheats::Lie lie;
    lie.step = 4;
    lie.value = SyntheticRun::Shifted;
    lie.alter = [](Tensor &tensor) { tensor.data()[2800] ^= std::byte(1); };
    lie.after = cheats::spoil;
    liar.emplace(run, lie, nullptr);
  }
  ~SignedAnswers() override { fs::remove(file); }

  Verdict settle(Party &first, Party &second) {
    return made.settle(first, second, options);
  }
  Verdict decide(const dispute::Case &altered) const {
    writeText(file, altered.SerializeAsString());
    return DisputeCase::read(file, 1 << 20).decide(options);
  }
  dispute::Case kept() const {
    dispute::Case result;
    EXPECT_TRUE(result.ParseFromString(made.serialize()));
    return result;
  }
  std::string problemOf(const dispute::Case &altered) const {
    try {
      return "decided: " + decide(altered).reason;
    } catch (const Failure &failure) {
      EXPECT_EQ(failure.code, ExitCode::BadInput);
      return failure.what();
    }
  }

  const fs::path file = fs::path(::testing::TempDir()) /
                        ("signed-" + std::to_string(::getpid()) + ".pb");
  SyntheticRun run;
  AnsweringParty honest{run};
  std::optional<cheats::AlteredParty> liar;
  runtime::Compiler compiler = gensyn::testing::makeSyntheticCompiler();
  const FakeKey firstKey{1}, secondKey{2}, otherKey{3};
  DisputeOptions options;
  DisputeCase made;
};

} // namespace

TEST_F(SignedAnswers, WhoLiesSignsIt) {
  SigningParty first(honest, firstKey, firstKey),
      second(*liar, secondKey, secondKey);
  const Verdict verdict = settle(first, second);
  EXPECT_EQ(verdict.kind, Verdict::Kind::Second) << verdict.reason;
  EXPECT_FALSE(verdict.right.empty());
  EXPECT_TRUE(made.isFirstSigned() && made.isSecondSigned());
  EXPECT_EQ(decide(kept()).reason, verdict.reason);
  // Without keys the file decides as before.
  options.firstSigned = options.secondSigned = {};
  EXPECT_EQ(decide(kept()).reason, verdict.reason);
}

TEST_F(SignedAnswers, WhoDoesNotSignLoses) {
  SigningParty first(honest, firstKey, firstKey),
      second(*liar, secondKey, secondKey);
  Verdict verdict = settle(first, *liar);
  EXPECT_EQ(verdict.kind, Verdict::Kind::Second);
  EXPECT_EQ(verdict.reason,
            "the second does not sign its answer about what its run is");
  EXPECT_EQ(problemOf(kept()),
            "the file's answer 1 of the second is not signed");
  // Later on, by another key, or of another answer.
  second.alter = [](const dispute::Question &question, auto &answer) {
    if (question.has_steps())
      answer.clear_signature();
  };
  verdict = settle(first, second);
  EXPECT_EQ(verdict.kind, Verdict::Kind::Second);
  EXPECT_NE(
      verdict.reason.find("does not sign its answer about what it claims"),
      std::string::npos);
  SigningParty stranger(honest, otherKey, firstKey);
  verdict = settle(stranger, second);
  EXPECT_EQ(verdict.kind, Verdict::Kind::First);
  EXPECT_EQ(verdict.reason, "the first answers what its run is with a "
                            "signature that is not its own");
  second.alter = [](const dispute::Question &question, auto &answer) {
    if (question.has_steps())
      answer.mutable_steps()->mutable_claims(0)->mutable_state()->at(0) ^= 1;
  };
  verdict = settle(first, second);
  EXPECT_EQ(verdict.kind, Verdict::Kind::Second);
  EXPECT_NE(verdict.reason.find("a signature that is not its own"),
            std::string::npos);
}

TEST_F(SignedAnswers, RootsAreSigned) {
  // The answers are not signed here.
  options.firstSigned.ofAnswers = options.secondSigned.ofAnswers = false;
  SigningParty first(honest, otherKey, firstKey),
      second(*liar, otherKey, secondKey), wrong(*liar, otherKey, otherKey);
  for (SigningParty *party : {&first, &second, &wrong})
    party->alter = [](const dispute::Question &, auto &answer) {
      answer.clear_signature();
    };
  Verdict verdict = settle(first, second);
  EXPECT_EQ(verdict.kind, Verdict::Kind::Second);
  EXPECT_FALSE(verdict.right.empty());
  EXPECT_FALSE(made.isFirstSigned() || made.isSecondSigned());
  EXPECT_EQ(decide(kept()).reason, verdict.reason);
  verdict = settle(first, wrong);
  EXPECT_EQ(verdict.kind, Verdict::Kind::Second);
  EXPECT_EQ(verdict.reason, "the second has no signature of the key " +
                                fingerprint(secondKey.key()));
  EXPECT_EQ(decide(kept()).reason, verdict.reason);
}

TEST_F(SignedAnswers, SignaturesOfARunAreAnybodys) {
  options.firstSigned.ofAnswers = options.secondSigned.ofAnswers = false;
  SigningParty first(honest, firstKey, firstKey),
      second(*liar, secondKey, secondKey);
  auto reasonOf = [&](auto alter) {
    second.alter = [&](const dispute::Question &question, auto &answer) {
      if (question.has_run())
        alter(*answer.mutable_run());
    };
    const Verdict verdict = settle(first, second);
    EXPECT_EQ(verdict.kind, Verdict::Kind::Second);
    return verdict.reason;
  };
  using Run = dispute::RunAnswer;
  const std::string none =
      "the second has no signature of the key " + fingerprint(secondKey.key());
  EXPECT_EQ(reasonOf([](Run &run) { run.clear_signatures(); }), none);
  EXPECT_EQ(reasonOf([](Run &run) {
              run.mutable_signatures(0)->set_public_key(std::string(999, 'x'));
            }),
            none);
  for (const std::string &bytes : {std::string(), std::string(64, 'x')}) {
    EXPECT_NE(reasonOf([&](Run &run) {
                run.mutable_signatures(0)->set_signature(bytes);
              }).find("did not sign"),
              std::string::npos);
    EXPECT_NE(reasonOf([&](Run &run) {
                run.mutable_signatures(0)->set_root(bytes);
              }).find("did not sign"),
              std::string::npos);
    EXPECT_NE(reasonOf([&](Run &run) {
                run.mutable_signatures(0)->set_time(bytes);
              }).find("did not sign"),
              std::string::npos);
  }
  EXPECT_EQ(reasonOf([](Run &run) {
              while (run.signatures_size() <= kMostRunSignatures)
                *run.add_signatures() = run.signatures(0);
            }),
            "the second has too many signatures");
}

/// Whoever has the file can name neither party for what it did not say.
TEST_F(SignedAnswers, AlteredFilesAreNamed) {
  SigningParty first(honest, firstKey, firstKey),
      second(*liar, secondKey, secondKey);
  ASSERT_EQ(settle(first, second).kind, Verdict::Kind::Second);
  const dispute::Case right = kept();
  ASSERT_GT(right.first_size(), 5);
  for (bool isFirst : {true, false}) {
    const std::string side = isFirst ? "the first" : "the second";
    const auto &answers = isFirst ? right.first() : right.second();
    for (int i = 0; i < answers.size(); ++i) {
      const std::string begin =
          "the file's answer " + std::to_string(i + 1) + " of " + side;
      dispute::Case altered = right;
      auto &answer =
          *(isFirst ? altered.mutable_first(i) : altered.mutable_second(i));
      answer.clear_signature();
      EXPECT_EQ(problemOf(altered), begin + " is not signed");
      answer = answers[i];
      answer.mutable_signature()->back() ^= 1;
      EXPECT_EQ(problemOf(altered), begin + " is not what it signed");
      // No answer, in place of one.
      answer.mutable_none()->set_reason("gone");
      EXPECT_EQ(problemOf(altered), begin + " is not what it signed");
      // Its answer to another question.
      answer = answers[i ? 0 : 1];
      EXPECT_EQ(problemOf(altered), begin + " is not what it signed");
    }
  }
  dispute::Case altered = right;
  altered.mutable_first(2)->clear_signature();
  altered.set_first_signs(false);
  EXPECT_EQ(problemOf(altered),
            "the file's answer 3 of the first is not signed");
  altered = right;
  altered.mutable_second()->Swap(altered.mutable_first());
  EXPECT_EQ(problemOf(altered),
            "the file's answer 1 of the first is not what it signed");
}

/// One key, two runs: what was said of one of them says nothing of the other.
TEST_F(SignedAnswers, OfAnotherRunAreNone) {
  SyntheticRun otherRun(8);
  AnsweringParty other(otherRun);
  SigningParty first(honest, firstKey, firstKey),
      second(*liar, secondKey, secondKey), mixed(other, firstKey, firstKey);
  dispute::Question asked;
  first.alter = [&](const dispute::Question &question, auto &) {
    if (question.has_steps())
      asked = question;
  };
  ASSERT_EQ(settle(first, second).kind, Verdict::Kind::Second);
  dispute::Case altered = kept();
  ASSERT_TRUE(altered.first(1).has_steps());
  ASSERT_FALSE(altered.first(2).has_steps());
  // The same question, signed by the same key.
  *altered.mutable_first(1) = first.ask(asked);
  EXPECT_EQ(problemOf(altered).substr(0, 8), "decided:");
  *altered.mutable_first(1) = mixed.ask(asked);
  EXPECT_EQ(problemOf(altered),
            "the file's answer 2 of the first is not what it signed");
}
