// Emits elements of the values inside a kernel whose arguments are buffers.

#ifndef GENSYN_CODEGEN_KERNEL_KERNELEMITTER_H
#define GENSYN_CODEGEN_KERNEL_KERNELEMITTER_H

#include "gensyn/Dialect/Repro/Interfaces/ElementEmitter.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

#include <deque>
#include <unordered_map>

namespace gensyn::repro {
class KernelOp;
} // namespace gensyn::repro

namespace gensyn::codegen {

/// Emits scalar elements: elements of a bound buffer are loaded, all others are
/// computed by the model of their op. Every element is emitted once per region:
/// the emitter caches the values that are visible at the insertion point.
///
/// A schedule that works on vectors derives from it and overrides `load` (and
/// `element`, for ops whose result differs between lanes: iota).
class KernelEmitter : public repro::ElementEmitter {
public:
  KernelEmitter(mlir::OpBuilder &builder, mlir::Location location);

  /// Elements of `tensor` are read from `buffer`, a memref of its buffer type.
  void bind(mlir::Value tensor, mlir::Value buffer) {
    buffers[tensor] = buffer;
  }
  /// Defines the element of `tensor` at `indices` as `value`, here and in
  /// nested regions.
  void define(mlir::Value tensor, llvm::ArrayRef<mlir::Value> indices,
              mlir::Value value);

  /// Faults of `op` are recorded in `slot`, a memref<1xi64> (g7).
  void bindFault(mlir::Operation *op, mlir::Value slot) { faults[op] = slot; }

  /// Binds the kernel's arguments to buffers, and its ops that may fault to
  /// slots.
  void bindAll(repro::KernelOp kernel, mlir::ValueRange inputs,
               mlir::ValueRange slots);
  /// Emits the element of each of the kernel's results at `indices`. Fails,
  /// after an error, if an op has none.
  llvm::FailureOr<llvm::SmallVector<mlir::Value>>
  results(repro::KernelOp kernel, llvm::ArrayRef<mlir::Value> indices);

  /// Writes `value`, an element of `tensor`'s type, with a canonical NaN.
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
  /// Returns the value of the element from `define` or `element`, here or in an
  /// enclosing region; null if there is none.
  mlir::Value lookup(mlir::Value tensor, llvm::ArrayRef<mlir::Value> indices);

  /// Loads an element of a bound tensor.
  virtual mlir::Value load(mlir::Value tensor, mlir::Value buffer,
                           llvm::ArrayRef<mlir::Value> indices);

private:
  using ElementKey = std::pair<mlir::Value, llvm::SmallVector<mlir::Value>>;
  /// Key of an index operation: its operands, or a constant.
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
  /// Results of arithmetic, whose NaNs may have any payload.
  llvm::DenseSet<mlir::Value> computed;
};

} // namespace gensyn::codegen

#endif
