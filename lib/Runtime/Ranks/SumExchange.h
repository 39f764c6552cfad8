// The sums over all microbatches of a step, from those of the ranks.
#ifndef GENSYN_LIB_RUNTIME_RANKS_SUMEXCHANGE_H
#define GENSYN_LIB_RUNTIME_RANKS_SUMEXCHANGE_H

#include "Addition.h"
#include "StepLayout.h"
#include "StepTree.h"
#include "gensyn/Communication/Communicator.h"
#include "gensyn/Executable/Support/AlignedMemory.h"
#include "gensyn/Runtime/Ranks/TensorCuts.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace gensyn::runtime {

/// The sums of one node of the tree: the loss and the gradients.
using Sums = std::vector<Tensor>;

/// Each rank adds a range of the elements of each sum: it gets this range of
/// all nodes of the tree that other ranks have computed, adds them in the
/// order of the tree, and sends the result to all where sums are shared. In
/// each step begin(), offer() for each sum of each node of this rank, with
/// progress() from time to time, finish().
class SumExchange {
public:
  /// `cuts` says who adds what, and `shared` for each sum whether all ranks get
  /// the whole of it. With `releases` memory of other sums goes back to the
  /// system once it was sent or added.
  SumExchange(communication::Communicator &ranks, const StepLayout &layout,
              std::vector<Cut> cuts, std::vector<bool> shared,
              Addition &addition, bool releases);

  /// Gets ready to receive.
  void begin();
  /// Sends this rank's part of a sum of a node, by the node's number among
  /// nodesIn() of this rank's microbatches. Its bytes stay where they are until
  /// finish() has returned, and may change from now on.
  void offer(size_t node, size_t sum, std::byte *bytes);
  /// Adds what has arrived from all ranks, and sends on what is added.
  void progress();
  /// Adds what the ranks have offered, and waits for what they have added.
  void finish();

  /// The range of a sum over all microbatches that this rank has added; valid
  /// as long as the bytes that were offered.
  std::byte *ownRange(size_t sum) const { return results[sum]; }
  /// Takes the whole of a shared sum, unless it is in the bytes that this rank
  /// has offered of its first node.
  std::optional<Tensor> takeTotal(size_t sum);
  bool isInOffered(size_t sum) const {
    return layout.sums[sum].isWhole() &&
           layout.sums[sum].partOf(layout.grid.place());
  }

private:
  /// Elements of this rank's range of a sum that another one sends.
  struct Arriving {
    int from;
    std::vector<TensorTile::Run> runs;
    /// Memory for them where there are several runs, which come as one.
    std::vector<std::byte> packed;
    communication::Transfer transfer;
  };
  /// A node of the tree that a group of ranks computes, in the order of
  /// microbatches.
  struct Leaf {
    TreeNode node;
    int group;
    /// Memory for this rank's ranges of sums of other ranks.
    AlignedBytes received;
    /// Where this rank's ranges are, for each sum.
    std::vector<std::byte *> places;
    /// For each sum what other ranks send.
    std::vector<std::vector<Arriving>> arriving;
  };

  std::byte *addNodes(size_t sum, TreeNode node, size_t &next);
  void expectTotal(size_t sum, std::byte *bytes);
  void sendTotal(size_t sum);
  bool isLeaf(TreeNode node) const;
  /// True if this rank computes a node of a sum whole.
  bool isOwn(const Leaf &leaf, size_t sum) const {
    return leaf.group == layout.grid.group() && layout.sums[sum].isWhole() &&
           layout.sums[sum].parts.front().place == layout.grid.place();
  }
  void addLeaf(int group, TreeNode node);
  void receive(Leaf &leaf, size_t sum);
  void wait(Leaf &leaf, size_t sum);
  void place(size_t sum, const std::vector<TensorTile::Run> &runs,
             const std::byte *from, std::byte *own) const;
  void send(int to, size_t sum, const TensorTile &tile, std::byte *bytes);
  ElementType typeOf(size_t sum) const { return layout.sums[sum].port.type; }
  bool isComplete(size_t sum);
  void add(size_t sum);
  void releaseSent();
  /// True if the memory of a sum may go back once it is not read any more.
  bool isReleased(size_t sum) const { return releases && !shared[sum]; }
  std::span<std::byte> rangeOf(int rank, size_t sum, std::byte *bytes) const;
  const Range &ownCut(size_t sum) const {
    return cuts[sum][size_t(ranks.rank())];
  }

  communication::Communicator &ranks;
  const StepLayout &layout;
  std::vector<Cut> cuts;
  std::vector<bool> shared;
  Addition &addition;

  std::vector<Leaf> leaves;
  /// The first of this rank's.
  size_t firstOwn = 0;
  bool releases;
  struct Sent {
    communication::Transfer transfer;
    /// Those that go back to the system.
    std::span<std::byte> bytes;
  };
  std::vector<Sent> sends;
  /// Sums whose nodes this rank has all offered, but that were not added yet.
  std::vector<size_t> pending;
  /// What is known to have arrived of a sum: from all ranks for the leaves
  /// before `leaf`, and for that one so many messages.
  struct Known {
    size_t leaf = 0, messages = 0;
  };
  std::vector<Known> known;
  std::vector<std::byte *> results;
  /// The memory of whole sums, and the tensors where it is no offered one.
  std::vector<std::byte *> totals;
  std::vector<std::optional<Tensor>> ownTotals;
  std::vector<communication::Transfer> totalsArriving;
};

} // namespace gensyn::runtime

#endif
