// Which of two parties is right about a run.
#ifndef GENSYN_PROOF_DISPUTE_DISPUTE_H
#define GENSYN_PROOF_DISPUTE_DISPUTE_H

#include "gensyn/Executable/Support/Hash.h"
#include "gensyn/Proof/Dispute/Party.h"
#include "gensyn/Proof/Sign/Signature.h"
#include "gensyn/Runtime/Compiler/Compiler.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace gensyn::proof {

struct Verdict {
  enum class Kind {
    /// They claim the same.
    Equal,
    /// They are different runs: another program, seed, recipe, data, or other
    /// initial parameters. Nobody is wrong.
    Different,
    /// One of them is wrong, or both are.
    First,
    Second,
    Both,
    /// They differ in something that nothing in a run commits to.
    Undecided,
  };
  Kind kind = Kind::Equal;
  /// Why, as one sentence: "the second claims ..., and it is ...".
  std::string reason;
  /// Where they differ first, as far as that was found.
  std::optional<int64_t> step;
  /// The ops in whose programs that is, from the outermost, with the iteration.
  struct Iteration {
    uint64_t value = 0, iteration = 0;
    std::string operation;
  };
  std::vector<Iteration> path;
  /// The number of the value in the program, and what it is: "input 'x'",
  /// "node 'fc' (Gemm)".
  std::optional<uint64_t> value;
  std::string operation;
  /// The op's name: "repro.contract"; empty for an argument.
  std::string op;
  std::vector<int64_t> element;
  /// How it was found: of `begin` to `end` of something, only `partBegin` to
  /// `partEnd` differ, or are the first that do.
  struct Round {
    /// "steps", "values", "iterations", "state", "chunks".
    std::string what;
    uint64_t begin = 0, end = 0, partBegin = 0, partEnd = 0;
  };
  std::vector<Round> rounds;
  /// The element's value and bits, as each claims it and as it is.
  std::string first, second, right;

  bool isFirstWrong() const {
    return kind == Kind::First || kind == Kind::Both;
  }
  bool isSecondWrong() const {
    return kind == Kind::Second || kind == Kind::Both;
  }
};

/// The name of a kind for records: "first-wrong".
const char *name(Verdict::Kind kind);

/// Who must have signed what a party says.
struct RequiredSignatures {
  /// Of the last root of its run; null: nobody. It must outlive the dispute.
  const Verifier *signer = nullptr;
  /// True if each of its answers has to be signed, too.
  bool ofAnswers = false;
};

struct DisputeOptions {
  /// The last roots of the parties' runs, as they were published; without one
  /// what the party says first counts.
  std::optional<Digest> firstRoot, secondRoot;
  /// A party that has not signed this way loses.
  RequiredSignatures firstSigned, secondSigned;
  /// Evaluates one element of one op.
  runtime::Compiler *compiler = nullptr;
  /// The most bytes of an operand's tile, and of all answers of a party.
  uint64_t mostBytes = uint64_t(256) << 20;
  /// Called with what is done next: "comparing step 17"; may be null.
  std::function<void(const std::string &)> progress;
};

/// Asks both parties until it is clear who is wrong: finds the first points of
/// the runs that differ, the first step between them, the first value of that
/// step's program and its first element, and evaluates that from operands which
/// both agree on. Whatever is malformed, contradicts itself or is missing loses
/// for the one who answered so. Throws a Failure for what the referee cannot
/// do: unsupported for a run without a data set, out of resources for an op
/// whose operands have more bytes than the limit or that takes too long.
Verdict settle(Party &first, Party &second, const DisputeOptions &options);

} // namespace gensyn::proof

#endif
