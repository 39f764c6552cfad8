// The sums over all microbatches of a step, from those of the ranks.
#ifndef GENSYN_LIB_RUNTIME_RANKS_SUMEXCHANGE_H
#define GENSYN_LIB_RUNTIME_RANKS_SUMEXCHANGE_H

#include "Addition.h"
#include "StepTree.h"
#include "SumLayout.h"
#include "gensyn/Communication/Communicator.h"
#include "gensyn/Executable/Support/AlignedMemory.h"

#include <cstdint>
#include <vector>

namespace gensyn::runtime {

/// The sums of one node of the tree: the loss and the gradients.
using Sums = std::vector<Tensor>;

/// Each rank adds one slice of the sums: it gets this slice of all nodes that
/// other ranks have computed, adds them in the order of the tree, and sends the
/// result to all.
class SumExchange {
public:
  SumExchange(communication::Communicator &ranks, std::span<const Port> sums,
              int64_t microbatches, Addition &addition);

  /// `own` has the sums of nodesIn() of this rank's microbatches. Returns those
  /// of all microbatches, in the memory of the first of them if there is one;
  /// they are the same on every rank.
  Sums run(std::vector<Sums> &own);

private:
  using Bytes = AlignedBytes;
  struct Buffer {
    int64_t size = 0;
    Bytes bytes;
    std::span<std::byte> span() {
      return {reinterpret_cast<std::byte *>(bytes.get()), size_t(size)};
    }
  };
  /// Returns memory that was used before if there is some.
  Buffer take(int64_t size);
  void giveBack(Buffer buffer) { unused.push_back(std::move(buffer)); }
  /// Copies the elements of a slice to a buffer, and back.
  Buffer pack(const Slice &slice, const Sums &sums);
  void unpack(const Slice &slice, Buffer &buffer, Sums &sums) const;
  /// Adds the slices of the nodes below `node`, which are next in `nodes`.
  Buffer addNodes(TreeNode node, std::vector<Buffer> &nodes, size_t &next);
  void waitFor(std::vector<communication::Transfer> &transfers);
  Buffer addSlice(std::vector<Sums> &own);
  void shareSlice(Buffer sum, Sums &total);
  bool isLeaf(TreeNode node) const;

  communication::Communicator &ranks;
  std::vector<Port> ports;
  int64_t microbatches;
  Addition &addition;
  std::vector<Slice> slices;
  /// What each rank computes.
  std::vector<std::vector<TreeNode>> nodes;
  std::vector<Buffer> unused;
};

} // namespace gensyn::runtime

#endif
