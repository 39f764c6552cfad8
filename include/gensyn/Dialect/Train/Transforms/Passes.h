// Passes of the train dialect.

#ifndef GENSYN_DIALECT_TRAIN_TRANSFORMS_PASSES_H
#define GENSYN_DIALECT_TRAIN_TRANSFORMS_PASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace gensyn::train {
#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "gensyn/Dialect/Train/Transforms/Passes.h.inc"
} // namespace gensyn::train

#endif
