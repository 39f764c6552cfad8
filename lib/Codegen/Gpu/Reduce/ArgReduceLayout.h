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
/// A *tile* is computed by a group of `across` x `share` threads. With inner
/// below 32 it has the results of one o, else `across * width` adjacent
/// results. Thread (s, x) of a group has the points s, s + share, ... of the
/// results at x. If inner is 1, it takes `width` points at once.
struct ArgReduceLayout {
  repro::ArgReduceOp op;
  int64_t outer = 1, points = 1, inner = 1;
  int64_t warpSize = 32; ///< the target's
  int64_t width = 1;     ///< adjacent elements per access, a power of two
  int64_t across = 1;    ///< a power of two, at most 32
  int64_t share = 32;    ///< a power of two
  int64_t groups = 1;    ///< per block; one if a group has several warps
  int64_t together = 4;  ///< accesses in flight per thread
  int64_t unit = 1;      ///< points of a unit; the last may have fewer
  int64_t units = 1;     ///< per result, each with its own block

  bool isRow() const { return inner == 1; }
  bool isNarrow() const { return inner < warpSize; }
  int64_t results() const { return outer * inner; }
  int64_t tiles() const;
  int64_t threads() const { return across * share * groups; }
  /// Returns the number of warps that share the points of a result.
  int64_t warps() const {
    return groups > 1 ? 1 : (threads() + warpSize - 1) / warpSize;
  }
  int64_t blocks() const { return (tiles() + groups - 1) / groups * units; }
  /// Return the number of results and of points per access of a thread.
  int64_t lanes() const { return isRow() ? 1 : width; }
  int64_t pointsOfAccess() const { return isRow() ? width : 1; }
  /// Return the number of points per access of all threads, and per iteration
  /// of the loop.
  int64_t step() const { return share * pointsOfAccess(); }
  int64_t turn() const { return step() * together; }
};

/// Returns std::nullopt unless the kernel is an arg_reduce of at least two
/// points over adjacent dimensions, whose elements can be computed
/// independently.
std::optional<ArgReduceLayout> layOutArgReduce(repro::KernelOp kernel,
                                               const Target &target);

} // namespace gensyn::gpu

#endif
