// An exchange of sums between some ranks, of which each adds a range.
#ifndef GENSYN_LIB_RUNTIME_RANKS_SUMLEVEL_H
#define GENSYN_LIB_RUNTIME_RANKS_SUMLEVEL_H

#include "Addition.h"
#include "StepTree.h"
#include "gensyn/Communication/Communicator.h"
#include "gensyn/Executable/Support/AlignedMemory.h"
#include "gensyn/Runtime/Ranks/TensorTile.h"

#include <cstdint>
#include <vector>

namespace gensyn::runtime {

/// Which ranks have what before and after an exchange of sums.
struct SumLevelPlan {
  /// Elements of a sum that the rank at a place of a group has.
  struct Part {
    int place;
    TensorTile tile;
  };
  /// A node of the tree, and the rank at the first place of the group that has
  /// it.
  struct Leaf {
    TreeNode node;
    int firstRank;
  };

  std::vector<ElementType> types;
  /// For each sum of each leaf; nothing of sums that are exchanged elsewhere.
  std::vector<std::vector<Part>> parts;
  /// Who adds what of each sum.
  std::vector<Cut> cuts;
  /// In the order of microbatches.
  std::vector<Leaf> leaves;
  /// The nodes above the leaves that are computed, in the same order.
  std::vector<TreeNode> roots;
  /// Of the messages of the first sum.
  uint32_t tag = 0;
  /// For each sum, whether its memory goes back to the system once it was sent
  /// or added.
  std::vector<bool> released;
};

/// A rank gets its range of all leaves that other ranks have, and adds them in
/// the order of the tree. In each step begin() for each sum, offer() for each
/// leaf that this rank has of it, add(), and at last finish().
class SumLevel {
public:
  SumLevel(communication::Communicator &ranks, SumLevelPlan plan,
           Addition &addition);

  /// Gets ready to receive.
  void begin(size_t sum);
  /// Sends what this rank has of a leaf's sum, which is at `bytes`. They stay
  /// where they are until finish() has returned. Others do not read them any
  /// more when they have added what this rank sends.
  void offer(size_t leaf, size_t sum, std::byte *bytes);
  /// True if all has arrived of a sum.
  bool isComplete(size_t sum);
  /// Waits for some of what has not.
  void waitForNext(size_t sum);
  /// Adds this rank's range of a sum that is complete.
  void add(size_t sum);
  /// This rank's range of a sum of a root after add(); valid as long as the
  /// bytes that were offered.
  std::byte *result(size_t root, size_t sum) const {
    return own[sum].results[root];
  }
  /// Gives memory back of what is sent.
  void releaseSent();
  /// Waits until all is sent.
  void finish();

  size_t roots() const { return plan.roots.size(); }
  const Range &ownCut(size_t sum) const {
    return plan.cuts[sum][size_t(ranks.rank())];
  }
  int64_t widthOf(size_t sum) const { return byteWidth(plan.types[sum]); }

private:
  /// Elements of this rank's range of a sum that another one sends.
  struct Arriving {
    size_t leaf;
    int from;
    std::vector<TensorTile::Run> runs;
    /// Memory for them where there are several runs, which come as one.
    std::vector<std::byte> packed;
    communication::Transfer transfer;
  };
  /// What this rank adds of a sum.
  struct Own {
    /// Where its range of each leaf is; nothing if it adds nothing.
    std::vector<std::byte *> places;
    /// In the order of leaves.
    std::vector<Arriving> arriving;
    /// So many have arrived.
    size_t arrived = 0;
    /// Of each root.
    std::vector<std::byte *> results;
  };
  struct Sent {
    communication::Transfer transfer;
    /// Those that go back to the system.
    std::span<std::byte> bytes;
  };

  bool isInPlace(size_t leaf, size_t sum) const;
  void makeOwn();
  void expect(size_t sum);
  void put(size_t sum, const std::vector<TensorTile::Run> &runs,
           const std::byte *from, std::byte *own) const;
  void send(int to, size_t sum, const TensorTile &tile, std::byte *bytes);
  const communication::Transfer *findNext(size_t sum);
  std::byte *addNodes(size_t sum, TreeNode node, size_t &next);

  communication::Communicator &ranks;
  SumLevelPlan plan;
  Addition &addition;
  /// For each sum.
  std::vector<Own> own;
  /// Memory for this rank's ranges of sums of other ranks.
  AlignedBytes received;
  bool releases;
  /// The ranks that add something, from the one behind this rank on, so that
  /// none gets all at once.
  std::vector<int> receivers;
  std::vector<Sent> sends;
};

} // namespace gensyn::runtime

#endif
