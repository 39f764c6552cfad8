// Ops that must not reach a target: a predicate for each rule.

#ifndef GENSYN_LIB_CODEGEN_EMIT_TARGETRULES_H
#define GENSYN_LIB_CODEGEN_EMIT_TARGETRULES_H

#include "mlir/IR/Operation.h"
#include "mlir/IR/SymbolTable.h"

namespace gensyn::emit {

struct TargetRule {
  llvm::StringLiteral name;
  /// The message for an op that violates it, after the op's name.
  llvm::StringLiteral meaning;
  bool (*isBroken)(mlir::Operation *op, mlir::SymbolTableCollection &symbols);
};

/// Returns the rules, each with a test of its name in test/Codegen/Emit.
llvm::ArrayRef<TargetRule> getTargetRules();

/// Returns the first rule that the op violates, or null.
const TargetRule *findBrokenRule(mlir::Operation *op,
                                 mlir::SymbolTableCollection &symbols);

} // namespace gensyn::emit

#endif
