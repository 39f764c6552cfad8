// Disputes about the loop of a synthetic run, and about the ops in it.
#ifndef GENSYN_TEST_UNIT_PROOF_DISPUTE_ITERATIONDISPUTES_H
#define GENSYN_TEST_UNIT_PROOF_DISPUTE_ITERATIONDISPUTES_H

#include "Cheats/AlteredParty.h"
#include "SyntheticRun/SyntheticRun.h"
#include "gensyn/Executable/Support/Files.h"
#include "gensyn/Proof/Dispute/Case.h"
#include "gensyn/Proof/Dispute/Dispute.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <functional>

namespace gensyn::testing {

using namespace proof;
using cheats::AlteredParty;
using cheats::Lie;

using VerdictKind = Verdict::Kind;
using Path = std::vector<dispute::Iteration>;
using In = SyntheticRun::InLoop;
inline constexpr uint64_t kLooped = SyntheticRun::Looped;

inline dispute::Iteration at(uint64_t value, uint64_t iteration) {
  dispute::Iteration place;
  place.set_value(value);
  place.set_iteration(iteration);
  return place;
}

/// About one bit of a value of the program that the path names.
inline Lie flipIn(int64_t step, Path path, uint64_t value, size_t element = 0) {
  Lie lie;
  lie.step = step;
  lie.path = std::move(path);
  lie.value = value;
  lie.alter = [=](Tensor &tensor) {
    tensor.data()[element * size_t(byteWidth(tensor.elementType()))] ^=
        std::byte(1);
  };
  lie.after = cheats::spoil;
  return lie;
}

inline Lie withCarried(Lie lie, std::function<void(CarriedValues &)> alter) {
  lie.carried = std::move(alter);
  return lie;
}

/// Another carried value, from an iteration on.
inline std::function<void(CarriedValues &)> alterCarried(size_t from,
                                                         size_t number) {
  return [=](CarriedValues &carried) {
    for (size_t i = from; i < carried.size(); ++i)
      carried[i].at(number).elements[3] ^= 4;
  };
}

class SettleIterations : public ::testing::Test {
protected:
  SettleIterations()
      : file(
            std::filesystem::path(::testing::TempDir()) /
            (std::string("iterations-") +
             ::testing::UnitTest::GetInstance()->current_test_info()->name())) {
    options.compiler = &compiler;
    options.mostBytes = uint64_t(4) << 20;
  }
  ~SettleIterations() override { std::filesystem::remove(file); }

  uint64_t countIterations(int64_t step) {
    return run.open(step)->iterate(SyntheticRun::Looped).size() - 1;
  }
  /// Also from the case, without the parties.
  Verdict settle(Party &first, Party &second) {
    DisputeCase made;
    Verdict verdict = made.settle(first, second, options);
    writeText(file, made.serialize());
    const Verdict decided =
        DisputeCase::read(file, uint64_t(8) << 20).decide(options);
    EXPECT_EQ(decided.kind, verdict.kind);
    EXPECT_EQ(decided.reason, verdict.reason);
    EXPECT_EQ(decided.right, verdict.right);
    EXPECT_EQ(decided.path.size(), verdict.path.size());
    return verdict;
  }
  /// Both ways; an empty reason is any.
  Verdict expectLoses(Party &liar, const std::string &reason) {
    AnsweringParty honest(run);
    const Verdict second = settle(honest, liar);
    EXPECT_EQ(second.kind, VerdictKind::Second) << second.reason;
    EXPECT_NE(second.reason.find(reason), std::string::npos) << second.reason;
    AnsweringParty other(run);
    const Verdict first = settle(liar, other);
    EXPECT_EQ(first.kind, VerdictKind::First) << first.reason;
    return second;
  }
  Verdict expectLoses(const Lie &lie, const std::string &reason,
                      const AlteredParty::Alter &alter = nullptr) {
    AlteredParty liar(run, lie, alter);
    return expectLoses(liar, reason);
  }

  std::filesystem::path file;
  SyntheticRun run;
  runtime::Compiler compiler = gensyn::testing::makeSyntheticCompiler();
  DisputeOptions options;
};

} // namespace gensyn::testing

#endif
