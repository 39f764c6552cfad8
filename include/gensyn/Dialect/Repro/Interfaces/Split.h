// Where the dimensions of an op may be cut, and what a piece consists of.

#ifndef GENSYN_DIALECT_REPRO_INTERFACES_SPLIT_H
#define GENSYN_DIALECT_REPRO_INTERFACES_SPLIT_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdint>

namespace gensyn::repro {

/// The cuts of one dimension that change no bit of the op's results. They
/// follow from the op and its order (docs/Numerics.md, section 5), never from
/// a machine.
struct Split {
  enum class Kind : uint8_t {
    /// Anywhere. A piece computes its elements of the results, which are
    /// concatenated.
    Free,
    /// Anywhere. Partial results are joined in any order.
    Any,
    /// Into blocks of `size` indices, the last of which may be shorter. A piece
    /// is one block; the outer part of the order joins the results.
    Blocks,
    /// Into P parts of every P-th index, where P is a power of two up to
    /// `size`. Halves are joined.
    Lanes,
    /// Anywhere, but each piece goes on from the accumulators of the one
    /// before, so pieces take turns.
    Chain,
    /// Nowhere.
    None,
  };
  Kind kind = Kind::None;
  int64_t size = 1;

  static Split free() { return {Kind::Free, 1}; }
  static Split any() { return {Kind::Any, 1}; }
  static Split blocks(int64_t size) { return {Kind::Blocks, size}; }
  static Split lanes(int64_t most) { return {Kind::Lanes, most}; }
  static Split chain() { return {Kind::Chain, 1}; }
  static Split none() { return {}; }

  bool operator==(const Split &) const = default;
};

/// "free", "any", "blocks<16>", "lanes<32>", "chain" or "none".
llvm::raw_ostream &operator<<(llvm::raw_ostream &out, Split split);

/// Indices of one dimension: `begin + i * stride` for i < `size`.
struct IndexRange {
  int64_t begin = 0, size = 0, stride = 1;

  static IndexRange whole(int64_t extent) { return {0, extent, 1}; }
  bool isWhole(int64_t extent) const { return *this == whole(extent); }

  bool operator==(const IndexRange &) const = default;
};

/// A part of a tensor: a range for each of its dimensions.
using Tile = llvm::SmallVector<IndexRange>;

} // namespace gensyn::repro

#endif
