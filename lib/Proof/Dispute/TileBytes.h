// The bytes of a tensor that a tile of it has.
#ifndef GENSYN_LIB_PROOF_DISPUTE_TILEBYTES_H
#define GENSYN_LIB_PROOF_DISPUTE_TILEBYTES_H

#include "gensyn/Executable/proof.pb.h"
#include "gensyn/Numerics/ElementType.h"
#include "gensyn/Proof/Trees/ByteTree.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace gensyn::proof {

/// A tile of a tensor.
struct TileBytes {
  ElementType type = ElementType::F32;
  std::vector<int64_t> shape;
  struct Range {
    int64_t begin = 0, size = 0, stride = 1;
  };
  std::vector<Range> ranges;
  /// Of the tensor, and of the tile.
  uint64_t bytes = 0, tileBytes = 0;

  /// Calls `visit(begin, size)` for runs of bytes that are adjacent, in
  /// row-major order.
  void visitRuns(const std::function<void(uint64_t, uint64_t)> &visit) const;
  /// The number of these runs.
  uint64_t countRuns() const;
  /// The chunks that have them, and the last one of the tensor.
  std::vector<LeafRange> findChunks() const;
};

/// Reads a tile that the compiler answered with; nothing if it is not within
/// its tensor.
std::optional<TileBytes> readTile(const plan::EvaluateResponse::Tile &given);

/// Where an element of a batch lies in its sample.
struct SampleElement {
  /// The place of the sample in the batch.
  uint64_t row = 0;
  /// The element in the sample's tensor.
  TileBytes tile;
};
/// `element` is one of a tensor of that type and shape, whose first dimension
/// is that of the batch.
SampleElement findSampleElement(ElementType type,
                                const std::vector<int64_t> &shape,
                                uint64_t element);

} // namespace gensyn::proof

#endif
