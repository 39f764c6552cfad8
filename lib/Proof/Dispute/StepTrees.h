// The trees of a step, and answers about them.
#ifndef GENSYN_LIB_PROOF_DISPUTE_STEPTREES_H
#define GENSYN_LIB_PROOF_DISPUTE_STEPTREES_H

#include "gensyn/Executable/proof.pb.h"
#include "gensyn/Proof/Dispute/RunSource.h"
#include "gensyn/Proof/Dispute/dispute.pb.h"
#include "gensyn/Proof/Trees/ListTree.h"

#include <memory>
#include <string>
#include <vector>

namespace gensyn::proof {

/// A list with its entries.
class ListedTree {
public:
  explicit ListedTree(std::string kind) : tree(std::move(kind)) {}

  void add(std::string entry);
  const ListTree &get() const { return tree; }
  const std::string &entry(uint64_t number) const { return entries[number]; }

private:
  ListTree tree;
  std::vector<std::string> entries;
};

class StepTrees {
public:
  explicit StepTrees(std::shared_ptr<StepSource> step);

  // Each throws a Failure for what the step does not have.
  dispute::StepAnswer describe() const;
  dispute::NodesAnswer show(const dispute::NodesQuestion &question) const;
  dispute::EntriesAnswer show(const dispute::EntriesQuestion &question) const;
  dispute::TensorAnswer show(const dispute::TensorQuestion &question) const;
  dispute::PartsAnswer show(const dispute::PartsQuestion &question) const;
  dispute::ChunkAnswer show(const dispute::ChunkQuestion &question) const;
  dispute::EvidenceAnswer show(const dispute::EvidenceQuestion &question) const;
  dispute::SampleAnswer show(const dispute::SampleQuestion &question);

private:
  const ListedTree &treeOf(dispute::Tree tree) const;

  std::shared_ptr<StepSource> step;
  StepSource::Record record;
  plan::EntriesResponse program;
  std::vector<runtime::WitnessedTensor> values;
  ListedTree valueTree{"values"}, before{"state"}, after{"state"},
      constants{"state"}, programTree{"program"};
  /// Empty until it is asked for.
  ListedTree samples{"samples"};
};

} // namespace gensyn::proof

#endif
