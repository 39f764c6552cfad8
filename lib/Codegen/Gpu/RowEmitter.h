// Elements of a Rows kernel at the points that a thread holds.

#ifndef GENSYN_LIB_CODEGEN_GPU_ROWEMITTER_H
#define GENSYN_LIB_CODEGEN_GPU_ROWEMITTER_H

#include "PointerEmitter.h"
#include "gensyn/Dialect/Repro/IR/KernelForm.h"
#include "gensyn/Dialect/Repro/IR/Repro.h"

namespace gensyn::gpu {

/// Neighbouring columns of a row, as many as one memory access has: those from
/// base + offset on.
struct PointGroup {
  mlir::Value base; ///< index, a multiple of the access
  int64_t offset = 0;
  /// Whether the points are in the row; null where they always are. Where they
  /// are not, `base` was moved in: elements are some elements.
  mlir::Value inside;
  llvm::SmallVector<mlir::Value> columns; ///< index, one for each point
};

/// Elements are scalars. A placed value (KernelForm) is asked at the current
/// point, whatever indices it is asked with; others as PointerEmitter has them.
/// What is Full or Column is loaded for a whole group at once.
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

  mlir::Value element(mlir::Value tensor,
                      llvm::ArrayRef<mlir::Value> indices) override;

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
  mlir::Value loadGroup(mlir::Value tensor, mlir::Value pointer,
                        repro::Placement placement);
  mlir::Value draw(repro::RandomBitsOp op, repro::Placement placement);
  mlir::Value groupAddress(mlir::Value pointer, mlir::Type stored,
                           repro::Placement placement, const PointGroup &at);

  const repro::KernelForm &form;
  mlir::Value row, rowBegin; ///< index; rowBegin is row * columns
  const PointGroup *group = nullptr;
  unsigned number = 0; ///< of the current point in the group
};

} // namespace gensyn::gpu

#endif
