// Assigns the points of an arg_reduce to threads.

#ifndef GENSYN_LIB_CODEGEN_GPU_ARGREDUCELAYOUT_H
#define GENSYN_LIB_CODEGEN_GPU_ARGREDUCELAYOUT_H

#include "gensyn/Codegen/Gpu/Target.h"
#include "gensyn/Dialect/Repro/IR/Repro.h"

#include <optional>

namespace gensyn::gpu {

/// Point p of result o * inner + i is element (o * points + p) * inner + i of
/// the operand.
///
/// A *tile* is what a group of `across` x `share` threads computes: with inner
/// below 32 the results of one o, else `across * width` results that follow one
/// another. Thread (s, x) of a group takes the points s, s + share, ... of the
/// results that are x along; where inner is 1 it takes `width` points at once.
struct ArgReduceLayout {
  repro::ArgReduceOp op;
  int64_t outer = 1, points = 1, inner = 1;
  int64_t warpSize = 32; ///< the target's
  int64_t width = 1;     ///< neighbours of one access, a power of two
  int64_t across = 1;    ///< a power of two, at most 32
  int64_t share = 32;    ///< a power of two
  int64_t groups = 1;    ///< of a block; one where a group has several warps
  int64_t together = 4;  ///< accesses that are under way at once
  int64_t unit = 1;      ///< points of a unit; the last may have fewer
  int64_t units = 1;     ///< of a result, each has a block of its own

  bool isRow() const { return inner == 1; }
  bool isNarrow() const { return inner < warpSize; }
  int64_t results() const { return outer * inner; }
  int64_t tiles() const;
  int64_t threads() const { return across * share * groups; }
  /// Warps that have points of one result.
  int64_t warps() const {
    return groups > 1 ? 1 : (threads() + warpSize - 1) / warpSize;
  }
  int64_t blocks() const { return (tiles() + groups - 1) / groups * units; }
  /// Results and points that a thread has at once.
  int64_t lanes() const { return isRow() ? 1 : width; }
  int64_t pointsOfAccess() const { return isRow() ? width : 1; }
  /// Points of one access of all threads, and of one turn of the loop.
  int64_t step() const { return share * pointsOfAccess(); }
  int64_t turn() const { return step() * together; }
};

/// Nothing where the kernel is not an arg_reduce over neighbouring dimensions
/// of at least two points, of elements that can be computed one by one.
std::optional<ArgReduceLayout> layOutArgReduce(repro::KernelOp kernel,
                                               const Target &target);

} // namespace gensyn::gpu

#endif
