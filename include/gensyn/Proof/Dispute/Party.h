// Somebody who made a run, and answers questions about it.
#ifndef GENSYN_PROOF_DISPUTE_PARTY_H
#define GENSYN_PROOF_DISPUTE_PARTY_H

namespace gensyn {
class Failure;
} // namespace gensyn

namespace gensyn::dispute {
class Question;
class Answer;
class Case;
} // namespace gensyn::dispute

namespace gensyn::proof {

/// In this process, or somewhere else. What it answers is not trusted.
class Party {
public:
  virtual ~Party() = default;

  /// Throws a Failure if it has no answer: then it loses if that is its fault,
  /// and else the dispute ends.
  virtual dispute::Answer ask(const dispute::Question &question) = 0;
};

/// Whether a Failure of a party is its fault: bad input, or what takes too much
/// of it. All others are about the machine or the options of whoever asks.
bool isOfParty(const Failure &failure);

} // namespace gensyn::proof

#endif
