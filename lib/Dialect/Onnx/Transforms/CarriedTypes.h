// Types of values that a Loop carries. ONNX's inference forgets their shapes,
// since an iteration may change them; most loops do not.
#ifndef GENSYN_LIB_DIALECT_ONNX_TRANSFORMS_CARRIEDTYPES_H
#define GENSYN_LIB_DIALECT_ONNX_TRANSFORMS_CARRIEDTYPES_H

#include "LoopTrips.h"

namespace gensyn::onnx {

/// The region of a node for its attribute `name`.
mlir::Region &regionOf(NodeOp node, llvm::StringRef name);

/// True if the node is a Loop with a body.
bool isLoop(NodeOp node);

/// Gives the body of a Loop the types of the initial values, as far as they
/// agree with the declared ones.
void giveCarriedTypes(NodeOp node);

/// After inference of the body: if an iteration returns the types that it was
/// given, the Loop's results have them; if the number of iterations is known,
/// so is the first extent of its scan outputs.
void keepCarriedTypes(NodeOp node, std::optional<LoopTrips> trips);

} // namespace gensyn::onnx

#endif
