// Matches names by patterns of `*` (any characters) and `?` (any character).

#ifndef GENSYN_LIB_DIALECT_TRAIN_TRANSFORMS_PATTERNS_H
#define GENSYN_LIB_DIALECT_TRAIN_TRANSFORMS_PATTERNS_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"

#include <string>
#include <vector>

namespace gensyn::train {

/// True if one of the patterns matches `name`. Brackets and braces are literal,
/// since names may contain them.
bool matchesAny(llvm::ArrayRef<std::string> patterns, llvm::StringRef name);

/// Fails, after an error that begins with `where`, on the first pattern that
/// matches none of the names. The error lists some of them; `noun` describes
/// one of them.
llvm::LogicalResult checkPatterns(mlir::Location location,
                                  const llvm::Twine &where,
                                  llvm::ArrayRef<std::string> patterns,
                                  llvm::ArrayRef<std::string> names,
                                  llvm::StringRef noun);

/// Appends the names of initializers that are constants rather than arguments
/// of the program: they are not trained, but a recipe may name them.
void appendConstantNames(mlir::ModuleOp module,
                         std::vector<std::string> &names);

} // namespace gensyn::train

#endif
