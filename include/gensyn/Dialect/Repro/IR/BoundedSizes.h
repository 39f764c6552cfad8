// Bounds on types and attributes of ops (g2, constant_c2), for the constraints
// in the .td files. The constraints are checked before an op's own verifier and
// before its types are inferred again, so that neither sees sizes whose
// products overflow.

#ifndef GENSYN_DIALECT_REPRO_IR_BOUNDEDSIZES_H
#define GENSYN_DIALECT_REPRO_IR_BOUNDEDSIZES_H

#include "mlir/IR/Attributes.h"
#include "mlir/IR/Types.h"

namespace gensyn::repro {

/// True if a tensor has at most `kMaxElements` elements, where unknown extents
/// and those of 0 count as 1. True for other types.
bool hasBoundedSize(mlir::Type type);

/// True if an attribute holds elements that can be written out: dense ones, or
/// a resource with as many bytes as its type has, of a bounded type and at most
/// `kMaxConstantBytes` bytes.
bool hasBoundedElements(mlir::Attribute value);

} // namespace gensyn::repro

#endif
