// A party that answers from what it knows of its run.
#ifndef GENSYN_PROOF_DISPUTE_ANSWERINGPARTY_H
#define GENSYN_PROOF_DISPUTE_ANSWERINGPARTY_H

#include "gensyn/Proof/Dispute/Party.h"
#include "gensyn/Proof/Dispute/RunSource.h"

namespace gensyn::proof {

class StepTrees;

class AnsweringParty final : public Party {
public:
  /// `run` must outlive it.
  explicit AnsweringParty(RunSource &run);
  ~AnsweringParty() override;

  dispute::Answer ask(const dispute::Question &question) override;

private:
  StepTrees &openStep(int64_t step);

  RunSource &run;
  /// The step that was asked about last.
  int64_t opened = 0;
  std::unique_ptr<StepTrees> trees;
};

} // namespace gensyn::proof

#endif
