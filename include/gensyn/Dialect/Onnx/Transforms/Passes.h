// Passes of the onnx dialect.
#ifndef GENSYN_DIALECT_ONNX_TRANSFORMS_PASSES_H
#define GENSYN_DIALECT_ONNX_TRANSFORMS_PASSES_H

#include "gensyn/Dialect/Onnx/IR/Onnx.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace gensyn::onnx {
#define GEN_PASS_DECL
#include "gensyn/Dialect/Onnx/Transforms/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "gensyn/Dialect/Onnx/Transforms/Passes.h.inc"
} // namespace gensyn::onnx

#endif
