// Names by patterns of `*` (any run) and `?` (any character).

#ifndef GENSYN_LIB_DIALECT_TRAIN_TRANSFORMS_PATTERNS_H
#define GENSYN_LIB_DIALECT_TRAIN_TRANSFORMS_PATTERNS_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"

#include <string>
#include <vector>

namespace gensyn::train {

/// True if one of the patterns is `name`'s. Names may hold brackets and braces,
/// so these mean themselves.
bool matchesAny(llvm::ArrayRef<std::string> patterns, llvm::StringRef name);

/// Fails, after an error that begins with `where`, on the first pattern that
/// fits none of the names. The error lists some of them; `noun` is what one of
/// them is called.
llvm::LogicalResult checkPatterns(mlir::Location location,
                                  const llvm::Twine &where,
                                  llvm::ArrayRef<std::string> patterns,
                                  llvm::ArrayRef<std::string> names,
                                  llvm::StringRef noun);

/// Appends the names of initializers that are no arguments of the program but
/// constants in it: nothing trains them, and a recipe may still name them.
void appendConstantNames(mlir::ModuleOp module,
                         std::vector<std::string> &names);

} // namespace gensyn::train

#endif
