// Signatures of the answers in a dispute: who said what.
#ifndef GENSYN_PROOF_DISPUTE_SIGNEDANSWERS_H
#define GENSYN_PROOF_DISPUTE_SIGNEDANSWERS_H

#include "gensyn/Proof/Dispute/Party.h"
#include "gensyn/Proof/Sign/Signature.h"

#include <optional>
#include <string>

namespace gensyn::dispute {
class RunAnswer;
} // namespace gensyn::dispute

namespace gensyn::proof {

/// The most signatures that a RunAnswer has.
inline constexpr int kMostRunSignatures = 64;

/// The root of the last point; nothing for an answer without points, or with a
/// digest that is none.
std::optional<Digest> findRoot(const dispute::RunAnswer &answer);

/// Signs the answers of a party.
class AnswerSigner {
public:
  /// For answers about the run that `party` tells of, which is asked.
  /// `signer` must outlive it. Throws a Failure of the party.
  AnswerSigner(const Signer &signer, Party &party);

  /// Sets the answer's signature.
  void sign(const dispute::Question &question, dispute::Answer &answer) const;

private:
  const Signer &signer;
  Digest root = {};
};

/// Checks the signatures of a party's answers, in the order in which it gave
/// them: the first one is about the run.
class AnswerCheck {
public:
  /// `verifier` must outlive it.
  explicit AnswerCheck(const Verifier &verifier) : verifier(verifier) {}

  /// True if the answer is signed as one to the question, about the same run as
  /// those before. Leaves the answer as it was.
  bool isSigned(const dispute::Question &question, dispute::Answer &answer);

private:
  const Verifier &verifier;
  Digest root = {};
};

} // namespace gensyn::proof

#endif
