// Who adds which elements of the sums of a step.
#ifndef GENSYN_LIB_RUNTIME_RANKS_SUMLAYOUT_H
#define GENSYN_LIB_RUNTIME_RANKS_SUMLAYOUT_H

#include "gensyn/Executable/Signature.h"

#include <cstdint>
#include <span>
#include <vector>

namespace gensyn::runtime {

/// Elements [first, first + count) of one sum, and where a buffer of the slice
/// has them.
struct SlicePiece {
  size_t sum;
  ElementType type;
  int64_t first;
  int64_t count;
  /// Bytes, a multiple of 64.
  int64_t offset;
  int64_t bytes() const { return count * byteWidth(type); }
};

/// The elements of all sums that one rank adds, or takes care of.
struct Slice {
  std::vector<SlicePiece> pieces;
  /// The size of a buffer that has all pieces.
  int64_t bytes = 0;
};

/// Divides the sums, one after another, into a slice for each rank, of about
/// the same number of bytes. Within a sum a slice ends at a multiple of 64
/// bytes.
std::vector<Slice> makeSlices(std::span<const Port> sums, int ranks);

} // namespace gensyn::runtime

#endif
