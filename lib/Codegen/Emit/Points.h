// The points of one result element of a contract, reduce or arg_reduce, as IR:
// which iterators the element belongs to, loops over its points, bounded reads.

#ifndef GENSYN_LIB_CODEGEN_EMIT_POINTS_H
#define GENSYN_LIB_CODEGEN_EMIT_POINTS_H

#include "ElementIndex.h"
#include "gensyn/Codegen/Emit/Arithmetic.h"
#include "gensyn/Dialect/Repro/IR/Repro.h"

namespace gensyn::emit {

/// constant + sum of coefficients[i] * d_i.
struct Linear {
  llvm::SmallVector<int64_t> coefficients;
  int64_t constant = 0;

  /// `expr` must be linear in `rank` dimensions, as domain_c1 has it.
  static Linear of(mlir::AffineExpr expr, unsigned rank);
  llvm::SmallVector<unsigned> iterators() const;
};

class Points {
public:
  Points(repro::ElementEmitter &emitter, repro::DomainAttr domain)
      : emitter(emitter), index(emitter), domain(domain),
        iterators(domain.getRank()) {}

  /// Finds the parallel iterators that give the result element `indices`. Where
  /// some element of `shape` is reached by none (domain_r1), `getReached` is a
  /// predicate that says whether this one is.
  void locate(mlir::AffineMap resultMap, llvm::ArrayRef<int64_t> shape,
              llvm::ArrayRef<mlir::Value> indices);
  mlir::Value getReached() const { return reached; }

  using Carried = llvm::SmallVector<mlir::Value>;
  /// All points in lexicographic order. `body` is given the carried values and
  /// returns the next ones; the iterators are those of the point. It may run
  /// more than once (few points are written out).
  Carried forEach(Carried carried,
                  llvm::function_ref<Carried(const Carried &)> body);

  /// Makes point `number` (row-major) the current one.
  void setPoint(mlir::Value number);
  /// The number of the current point, of type index.
  mlir::Value pointNumber();

  /// The element of `tensor` that `map` names at the current point. An index
  /// out of range is moved in; then `inside` becomes its predicate (and-ed to
  /// what it was, null for true). Null, and no error, where the tensor has no
  /// elements: nothing is inside.
  mlir::Value read(mlir::Value tensor, mlir::AffineMap map,
                   mlir::Value &inside);

private:
  void locateOne(unsigned iterator, const Linear &expr, int64_t extent,
                 mlir::Value index);
  void locateTwo(const Linear &expr, int64_t extent, mlir::Value index);
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
