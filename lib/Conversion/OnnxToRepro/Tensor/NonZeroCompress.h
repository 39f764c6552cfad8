// Results whose size depends on data: the declared size is checked at run time.

#ifndef GENSYN_LIB_CONVERSION_ONNXTOREPRO_NONZEROCOMPRESS_H
#define GENSYN_LIB_CONVERSION_ONNXTOREPRO_NONZEROCOMPRESS_H

#include "../Support/NodeBuilder.h"

namespace gensyn::onnx_to_repro {

/// For each element of `mask`, a tensor<n x i1>, the number of true elements up
/// to and including it, as i64. n is at least 1.
mlir::Value countTrue(NodeBuilder &b, mlir::Value mask);

/// Faults unless the last of `counts` is `count`.
void checkCount(NodeBuilder &b, mlir::Value counts, int64_t count);

/// The positions of true elements of `mask`, a tensor<n x i1>, in ascending
/// order: tensor<count x i64>. Faults if the number of true elements is not
/// `count`.
mlir::Value truePositions(NodeBuilder &b, mlir::Value mask, int64_t count);

/// A tensor of `count` elements whose element `groups[i]` is `updates[i]`.
/// Groups out of range are ignored.
mlir::Value placeAt(NodeBuilder &b, mlir::Value groups, mlir::Value updates,
                    int64_t count);

} // namespace gensyn::onnx_to_repro

#endif
