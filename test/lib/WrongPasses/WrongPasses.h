// Passes that change bits, each in one way that real compilers do: --check-bits
// must find them.

#ifndef GENSYN_TEST_LIB_WRONGPASSES_WRONGPASSES_H
#define GENSYN_TEST_LIB_WRONGPASSES_WRONGPASSES_H

#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/ArrayRef.h"

namespace gensyn::wrong {

/// One wrong rewrite. `rewrite` replaces or changes a matching op.
struct WrongPass {
  llvm::StringRef flag, description;
  bool (*rewrite)(mlir::Operation *, mlir::IRRewriter &);
};

llvm::ArrayRef<WrongPass> getElementwisePasses();
llvm::ArrayRef<WrongPass> getTensorPasses();
llvm::ArrayRef<WrongPass> getLoweredPasses();

/// Registers the one that is not a rewrite.
void registerWrongConversion();

/// Registers all of them.
void registerWrongPasses();

} // namespace gensyn::wrong

#endif
