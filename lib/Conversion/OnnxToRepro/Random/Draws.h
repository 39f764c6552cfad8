// Random tensors for the conversion of a node; docs/Numerics.md, random_r2 to
// random_r4. Each call gives different random numbers, except that nodes with
// equal seeds get equal bits.

#ifndef GENSYN_LIB_CONVERSION_ONNXTOREPRO_DRAWS_H
#define GENSYN_LIB_CONVERSION_ONNXTOREPRO_DRAWS_H

#include "../Support/NodeBuilder.h"

namespace gensyn::onnx_to_repro {

/// Random words. The first call adds the key and the step to the program's
/// arguments, with the roles of those names. Null after `refuse`.
mlir::Value drawBits(NodeBuilder &b, llvm::ArrayRef<int64_t> shape);

/// f32 in [0, 1), from one word per element.
mlir::Value drawUniform(NodeBuilder &b, llvm::ArrayRef<int64_t> shape);

/// Standard normal f32, from two words per element.
mlir::Value drawNormal(NodeBuilder &b, llvm::ArrayRef<int64_t> shape);

/// i1, true with probability 1 - p: where the word is not below p 2^32.
mlir::Value drawUnless(NodeBuilder &b, llvm::ArrayRef<int64_t> shape, double p);

/// i1, each true with the probability in its element of the float tensor `p`.
mlir::Value drawWith(NodeBuilder &b, mlir::Value p);

} // namespace gensyn::onnx_to_repro

#endif
