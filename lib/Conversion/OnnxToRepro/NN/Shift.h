// Exponentials of differences from the greatest element.

#ifndef GENSYN_LIB_CONVERSION_ONNXTOREPRO_SHIFT_H
#define GENSYN_LIB_CONVERSION_ONNXTOREPRO_SHIFT_H

#include "../Support/NodeBuilder.h"

namespace gensyn::onnx_to_repro {

/// x minus its greatest element, exp of that, and the sum of the exponentials;
/// the last has extents of 1 where it is reduced.
struct Shifted {
  mlir::Value difference, exponential, total;
};

/// Over the dimensions `dims`. The shift cancels in what is made of it, so no
/// gradient flows through it.
Shifted shiftByGreatest(NodeBuilder &b, mlir::Value x,
                        llvm::ArrayRef<int64_t> dims);

/// x - m - log(sum of exp(x - m)).
mlir::Value logSoftmax(NodeBuilder &b, mlir::Value x,
                       llvm::ArrayRef<int64_t> dims);

} // namespace gensyn::onnx_to_repro

#endif
