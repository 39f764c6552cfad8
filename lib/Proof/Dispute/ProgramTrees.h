// The trees of a program that was run, and answers about them.
#ifndef GENSYN_LIB_PROOF_DISPUTE_PROGRAMTREES_H
#define GENSYN_LIB_PROOF_DISPUTE_PROGRAMTREES_H

#include "TileBytes.h"
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

class ProgramTrees {
public:
  explicit ProgramTrees(std::shared_ptr<ProgramSource> program);

  const ListedTree &values() const { return valueTree; }
  const ListedTree &program() const { return programTree; }
  /// The program of an iteration, which is kept until another one is entered.
  ProgramTrees &enter(const dispute::Iteration &iteration);

  // Each throws a Failure for what the program does not have.
  dispute::ProgramAnswer show(const dispute::ProgramQuestion &question) const;
  dispute::TensorAnswer show(const dispute::TensorQuestion &question) const;
  dispute::PartsAnswer show(const dispute::PartsQuestion &question) const;
  dispute::ChunkAnswer show(const dispute::ChunkQuestion &question) const;
  dispute::EvidenceAnswer show(const dispute::EvidenceQuestion &question) const;
  dispute::IterationsAnswer show(const dispute::IterationsQuestion &question);

private:
  std::shared_ptr<ProgramSource> source;
  plan::EntriesResponse entries;
  std::vector<runtime::WitnessedTensor> digests;
  ListedTree valueTree{"values"}, programTree{"program"};
  /// The ones that were asked for last.
  dispute::Iteration entered;
  std::unique_ptr<ProgramTrees> inner;
  std::optional<uint64_t> iterated;
  CarriedValues carried;
};

/// The bytes of a digest, of several one after the other.
std::string asText(const Digest &digest);
std::string asText(const std::vector<Digest> &digests);
/// A question may be anybody's: throws a Failure (bad input) for leaves that
/// are not among all.
void requireLeaves(uint64_t begin, uint64_t count, uint64_t all);
/// Shows the chunks of a tensor that a tile has.
void showChunks(const Tensor &tensor, const TileBytes &tile,
                dispute::TensorChunks &to);

} // namespace gensyn::proof

#endif
