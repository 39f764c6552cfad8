// Passes that break the promise of their kind, each in one way that real
// compilers have: what --check-bits must find.

#ifndef GENSYN_TEST_LIB_WRONGPASSES_WRONGPASSES_H
#define GENSYN_TEST_LIB_WRONGPASSES_WRONGPASSES_H

#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/ArrayRef.h"

namespace gensyn::wrong {

/// One wrong rewrite. `rewrite` replaces or changes the op where it matches.
struct WrongPass {
  llvm::StringRef flag, description;
  bool (*rewrite)(mlir::Operation *, mlir::IRRewriter &);
};

llvm::ArrayRef<WrongPass> getElementwisePasses();
llvm::ArrayRef<WrongPass> getTensorPasses();
llvm::ArrayRef<WrongPass> getLoweredPasses();

/// Registers the one that is no rewrite.
void registerWrongConversion();

/// Registers all of them.
void registerWrongPasses();

} // namespace gensyn::wrong

#endif
