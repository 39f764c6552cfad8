// Sliding windows, which Conv and the pooling operators share.

#ifndef GENSYN_LIB_CONVERSION_ONNXTOREPRO_WINDOWS_H
#define GENSYN_LIB_CONVERSION_ONNXTOREPRO_WINDOWS_H

#include "../Support/NodeBuilder.h"

namespace gensyn::onnx_to_repro {

/// The limit on strides, dilations, kernels and pads, so that index arithmetic
/// never overflows.
inline constexpr int64_t kMaxWindow = int64_t(1) << 20;

/// One spatial dimension: element `stride * o + dilation * k - padLow` of the
/// operand belongs to tap k of output o.
struct Window {
  int64_t extent = 1; // of the operand
  int64_t kernel = 1; // taps
  int64_t output = 1; // outputs, as inferred
  int64_t stride = 1;
  int64_t dilation = 1;
  int64_t padLow = 0;
  int64_t padHigh = 0;

  /// Operand index of tap `k` of output `o`; may lie outside.
  int64_t at(int64_t o, int64_t k) const {
    return stride * o + dilation * k - padLow;
  }
  /// True if some tap of some output lies outside the operand.
  bool leavesOperand() const {
    return padLow > 0 || at(output - 1, kernel - 1) >= extent;
  }
  mlir::AffineExpr index(mlir::AffineExpr o, mlir::AffineExpr k) const {
    return o * stride + k * dilation - padLow;
  }
};

/// Lists extents of iterators and numbers them.
struct Iterators {
  NodeBuilder &b;
  Extents extents, reduced;

  mlir::AffineExpr parallel(int64_t extent) {
    extents.push_back(extent);
    return b.iterator(extents.size() - 1);
  }
  mlir::AffineExpr reduce(int64_t extent) {
    reduced.push_back(extents.size());
    return parallel(extent);
  }
};

/// An attribute of `size` integers, all of them `missing` if the node or its
/// operator lacks the attribute. Refuses a list of another length.
Extents listOr(NodeBuilder &b, llvm::StringRef name, size_t size,
               int64_t missing);

/// Splits a dimension of `value` in two, the outer one of extent `outer`.
mlir::Value splitDim(NodeBuilder &b, mlir::Value value, int64_t dim,
                     int64_t outer);

/// Convolution without bias; x is [N, C, spatial...], w is
/// [F, C / groups, taps...], the result has the node's inferred shape. Null
/// after `refuse` where the shapes do not fit.
mlir::Value convolve(NodeBuilder &b, mlir::Value x, mlir::Value w);

/// The windows of a node over the trailing dimensions of `x`, from the
/// attributes strides, dilations, pads and auto_pad. The number of outputs is
/// taken from result 0, which already accounts for ceil_mode. Empty after
/// `refuse`.
llvm::SmallVector<Window> readWindows(NodeBuilder &b, mlir::Value x,
                                      llvm::ArrayRef<int64_t> kernel);

} // namespace gensyn::onnx_to_repro

#endif
