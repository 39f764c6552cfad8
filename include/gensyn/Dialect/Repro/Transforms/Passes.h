// Passes on repro, and the digest of a frozen program.

#ifndef GENSYN_DIALECT_REPRO_TRANSFORMS_PASSES_H
#define GENSYN_DIALECT_REPRO_TRANSFORMS_PASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace gensyn::repro {

#define GEN_PASS_DECL
#include "gensyn/Dialect/Repro/Transforms/Passes.h.inc"
#define GEN_PASS_REGISTRATION
#include "gensyn/Dialect/Repro/Transforms/Passes.h.inc"

/// Module attributes that the freeze sets.
inline constexpr llvm::StringLiteral kNumericsAttr = "repro.numerics";
inline constexpr llvm::StringLiteral kDigestAttr = "repro.digest";

/// The digest of a module's functions, 64 hexadecimal digits; fails, after an
/// error, on an attribute that has no canonical encoding.
llvm::FailureOr<std::string> computeDigest(mlir::ModuleOp module);

/// Fails, after an error on the op, unless the module is frozen.
llvm::LogicalResult verifyFrozen(mlir::ModuleOp module);

} // namespace gensyn::repro

#endif
