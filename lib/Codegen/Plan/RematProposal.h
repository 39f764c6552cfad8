// One kernel to run again, and what has to run again for it.

#ifndef GENSYN_LIB_CODEGEN_PLAN_REMATPROPOSAL_H
#define GENSYN_LIB_CODEGEN_PLAN_REMATPROPOSAL_H

#include "PlanBuilder.h"
#include "RematEdits.h"

namespace gensyn::codegen {

/// Floating-point operations of one run of a kernel.
int64_t countKernelFlops(repro::KernelOp kernel);

/// Everything that has to be computed for some results of one kernel to be
/// there again at a place behind the largest live set.
class RematProposal {
public:
  /// `point` is what runs in the block where the live set is largest; `again`
  /// has the clones of a value, by the value that they are clones of.
  using Again = llvm::DenseMap<mlir::Value, llvm::SmallVector<mlir::Value>>;
  RematProposal(repro::KernelOp root, mlir::Operation *point,
                const Timeline &timeline, const Again &again,
                const llvm::DenseMap<mlir::Value, mlir::Value> &originOf)
      : root(root), point(point), timeline(timeline), again(again),
        originOf(originOf) {}

  /// False where no result of the kernel that `choose` accepts is kept at the
  /// point for later readers only.
  bool find(llvm::function_ref<bool(mlir::OpResult)> choose);

  int64_t getSaved() const { return saved; }
  /// Operations a byte that is saved.
  double getScore() const { return double(cost) / double(saved); }

  /// Does it; new clones are added to `again` and `originOf`.
  void apply(RematEdits &edits, Again &again,
             llvm::DenseMap<mlir::Value, mlir::Value> &originOf);

private:
  bool isKeptForLater(mlir::Value value);
  bool isThereLate(mlir::Value storage) const;
  bool require(mlir::Value value, bool isMust);
  bool requireDead(mlir::Value storage);
  void findCost();

  repro::KernelOp root;
  mlir::Operation *point;
  const Timeline &timeline;
  const Again &again;
  const llvm::DenseMap<mlir::Value, mlir::Value> &originOf;
  mlir::Operation *place = nullptr;
  /// Kernels to clone, and which of their results; producers first.
  llvm::MapVector<repro::KernelOp, llvm::SmallSetVector<unsigned, 4>> items;
  /// The value that a clone reads in place of a value; perhaps a clone too.
  llvm::DenseMap<mlir::Value, mlir::Value> stands;
  int64_t rootBytes = 0, saved = 0, cost = 0;
};

} // namespace gensyn::codegen

#endif
