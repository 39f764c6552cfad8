// The loops over a row of a ContractedRows kernel, and the values of the row
// that are kept in memory between them.

#ifndef GENSYN_LIB_CODEGEN_CPU_CONTRACTEDROWS_ROWSTEPS_H
#define GENSYN_LIB_CODEGEN_CPU_CONTRACTEDROWS_ROWSTEPS_H

#include "gensyn/Dialect/Repro/Analysis/KernelForm.h"

namespace gensyn::cpu {

/// A loop over the columns of a row: a reduction, or (null) the computation of
/// `root`, which is kept.
struct RowStep {
  repro::ReduceOp reduce;
  mlir::Value root;
};

/// Kept are results of contractions, operands of others, and expensive values
/// that several loops need. A slot holds one value of a tile's rows at a time:
/// a loop may write a value over one that no later loop reads, since it writes
/// a vector after all reads at these columns.
class RowSteps {
public:
  explicit RowSteps(const repro::KernelForm &form);

  llvm::ArrayRef<RowStep> getSteps() const { return steps; }
  unsigned getNumSlots() const { return numSlots; }
  /// The slot of a kept value; std::nullopt for others.
  std::optional<unsigned> getSlot(mlir::Value value) const {
    auto found = slots.find(value);
    return found == slots.end() ? std::nullopt
                                : std::optional(found->second.slot);
  }
  /// The number of the loop that writes a kept value; -1 for a contraction.
  int64_t getWriter(mlir::Value value) const {
    return slots.lookup(value).writer;
  }

private:
  struct Kept {
    int64_t writer = -1, lastReader = -1;
    unsigned slot = 0;
  };
  void listSteps(const repro::KernelForm &form);
  void findKept(const repro::KernelForm &form);
  void visit(mlir::Value value, int64_t step, const repro::KernelForm &form,
             llvm::DenseSet<mlir::Value> &seen);
  void assignSlots();

  llvm::SmallVector<RowStep> steps;
  llvm::DenseMap<mlir::Value, Kept> slots;
  /// Kept values in the order in which they are written.
  llvm::SmallVector<mlir::Value> inOrder;
  llvm::DenseMap<mlir::Value, int64_t> firstVisits;
  unsigned numSlots = 0;
};

} // namespace gensyn::cpu

#endif
