// The trip count of a Loop, as far as it follows from constants.
#ifndef GENSYN_LIB_DIALECT_ONNX_TRANSFORMS_LOOPTRIPS_H
#define GENSYN_LIB_DIALECT_ONNX_TRANSFORMS_LOOPTRIPS_H

#include "gensyn/Dialect/Onnx/IR/NodeOp.h"

namespace gensyn::onnx {

/// Iterations of a Loop.
struct LoopTrips {
  /// An upper bound of the number of iterations.
  int64_t atMost;
  /// True if it runs exactly that often: the flag does not depend on data.
  bool isExact;
};

/// Counts by evaluating the ops on which the Loop's flag depends, with the
/// values that `constantOf` knows; the types of its body have been inferred. A
/// flag that is an And with something unknown still ends the loop when the
/// known operand is false. Nothing if neither the operand M nor the flag bounds
/// the count.
std::optional<LoopTrips>
countTrips(NodeOp loop,
           llvm::function_ref<mlir::ElementsAttr(mlir::Value)> constantOf);

} // namespace gensyn::onnx

#endif
