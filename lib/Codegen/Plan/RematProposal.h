// A kernel to recompute, and the kernels that must be recomputed for it.

#ifndef GENSYN_LIB_CODEGEN_PLAN_REMATPROPOSAL_H
#define GENSYN_LIB_CODEGEN_PLAN_REMATPROPOSAL_H

#include "PlanBuilder.h"
#include "RematEdits.h"

namespace gensyn::codegen {

/// The kernels to recompute so that some results of one kernel are available
/// again at a place after the largest live set.
class RematProposal {
public:
  /// `point` is the op in the block at which the live set is largest; `again`
  /// maps a value to its clones.
  using Again = llvm::DenseMap<mlir::Value, llvm::SmallVector<mlir::Value>>;
  RematProposal(repro::KernelOp root, mlir::Operation *point,
                const Timeline &timeline, const Again &again,
                const llvm::DenseMap<mlir::Value, mlir::Value> &originOf)
      : root(root), point(point), timeline(timeline), again(again),
        originOf(originOf) {}

  /// Returns false if no result of the kernel that `choose` accepts is live at
  /// the point for later readers only.
  bool find(llvm::function_ref<bool(mlir::OpResult)> choose);

  /// The same, and false unless that takes little time and no memory: one
  /// kernel of elementwise ops, which costs a small share of what its late
  /// readers cost, is recomputed where its operands are in memory anyway.
  bool findCheap(llvm::function_ref<bool(mlir::OpResult)> choose);

  int64_t getSaved() const { return saved; }
  /// Returns the operations per byte saved.
  double getScore() const { return double(cost) / double(saved); }

  /// Applies the proposal; new clones are added to `again` and `originOf`.
  void apply(RematEdits &edits, Again &again,
             llvm::DenseMap<mlir::Value, mlir::Value> &originOf);

private:
  bool isKeptForLater(mlir::Value value);
  bool isThereLate(mlir::Value storage) const;
  bool moveToOperands();
  bool require(mlir::Value value, bool isMust);
  bool requireDead(mlir::Value storage);
  void findCost();

  repro::KernelOp root;
  mlir::Operation *point;
  const Timeline &timeline;
  const Again &again;
  const llvm::DenseMap<mlir::Value, mlir::Value> &originOf;
  mlir::Operation *place = nullptr;
  /// Kernels to clone, with the required results; producers first.
  llvm::MapVector<repro::KernelOp, llvm::SmallSetVector<unsigned, 4>> items;
  /// The replacement for each operand of the clones, possibly a clone too.
  llvm::DenseMap<mlir::Value, mlir::Value> stands;
  int64_t rootBytes = 0, saved = 0, cost = 0;
};

} // namespace gensyn::codegen

#endif
