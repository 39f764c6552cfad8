// Writes and reads the text of a frozen program in a package.

#ifndef GENSYN_LIB_PIPELINES_FROZENMODULE_H
#define GENSYN_LIB_PIPELINES_FROZENMODULE_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <string>

namespace gensyn {

/// The text of a program for a package. All constants are written inline,
/// including resources.
std::string printFrozenModule(mlir::ModuleOp module);

/// Reads untrusted text: a module with one function, "main", of ops that have a
/// reference meaning. MLIR's parser is recursive, so nesting is limited. Null
/// after an error.
mlir::OwningOpRef<mlir::ModuleOp> readFrozenModule(llvm::StringRef text,
                                                   mlir::MLIRContext *context);

} // namespace gensyn

#endif
