// Changes to a block of kernels that can be taken back.

#ifndef GENSYN_LIB_CODEGEN_PLAN_REMATEDITS_H
#define GENSYN_LIB_CODEGEN_PLAN_REMATEDITS_H

#include "gensyn/Dialect/Repro/IR/Repro.h"

#include <functional>
#include <vector>

namespace gensyn::codegen {

/// Calls for every op but a reshape that reads the memory of `storage`.
void forEachReader(mlir::Value storage,
                   llvm::function_ref<void(mlir::Operation *)> callback);

/// A log of changes. Without `commit` the destructor takes them back, the last
/// one first.
class RematEdits {
public:
  RematEdits() = default;
  ~RematEdits();
  RematEdits(const RematEdits &) = delete;
  RematEdits &operator=(const RematEdits &) = delete;

  /// Keeps the changes, and calls `dropped` for each op before it is freed.
  void commit(llvm::function_ref<void(mlir::Operation *)> dropped);
  /// Takes the changes back, calling `dropped` in the same way.
  void rollback(llvm::function_ref<void(mlir::Operation *)> dropped);

  /// The kernel again, before `place`, with the results `numbers` (ascending)
  /// alone; `rename` gives the value to read in place of one that the kernel
  /// reads, of the same bytes.
  repro::KernelOp clone(repro::KernelOp kernel,
                        llvm::ArrayRef<unsigned> numbers,
                        mlir::Operation *place,
                        llvm::function_ref<mlir::Value(mlir::Value)> rename);

  /// Whatever reads the memory of `storage` at `place` or behind it reads that
  /// of `other`, which stands before `place`.
  void replaceFrom(mlir::Value storage, mlir::Value other,
                   mlir::Operation *place);

  /// Takes the kernel out of its block if nothing reads it and it cannot
  /// fault, and so on for what it reads.
  void removeDead(repro::KernelOp kernel);

  /// Something else to do where the changes are taken back.
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
