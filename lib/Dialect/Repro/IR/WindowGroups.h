// Window groups: iterators that meet in one index, as in convolution.

#ifndef GENSYN_LIB_DIALECT_REPRO_IR_WINDOWGROUPS_H
#define GENSYN_LIB_DIALECT_REPRO_IR_WINDOWGROUPS_H

#include "IterationSpace.h"

namespace gensyn::repro {

/// A group relates an output index o, a tap k and an input index
/// i = s o + d k + c, in one of two shapes (domain_c4); g = gcd(s, d),
/// s' = s / g, d' = d / g:
///   W: iterators o and k; expressions o, k, s o + d k + c.
///   P: iterators q, t and, for s' > 1, r; o = q - d' t + a, k = s' t + r,
///      i = s q + d r + e.
struct WindowGroup {
  enum Shape { W, P } shape;
  /// o and k, or q and t.
  unsigned outer, inner;
  /// r of shape P.
  std::optional<unsigned> phase;
  int64_t stride = 1, dilation = 1;
};

/// The groups of a space, or a reason why its expressions form none.
llvm::FailureOr<llvm::SmallVector<WindowGroup>>
findWindowGroups(const IterationSpace &space, std::string *reason = nullptr);

/// Rewrites the space so that the last map can index a result (domain_c2,
/// domain_c3): a group whose input index i occurs in that map becomes shape P,
/// the others shape W; then normalizes. The maps must already be in their new
/// places. Fails if no such form exists.
llvm::LogicalResult reshapeForResult(IterationSpace &space);

/// domain_c1 to domain_c4 and contract_c2 for an op; emits the error.
llvm::LogicalResult verifyDomain(mlir::Operation *op, DomainAttr domain,
                                 mlir::ArrayAttr maps,
                                 mlir::ValueRange operands);

} // namespace gensyn::repro

#endif
