// Exponentials of differences from the maximum.

#ifndef GENSYN_LIB_CONVERSION_ONNXTOREPRO_SOFTMAXSHIFT_H
#define GENSYN_LIB_CONVERSION_ONNXTOREPRO_SOFTMAXSHIFT_H

#include "../Support/NodeBuilder.h"

namespace gensyn::onnx_to_repro {

/// x minus its maximum, exp of that, and the sum of the exponentials; the sum
/// has extents of 1 in reduced dimensions.
struct Shifted {
  mlir::Value difference, exponential, total;
};

/// Reduces the dimensions `dims`. The shift cancels in the final result, so no
/// gradient flows through it.
Shifted shiftByGreatest(NodeBuilder &b, mlir::Value x,
                        llvm::ArrayRef<int64_t> dims);

/// x - m - log(sum of exp(x - m)).
mlir::Value logSoftmax(NodeBuilder &b, mlir::Value x,
                       llvm::ArrayRef<int64_t> dims);

} // namespace gensyn::onnx_to_repro

#endif
