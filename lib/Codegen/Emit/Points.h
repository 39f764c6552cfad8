// The points of one result element of a contract, reduce or arg_reduce, as IR:
// the element's iterators, loops over its points, bounds-checked reads.

#ifndef GENSYN_LIB_CODEGEN_EMIT_POINTS_H
#define GENSYN_LIB_CODEGEN_EMIT_POINTS_H

#include "ElementIndex.h"
#include "gensyn/Codegen/Emit/Arithmetic.h"
#include "gensyn/Dialect/Repro/IR/LinearExpr.h"
#include "gensyn/Dialect/Repro/IR/Repro.h"

namespace gensyn::emit {

class Points {
public:
  Points(repro::ElementEmitter &emitter, repro::DomainAttr domain)
      : emitter(emitter), index(emitter), domain(domain),
        iterators(domain.getRank()) {}

  /// Computes the parallel iterators of the result element `indices`. If some
  /// element of `shape` is not reached (domain_r1), `getReached` is a predicate
  /// that is true if this one is.
  void locate(mlir::AffineMap resultMap, llvm::ArrayRef<int64_t> shape,
              llvm::ArrayRef<mlir::Value> indices);
  mlir::Value getReached() const { return reached; }

  using Carried = llvm::SmallVector<mlir::Value>;
  /// Loops over all points in lexicographic order. `body` maps the carried
  /// values to the next ones; the iterators are those of the point. It may be
  /// called more than once: short loops are unrolled.
  Carried forEach(Carried carried,
                  llvm::function_ref<Carried(const Carried &)> body);

  /// Makes point `number` (row-major) the current one.
  void setPoint(mlir::Value number);
  /// Returns the index of the current point, of type index.
  mlir::Value pointNumber();

  /// Reads the element of `tensor` that `map` names at the current point. An
  /// out-of-bounds index is clamped; then `inside` becomes its predicate
  /// (combined by `and` with its previous value, where null means true).
  /// Returns null without an error if the tensor is empty: all indices are out
  /// of bounds.
  mlir::Value read(mlir::Value tensor, mlir::AffineMap map,
                   mlir::Value &inside);

private:
  void locateOne(unsigned iterator, const repro::LinearExpr &expr,
                 int64_t extent, mlir::Value index);
  void locateTwo(const repro::LinearExpr &expr, int64_t extent,
                 mlir::Value index);
  void place(unsigned iterator, mlir::Value value, bool always);
  Carried nest(llvm::ArrayRef<int64_t> reduced, bool unroll, Carried carried,
               llvm::function_ref<Carried(const Carried &)> body);

  repro::ElementEmitter &emitter;
  ElementIndex index;
  repro::DomainAttr domain;
  llvm::SmallVector<mlir::Value> iterators;
  mlir::Value reached;
};

} // namespace gensyn::emit

#endif
