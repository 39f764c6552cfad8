// Types of what a Loop carries. ONNX's inference forgets their shapes, since an
// iteration may change them; most loops do not.
#pragma once

#include "LoopTrips.h"

namespace gensyn::onnx {

/// The region of a node that is its attribute `name`.
mlir::Region &regionOf(NodeOp node, llvm::StringRef name);

/// True if the node is a Loop with a body.
bool isLoop(NodeOp node);

/// Gives the body of a Loop the types of the values that it starts with, as far
/// as they do not disagree with what it declares.
void giveCarriedTypes(NodeOp node);

/// After inference of the body: where an iteration returns the types that it
/// was given, the Loop's results have them; where the number of iterations is
/// known, so is the first extent of its rows.
void keepCarriedTypes(NodeOp node, std::optional<LoopTrips> trips);

} // namespace gensyn::onnx
