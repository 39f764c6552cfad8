// Vectorizes a loop over independent elements.

#ifndef GENSYN_LIB_CODEGEN_CPU_WIDENLOOP_H
#define GENSYN_LIB_CODEGEN_CPU_WIDENLOOP_H

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace gensyn::cpu {

/// Vectors of a loop's iterations.
struct Widening {
  int64_t lanes; ///< in a vector
  /// Active lanes, the first ones. Fewer than `lanes` only if the loop has so
  /// many iterations.
  int64_t active;
  /// Iterations may run twice: then the last vector overlaps the one before.
  /// Otherwise the remaining iterations keep their scalar loop.
  bool mayRepeat;
  /// Masked loads and stores are single instructions.
  bool hasMaskedAccess = false;
};

/// Replaces the loop by one over vectors of its iterations, which must be
/// independent of each other; it has the step 1, no results, and at least
/// `active` iterations. Every lane executes what its iteration would: the same
/// operations, with the same bits. Control flow that differs between lanes
/// becomes masks. Fails, and leaves the loop as it is, if the body has an
/// operation that cannot be widened or a buffer of 2^31 elements or more.
/// Buffers are dense.
llvm::LogicalResult widenLoop(mlir::scf::ForOp loop, const Widening &widening);

} // namespace gensyn::cpu

#endif
