// The cheapest division of nodes in two sides.

#ifndef GENSYN_LIB_DIALECT_REPRO_TRANSFORMS_MINIMALCUT_H
#define GENSYN_LIB_DIALECT_REPRO_TRANSFORMS_MINIMALCUT_H

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <limits>

namespace gensyn::repro {

/// Nodes on the side of a source or of a sink. An edge costs its weight if it
/// leads from the source's side to the sink's.
class MinimalCut {
public:
  static constexpr unsigned kSource = 0, kSink = 1;
  static constexpr int64_t kInfinite = std::numeric_limits<int64_t>::max() / 4;

  MinimalCut() : edges(2) {}

  unsigned addNode() {
    edges.emplace_back();
    return unsigned(edges.size() - 1);
  }
  void addEdge(unsigned from, unsigned to, int64_t weight);

  /// Returns the nodes that are on the source's side in every cut of the least
  /// cost.
  llvm::BitVector solve();

private:
  struct Edge {
    unsigned to, back; ///< the node, and the number of the reverse edge there
    int64_t left;      ///< what may still flow
  };
  llvm::SmallVector<llvm::SmallVector<Edge, 4>, 0> edges;
};

} // namespace gensyn::repro

#endif
