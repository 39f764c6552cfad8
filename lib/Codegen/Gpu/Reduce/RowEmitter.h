// The element emitter of Rows kernels, for the points of a thread.

#ifndef GENSYN_LIB_CODEGEN_GPU_ROWEMITTER_H
#define GENSYN_LIB_CODEGEN_GPU_ROWEMITTER_H

#include "../Common/PointerEmitter.h"
#include "RowLayout.h"

namespace gensyn::gpu {

/// Adjacent columns of a row, starting at base + offset: those of one memory
/// access.
struct PointGroup {
  mlir::Value base; ///< of type index, a multiple of the access
  int64_t offset = 0;
  /// The predicate that the points are in the row; null if they always are.
  /// Otherwise `base` was moved into the row, so that accesses are valid.
  mlir::Value inside;
  llvm::SmallVector<mlir::Value> columns; ///< of type index, one per point
  /// The same as base and offset, but never moved; they determine the thread's
  /// own position in shared memory.
  mlir::Value ownBase;
  int64_t ownOffset = 0;
};

/// The shared memory of a row.
struct StageMemory {
  mlir::Value pointer; ///< start of the block's stage, of address space 3
  mlir::Value row;     ///< of type index: the row in the block
};

/// Elements are scalars. A placed value (KernelForm) is read at the current
/// point and ignores indices; other values are read as in PointerEmitter. Full
/// and Column values are loaded for a whole group at once.
class RowEmitter : public PointerEmitter {
public:
  RowEmitter(mlir::OpBuilder &builder, repro::KernelOp kernel,
             const KernelFunction &function, const Target &target,
             const repro::KernelForm &form, mlir::Value row);

  /// Returns the element of a value with one element per row, or one in all.
  mlir::Value rowElement(mlir::Value tensor) {
    return elementOf(tensor, repro::Placement::Row);
  }
  /// Returns the element of a Full value at point `number` of a group, which
  /// must outlive the emitter.
  mlir::Value elementAt(mlir::Value tensor, const PointGroup &at,
                        unsigned number);
  /// Returns the element of a value with one element per column, at the first
  /// point of a group.
  mlir::Value columnElement(mlir::Value tensor, const PointGroup &at) {
    group = &at;
    number = 0;
    return elementOf(tensor, repro::Placement::Column);
  }
  /// Defines the element of the Column value `tensor` at the first point of a
  /// group.
  void defineColumn(mlir::Value tensor, const PointGroup &at,
                    mlir::Value value) {
    define(tensor, {at.columns.front()}, value);
  }
  /// Defines the element of the Row value `tensor`, here and in nested regions.
  void defineRow(mlir::Value tensor, mlir::Value value) {
    define(tensor, {row}, value);
  }
  /// Stores the elements of a Full value at all points of a group, in one
  /// access.
  void storeGroup(llvm::ArrayRef<mlir::Value> values, mlir::Value pointer,
                  const PointGroup &at);

  /// Sets the layout, whose stage is in `memory`. Without it, nothing is kept.
  void setStage(const RowLayout &stagedLayout, const StageMemory &memory) {
    layout = &stagedLayout;
    stage = memory;
  }
  void beginWalk(unsigned next) { walk = next; }
  unsigned getWalk() const { return walk; }
  /// Computes the elements of a group that this walk keeps, and stores them;
  /// called after all other reads of the group. Returns false after an error.
  bool keepGroup(const PointGroup &at);

  mlir::Value element(mlir::Value tensor,
                      llvm::ArrayRef<mlir::Value> indices) override;
  mlir::Value markComputed(mlir::Value value) override;

protected:
  mlir::Value load(mlir::Value tensor, mlir::Value buffer,
                   llvm::ArrayRef<mlir::Value> indices) override;

private:
  /// Returns the element at the current point. A value of placement Free is
  /// read as one of `placement`.
  mlir::Value elementOf(mlir::Value tensor, repro::Placement placement);
  bool isAtPoint(mlir::Value tensor, llvm::ArrayRef<mlir::Value> indices);
  llvm::SmallVector<mlir::Value> key(mlir::Value tensor,
                                     repro::Placement placement);
  llvm::SmallVector<mlir::Value> realIndices(mlir::Value tensor,
                                             repro::Placement placement);
  mlir::Value flatNumber(repro::Placement placement);
  /// The position of a group in memory: base + offset, in elements from
  /// `pointer`.
  struct GroupPlace {
    mlir::Value pointer, base; ///< `base` is of type index
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
  /// Returns the staged value of the tensor if an earlier walk kept it, else
  /// null.
  const StagedValue *findKept(mlir::Value tensor) const;

  const repro::KernelForm &form;
  const RowLayout *layout = nullptr; ///< set if something is staged
  mlir::Value row, rowBegin; ///< of type index; rowBegin is row * columns
  const PointGroup *group = nullptr;
  unsigned number = 0; ///< index of the current point in the group
  StageMemory stage;
  unsigned walk = 0;
  /// Results of arithmetic, and tensors whose kept elements are results of
  /// arithmetic.
  llvm::DenseSet<mlir::Value> computed;
};

} // namespace gensyn::gpu

#endif
