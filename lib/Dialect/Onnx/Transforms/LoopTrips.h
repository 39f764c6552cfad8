// The trip count of a Loop, as far as it follows from constants.
#pragma once

#include "gensyn/Dialect/Onnx/IR/NodeOp.h"

namespace gensyn::onnx {

/// Iterations of a Loop.
struct LoopTrips {
  /// It runs no more often than this.
  int64_t atMost;
  /// It runs exactly so often: the flag does not depend on data.
  bool isExact;
};

/// Counts by running what the flag of the Loop depends on, with the values that
/// `constantOf` knows; the types of its body have been inferred. A flag that is
/// an And with something unknown still ends the loop where the known operand is
/// false. Nothing where neither the operand M nor the flag bounds the count.
std::optional<LoopTrips>
countTrips(NodeOp loop,
           llvm::function_ref<mlir::ElementsAttr(mlir::Value)> constantOf);

} // namespace gensyn::onnx
