// Wrong changes of a finished mapping, each of one that a mapping pass could
// make.

#ifndef GENSYN_TEST_LIB_WRONGPASSES_MAPPING_H
#define GENSYN_TEST_LIB_WRONGPASSES_MAPPING_H

#include "gensyn/Dialect/Task/IR/Task.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/STLExtras.h"

namespace gensyn::wrong {

struct WrongMapping {
  llvm::StringRef flag, description;
  void (*change)(mlir::ModuleOp);
};

/// When tasks run: waits, signals and their order.
llvm::ArrayRef<WrongMapping> getWrongTimes();
/// Where values lie and how they travel: addresses and paths.
llvm::ArrayRef<WrongMapping> getWrongPlaces();
/// What tasks copy and compute.
llvm::ArrayRef<WrongMapping> getWrongValues();

/// The ops of this kind in a core, in their order.
template <class Op> llvm::SmallVector<Op> listOf(task::CoreOp core) {
  return llvm::to_vector(core.getBody().getOps<Op>());
}

/// Calls `change` for each core of each segment.
inline void forEachCore(mlir::ModuleOp module,
                        llvm::function_ref<void(task::CoreOp)> change) {
  module.walk([&](task::CoreOp core) { change(core); });
}

} // namespace gensyn::wrong

#endif
