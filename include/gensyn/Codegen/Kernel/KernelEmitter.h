// Elements of the values inside a kernel, where its arguments are buffers.

#ifndef GENSYN_CODEGEN_KERNEL_KERNELEMITTER_H
#define GENSYN_CODEGEN_KERNEL_KERNELEMITTER_H

#include "gensyn/Dialect/Repro/Interfaces/ElementEmitter.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

#include <deque>
#include <unordered_map>

namespace gensyn::codegen {

/// Emits scalar elements: what is in a buffer is loaded, everything else is
/// computed by the models of its op. Every element is emitted once per region;
/// the emitter holds what the blocks around the insertion point have.
///
/// A schedule that works on vectors derives from it and overrides `load` (and
/// `element`, for the ops whose model is not the same for all lanes: iota).
class KernelEmitter : public repro::ElementEmitter {
public:
  KernelEmitter(mlir::OpBuilder &builder, mlir::Location location);

  /// Elements of `tensor` are read from `buffer`, a memref of its buffer type.
  void bind(mlir::Value tensor, mlir::Value buffer) {
    buffers[tensor] = buffer;
  }
  /// The element of `tensor` at `indices` is `value`, here and in regions
  /// inside.
  void define(mlir::Value tensor, llvm::ArrayRef<mlir::Value> indices,
              mlir::Value value);

  /// Faults of `op` are recorded in `slot`, a memref<1xi64> (g7).
  void bindFault(mlir::Operation *op, mlir::Value slot) { faults[op] = slot; }

  /// Writes `value`, an element of `tensor`'s type, with its NaN canonical.
  virtual void store(mlir::Value value, mlir::Value buffer,
                     llvm::ArrayRef<mlir::Value> indices);

  mlir::Value element(mlir::Value tensor,
                      llvm::ArrayRef<mlir::Value> indices) override;
  mlir::Value apply(mlir::AffineExpr expr,
                    llvm::ArrayRef<mlir::Value> dims) override;
  void inNestedRegion(llvm::function_ref<void()> emit) override;
  mlir::Value markComputed(mlir::Value value) override;
  mlir::Value canonical(mlir::Value value) override;
  mlir::Value splat(mlir::Value scalar) override { return scalar; }
  void fault(mlir::Operation *op, mlir::Value condition,
             mlir::Value position) override;
  mlir::Value readBuffer(mlir::Type element, mlir::Value buffer,
                         llvm::ArrayRef<mlir::Value> indices) override;
  void writeBuffer(mlir::Value value, mlir::Value buffer,
                   llvm::ArrayRef<mlir::Value> indices) override {
    store(value, buffer, indices);
  }

protected:
  /// What `define` or `element` has for the element, here or in a region
  /// around; null if nothing.
  mlir::Value lookup(mlir::Value tensor, llvm::ArrayRef<mlir::Value> indices);

  /// The element of a bound tensor.
  virtual mlir::Value load(mlir::Value tensor, mlir::Value buffer,
                           llvm::ArrayRef<mlir::Value> indices);

private:
  using ElementKey = std::pair<mlir::Value, llvm::SmallVector<mlir::Value>>;
  /// An index operation and its operands, or a constant.
  struct IndexKey {
    int operation;
    mlir::Value lhs, rhs;
    int64_t constant;
    bool operator==(const IndexKey &) const = default;
  };
  struct Hash {
    size_t operator()(const ElementKey &key) const;
    size_t operator()(const IndexKey &key) const;
  };
  struct Scope {
    std::unordered_map<ElementKey, mlir::Value, Hash> elements;
    std::unordered_map<IndexKey, mlir::Value, Hash> indices;
  };
  mlir::Value constantIndex(int64_t value);
  mlir::Value combine(int operation, mlir::Value lhs, mlir::Value rhs);

  std::deque<Scope> scopes;
  llvm::DenseMap<mlir::Value, mlir::Value> buffers;
  llvm::DenseMap<mlir::Operation *, mlir::Value> faults;
  /// Results of arithmetic, whose NaN may have any payload.
  llvm::DenseSet<mlir::Value> computed;
};

} // namespace gensyn::codegen

#endif
