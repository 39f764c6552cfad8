// Edits of a block of kernels that can be rolled back.

#ifndef GENSYN_LIB_CODEGEN_PLAN_REMATEDITS_H
#define GENSYN_LIB_CODEGEN_PLAN_REMATEDITS_H

#include "gensyn/Dialect/Repro/IR/Repro.h"

#include <functional>
#include <vector>

namespace gensyn::codegen {

/// Calls the function for every op except reshapes that reads the memory of
/// `storage`.
void forEachReader(mlir::Value storage,
                   llvm::function_ref<void(mlir::Operation *)> callback);

/// A log of edits. Without `commit` the destructor rolls them back in reverse
/// order.
class RematEdits {
public:
  RematEdits() = default;
  ~RematEdits();
  RematEdits(const RematEdits &) = delete;
  RematEdits &operator=(const RematEdits &) = delete;

  bool isEmpty() const { return created.empty() && removed.empty(); }

  /// Keeps the edits, and calls `dropped` for each op before it is deleted.
  void commit(llvm::function_ref<void(mlir::Operation *)> dropped);
  /// Rolls the edits back, calling `dropped` in the same way.
  void rollback(llvm::function_ref<void(mlir::Operation *)> dropped);

  /// Clones the kernel before `place` with only the results `numbers`
  /// (ascending). `rename` returns the value that replaces one of its operands
  /// and has the same bytes.
  repro::KernelOp clone(repro::KernelOp kernel,
                        llvm::ArrayRef<unsigned> numbers,
                        mlir::Operation *place,
                        llvm::function_ref<mlir::Value(mlir::Value)> rename);

  /// Redirects the uses of the memory of `storage` at `place` or after it to
  /// `other`, which is defined before `place`.
  void replaceFrom(mlir::Value storage, mlir::Value other,
                   mlir::Operation *place);

  /// Removes the kernel from its block if it has no uses and cannot fault, and
  /// then its operands likewise.
  void removeDead(repro::KernelOp kernel);

  /// Adds an action for rollback.
  void onRollback(std::function<void()> action) {
    undo.push_back(std::move(action));
  }

private:
  void remove(mlir::Operation *op);

  std::vector<std::function<void()>> undo;
  llvm::SmallVector<mlir::Operation *> created, removed;
};

} // namespace gensyn::codegen

#endif
