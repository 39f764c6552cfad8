// Operands of a reduction, on vectors: values that can be computed the same way
// for all lanes, and the emitter of their elements.

#ifndef GENSYN_LIB_CODEGEN_CPU_ROWREDUCELANES_H
#define GENSYN_LIB_CODEGEN_CPU_ROWREDUCELANES_H

#include "gensyn/Codegen/Kernel/KernelEmitter.h"
#include "gensyn/Dialect/Repro/IR/Repro.h"

namespace gensyn::cpu {

/// How many trailing dimensions of `value`, computed in a kernel, can be walked
/// as one: in every tensor that is read they are the trailing ones too, or not
/// there at all. 0 where lanes along the last dimension would not all do the
/// same: there the elements have to be computed one by one.
unsigned collapsibleDims(mlir::Value value);

/// Emits `lanes` elements at a time: those whose last index is the lane number
/// more than `first`, a value that stands in the index. Every index that an
/// element is read at must be linear in it; collapsibleDims says so beforehand.
/// Lanes from `active` on are not read; what they hold has no meaning.
/// `isWhole` is a promise (LaneWalk's): where an index that grows by one from
/// lane to lane is divided or compared, all lanes have one quotient and one
/// answer, and remainders of neighbours.
class LaneEmitter : public codegen::KernelEmitter {
public:
  LaneEmitter(mlir::OpBuilder &builder, mlir::Location location, int64_t lanes,
              mlir::Value first, int64_t active, bool isWhole = false)
      : KernelEmitter(builder, location), lanes(lanes), active(active),
        isWhole(isWhole), first(first) {}

  mlir::Value splat(mlir::Value scalar) override;
  /// Writes the elements at `indices`, contiguous in `buffer`.
  void storeLanes(mlir::Value value, mlir::Value buffer,
                  llvm::ArrayRef<mlir::Value> indices);

  /// True if `first` was used within `block` for addresses only. Anything else
  /// would be right for the first lane and wrong for the others.
  bool usedForAddressesOnly(mlir::Block &block);

protected:
  mlir::Value load(mlir::Value tensor, mlir::Value buffer,
                   llvm::ArrayRef<mlir::Value> indices) override;

private:
  /// By how much an index grows from lane to lane; nothing if not linear.
  std::optional<int64_t> step(mlir::Value index);

  int64_t lanes, active;
  bool isWhole;
  mlir::Value first;
  llvm::DenseMap<mlir::Value, std::optional<int64_t>> steps;
  llvm::DenseSet<mlir::Operation *> accesses;
};

} // namespace gensyn::cpu

#endif
