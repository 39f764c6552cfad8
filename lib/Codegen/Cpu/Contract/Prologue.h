// A prologue of a contraction on a CPU: computes elements of an operand from
// narrower tensors where they are read or packed.

#ifndef GENSYN_LIB_CODEGEN_CPU_CONTRACT_PROLOGUE_H
#define GENSYN_LIB_CODEGEN_CPU_CONTRACT_PROLOGUE_H

#include "../Common/StoredTensor.h"
#include "EpilogueReads.h"

namespace gensyn::cpu {

/// The tensors that an operand is computed from, for one view.
struct ProloguePlan {
  mlir::Value operand;
  bool isA = false; ///< the operand is A, else B
  /// The number of the argument that is read element by element, where the
  /// operand itself would be.
  unsigned main = 0;
  /// The others, such as scales and zero points.
  struct Side {
    unsigned argument;
    PrologueStrides strides;
  };
  llvm::SmallVector<Side, 2> sides;
  /// Points between whose multiples all sides are at fixed steps; 0: all.
  int64_t part = 0;
};

/// Returns the plan for A or B; std::nullopt if elements cannot be computed in
/// vectors of `lanes` rows of A, or columns of B.
std::optional<ProloguePlan> planPrologue(repro::KernelOp kernel,
                                         mlir::Value operand,
                                         const codegen::GemmView &view,
                                         codegen::GemmTensor tensor);

/// Emits elements of the operand. Addresses of sides are those at a batch, and
/// move with rows or columns and with points.
class Prologue {
public:
  using Values = CpuBuilder::Values;

  Prologue(CpuBuilder &code, const ProloguePlan &plan, bool hasHalf)
      : code(code), plan(plan), hasHalf(hasHalf) {}

  size_t numSides() const { return plan.sides.size(); }
  int64_t part() const { return plan.part; }
  /// The number of the kernel's argument that is a side.
  unsigned argumentOf(size_t side) const { return plan.sides[side].argument; }

  /// Adds the steps of some axes' values to a side's address.
  mlir::Value move(size_t side, mlir::Value address, mlir::Value offset) const;
  mlir::Value startOf(size_t side) const {
    return code.constant(plan.sides[side].strides.offset);
  }
  mlir::Value offsetOfBatch(size_t side,
                            llvm::ArrayRef<mlir::Value> batch) const;
  /// For B: `position` in the run.
  mlir::Value offsetOfColumn(size_t side, llvm::ArrayRef<mlir::Value> outer,
                             mlir::Value position) const;
  /// For A: of a row's linear number.
  mlir::Value offsetOfRow(size_t side, mlir::Value row) const;
  mlir::Value offsetOfPoint(size_t side, mlir::Value point) const;
  /// The step of a point within a part.
  int64_t stepOfPoint(size_t side) const;

  /// Loads a side's elements in the lanes of a vector of rows or columns.
  mlir::Value load(size_t side, mlir::Value address, mlir::Value mask) const;
  mlir::Value loadScalar(size_t side, mlir::Value address) const;
  /// Computes elements from those of the main tensor and of the sides: vectors,
  /// or scalars.
  mlir::Value compute(mlir::Value main,
                      llvm::ArrayRef<mlir::Value> sides) const;

private:
  mlir::Value tensorOf(size_t side) const;
  mlir::Value sum(llvm::ArrayRef<codegen::GemmAxis> axes,
                  llvm::ArrayRef<mlir::Value> at) const;
  /// The sum for the axes' linear index.
  mlir::Value sumAt(llvm::ArrayRef<codegen::GemmAxis> axes,
                    mlir::Value flat) const;
  /// The step between lanes.
  int64_t stepOfLane(size_t side) const;

  CpuBuilder &code;
  const ProloguePlan &plan;
  bool hasHalf;
};

} // namespace gensyn::cpu

#endif
