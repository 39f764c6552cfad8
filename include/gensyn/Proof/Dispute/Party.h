// Somebody who made a run, and answers questions about it.
#ifndef GENSYN_PROOF_DISPUTE_PARTY_H
#define GENSYN_PROOF_DISPUTE_PARTY_H

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

  /// Throws a Failure if it has no answer.
  virtual dispute::Answer ask(const dispute::Question &question) = 0;
};

} // namespace gensyn::proof

#endif
