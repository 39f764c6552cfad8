// The sums over all microbatches of a step, from those of the ranks.
#ifndef GENSYN_LIB_RUNTIME_RANKS_SUMEXCHANGE_H
#define GENSYN_LIB_RUNTIME_RANKS_SUMEXCHANGE_H

#include "Addition.h"
#include "StepLayout.h"
#include "SumBuckets.h"
#include "SumLevel.h"
#include "gensyn/Communication/Communicator.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace gensyn::runtime {

/// The sums of one node of the tree: the loss and the gradients.
using Sums = std::vector<Tensor>;

/// Each rank adds a range of the elements of each sum, in the order of the
/// tree, and sends the result to all where sums are shared. Where ranks form
/// islands, those of an island first add what lies within it, and only one of
/// them exchanges each element with other islands. In each step begin(),
/// offer() for each sum of each node of this rank, with progress() from time to
/// time, finish().
class SumExchange {
public:
  /// With `releases` memory of sums that are not shared goes back to the system
  /// once it was sent or added.
  SumExchange(communication::Communicator &ranks, const StepLayout &layout,
              SumCuts cuts, Addition &addition, bool releases);

  /// Gets ready to receive.
  void begin();
  /// Sends this rank's part of a sum of a node, by the node's number among
  /// nodesIn() of this rank's microbatches. Its bytes stay where they are until
  /// finish() has returned, and may change from now on.
  void offer(size_t node, size_t sum, std::byte *bytes);
  /// Adds what has arrived, and sends on what is added. Returns false if there
  /// was nothing.
  bool progress();
  /// Adds what the ranks have offered, and waits for what they have added.
  void finish();

  /// The range of a sum over all microbatches that this rank has added; valid
  /// as long as the bytes that were offered.
  std::byte *ownRange(size_t sum) const { return results[sum]; }
  bool isShared(size_t sum) const { return cuts.shared[sum]; }
  /// True if the whole of a shared sum is in the bytes that this rank has
  /// offered of its first node.
  bool isInOffered(size_t sum) const {
    return layout.sums[sum].isWhole() && isMade(sum);
  }
  /// Takes the whole of a shared sum that is not.
  Tensor takeTotal(size_t sum);

private:
  using Transfers = std::vector<communication::Transfer>;

  SumLevelPlan describe(uint32_t tag) const;
  size_t addLeaves(SumLevelPlan &plan, int firstGroup, int groups) const;
  void makeFirst(bool releases);
  void makeFar(bool releases);
  std::vector<bool> findReleased(bool releases) const;
  std::vector<SumLevelPlan::Part> partsOfGroups(size_t sum) const;
  std::vector<TreeNode> nodesOfIsland(int island) const;
  /// True if this rank has something of a sum. There may be more ranks than
  /// microbatches.
  bool isMade(size_t sum) const {
    return nodes > 0 && layout.sums[sum].partOf(layout.grid.place());
  }
  bool isTwoLevel() const { return far.has_value(); }
  void expectTotal(size_t sum, std::byte *bytes);
  void joinIslands(size_t sum);
  void sendTotal(size_t sum);
  void forwardTotal(size_t sum);
  bool haveTotalsArrived(size_t sum) const;
  void waitForNext();
  std::span<std::byte> rangeOf(const Range &range, size_t sum,
                               std::byte *bytes) const;
  const Range &ownCut(size_t sum) const {
    return cuts.cuts[sum][size_t(ranks.rank())];
  }
  const Range &partOf(size_t sum, int place) const {
    return cuts.parts[sum][size_t(place)];
  }

  communication::Communicator &ranks;
  const StepLayout &layout;
  SumCuts cuts;
  Addition &addition;

  /// Between the ranks of an island, or all if there are none, and between
  /// those of a place in all islands.
  std::optional<SumLevel> first, far;
  /// This rank's first leaf among those of a level.
  size_t ownOfFirst = 0, ownOfFar = 0;
  /// How many leaves this rank has.
  size_t nodes = 0;
  /// Sums whose nodes this rank has all offered, whose roots in this island are
  /// added, and of which this rank has sent its range of the whole to other
  /// islands; but nothing further.
  std::vector<size_t> offered, joining, forwarding;
  Transfers sends, totalsArriving;
  /// For each sum those that come from other islands.
  std::vector<Transfers> farArriving;
  std::vector<std::byte *> results;
  /// The memory of whole sums, and the tensors where it is no offered one.
  std::vector<std::byte *> totals;
  std::vector<std::optional<Tensor>> ownTotals;
};

} // namespace gensyn::runtime

#endif
