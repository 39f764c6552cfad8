// The trees of a step, and answers about them.
#ifndef GENSYN_LIB_PROOF_DISPUTE_STEPTREES_H
#define GENSYN_LIB_PROOF_DISPUTE_STEPTREES_H

#include "ProgramTrees.h"

namespace gensyn::proof {

class StepTrees {
public:
  explicit StepTrees(std::shared_ptr<StepSource> step);

  /// The step's program, or the one that the path names.
  ProgramTrees &
  open(const google::protobuf::RepeatedPtrField<dispute::Iteration> &path);

  // Each throws a Failure for what the step does not have.
  dispute::StepAnswer describe() const;
  dispute::NodesAnswer show(const dispute::NodesQuestion &question);
  dispute::EntriesAnswer show(const dispute::EntriesQuestion &question);
  dispute::SampleAnswer show(const dispute::SampleQuestion &question);

private:
  const ListedTree &
  treeOf(dispute::Tree tree,
         const google::protobuf::RepeatedPtrField<dispute::Iteration> &path);

  std::shared_ptr<StepSource> step;
  StepSource::Record record;
  ProgramTrees program;
  ListedTree before{"state"}, after{"state"}, constants{"state"};
  /// Empty until it is asked for.
  ListedTree samples{"samples"};
};

} // namespace gensyn::proof

#endif
