// Elements of a Rows kernel at the points that a thread holds.

#ifndef GENSYN_LIB_CODEGEN_GPU_ROWEMITTER_H
#define GENSYN_LIB_CODEGEN_GPU_ROWEMITTER_H

#include "../Common/PointerEmitter.h"
#include "RowLayout.h"

namespace gensyn::gpu {

/// Neighbouring columns of a row, as many as one memory access has: those from
/// base + offset on.
struct PointGroup {
  mlir::Value base; ///< index, a multiple of the access
  int64_t offset = 0;
  /// True if the points are in the row; null where they always are. Where they
  /// are not, `base` was moved in: elements are some elements.
  mlir::Value inside;
  llvm::SmallVector<mlir::Value> columns; ///< index, one for each point
  /// The same as base and offset, but never moved: what tells the thread's own
  /// place in shared memory.
  mlir::Value ownBase;
  int64_t ownOffset = 0;
};

/// The shared memory of a row.
struct StageMemory {
  mlir::Value
      pointer;     ///< of address space 3: where the stage of a block begins
  mlir::Value row; ///< index: the number of the row in the block
};

/// Elements are scalars. A placed value (KernelForm) is asked at the current
/// point, whatever indices it is asked with; others as PointerEmitter has them.
/// Full and Column values are loaded for a whole group at once.
class RowEmitter : public PointerEmitter {
public:
  RowEmitter(mlir::OpBuilder &builder, repro::KernelOp kernel,
             const KernelFunction &function, const Target &target,
             const repro::KernelForm &form, mlir::Value row);

  /// The element of a value that is asked for one number per row, or one in
  /// all.
  mlir::Value rowElement(mlir::Value tensor) {
    return elementOf(tensor, repro::Placement::Row);
  }
  /// The element of a value of the whole space at point `number` of a group,
  /// which has to outlive the emitter.
  mlir::Value elementAt(mlir::Value tensor, const PointGroup &at,
                        unsigned number);
  /// The element of a value that is asked for one number per column, at the
  /// first point of a group.
  mlir::Value columnElement(mlir::Value tensor, const PointGroup &at) {
    group = &at;
    number = 0;
    return elementOf(tensor, repro::Placement::Column);
  }
  /// From now on the Column value `tensor` is `value` at the first point of a
  /// group.
  void defineColumn(mlir::Value tensor, const PointGroup &at,
                    mlir::Value value) {
    define(tensor, {at.columns.front()}, value);
  }
  /// From now on the Row value `tensor` is `value`, here and in regions inside.
  void defineRow(mlir::Value tensor, mlir::Value value) {
    define(tensor, {row}, value);
  }
  /// Elements of a Full value at all points of a group, in one access.
  void storeGroup(llvm::ArrayRef<mlir::Value> values, mlir::Value pointer,
                  const PointGroup &at);

  /// Sets the places of values in the layout's stage and the current walk.
  /// Without it, nothing is kept.
  void setStage(const RowLayout &stagedLayout, const StageMemory &memory) {
    layout = &stagedLayout;
    stage = memory;
  }
  void beginWalk(unsigned next) { walk = next; }
  unsigned getWalk() const { return walk; }
  /// Computes what this walk has to keep of a group, and keeps it; after all
  /// else that the walk reads of the group. False after an error.
  bool keepGroup(const PointGroup &at);

  mlir::Value element(mlir::Value tensor,
                      llvm::ArrayRef<mlir::Value> indices) override;
  mlir::Value markComputed(mlir::Value value) override;

protected:
  mlir::Value load(mlir::Value tensor, mlir::Value buffer,
                   llvm::ArrayRef<mlir::Value> indices) override;

private:
  /// The element at the current point, which a value that is Free too has at
  /// `placement`.
  mlir::Value elementOf(mlir::Value tensor, repro::Placement placement);
  bool isAtPoint(mlir::Value tensor, llvm::ArrayRef<mlir::Value> indices);
  llvm::SmallVector<mlir::Value> key(mlir::Value tensor,
                                     repro::Placement placement);
  llvm::SmallVector<mlir::Value> realIndices(mlir::Value tensor,
                                             repro::Placement placement);
  mlir::Value flatNumber(repro::Placement placement);
  /// Position of a group in memory: `offset` elements after the base, at
  /// `pointer`.
  struct GroupPlace {
    mlir::Value pointer, base; ///< base of type index
    int64_t offset;
  };
  GroupPlace placeOf(mlir::Value pointer, repro::Placement placement,
                     const PointGroup &at);
  GroupPlace placeOf(const StagedValue &kept, const PointGroup &at);
  mlir::Value address(const GroupPlace &place, mlir::Type stored,
                      int64_t ahead);
  mlir::Value loadGroup(mlir::Value tensor, const GroupPlace &place,
                        repro::Placement placement, bool isComputed);
  void storeValues(llvm::ArrayRef<mlir::Value> values, const GroupPlace &place);
  mlir::Value draw(repro::RandomBitsOp op, repro::Placement placement);
  /// The values of the tensor that an earlier walk keeps, else null.
  const StagedValue *findKept(mlir::Value tensor) const;

  const repro::KernelForm &form;
  const RowLayout *layout = nullptr; ///< where something is staged
  mlir::Value row, rowBegin;         ///< index; rowBegin is row * columns
  const PointGroup *group = nullptr;
  unsigned number = 0; ///< of the current point in the group
  StageMemory stage;
  unsigned walk = 0;
  /// Results of arithmetic, and tensors whose kept elements are such.
  llvm::DenseSet<mlir::Value> computed;
};

} // namespace gensyn::gpu

#endif
