// Builds formulas in repro ops that read like the formulas of a paper: for
// derivatives, losses and optimizers.

#ifndef GENSYN_DIALECT_REPRO_IR_FORMULABUILDER_H
#define GENSYN_DIALECT_REPRO_IR_FORMULABUILDER_H

#include "gensyn/Dialect/Repro/IR/Repro.h"
#include "gensyn/Dialect/Repro/IR/TensorTypes.h"

namespace gensyn::repro {

/// Builds elementwise ops at a builder's insertion point. Operands of one op
/// have one type. Numbers become constants of the type of the other operand,
/// rounded to its element type (optimizer_r1). At most one argument of a call
/// may build ops: C++ does not fix the order of evaluation, and the order of
/// ops is part of a program's digest and of its gradients (gradient_r1).
class FormulaBuilder {
public:
  FormulaBuilder(mlir::OpBuilder &builder, mlir::Location location)
      : builder(builder), location(location) {}

  mlir::OpBuilder &getBuilder() { return builder; }
  mlir::Location getLocation() const { return location; }

  /// A tensor like `like` with every element `value`.
  mlir::Value fill(mlir::Value like, double value) {
    return createFilled(builder, location, typeOf(like), value);
  }

  /// A tensor of `element`, with the shape of `like` and every element `value`.
  mlir::Value fill(mlir::Value like, mlir::Type element, double value) {
    return createFilled(builder, location, typeOf(like).clone(element), value);
  }

  /// The same for integers.
  mlir::Value integers(mlir::Value like, int64_t value);

  /// A scalar of any element type, repeated to the shape of `like`.
  mlir::Value spread(mlir::Value scalar, mlir::Value like);

  /// The same, converted to the element type of `like` first.
  mlir::Value convertAndSpread(mlir::Value scalar, mlir::Value like);

  /// `value` in another element type; `value` itself if it has that type.
  mlir::Value convert(mlir::Value value, mlir::Type elementType);

  mlir::Value add(mlir::Value a, mlir::Value b);
  mlir::Value sub(mlir::Value a, mlir::Value b);
  mlir::Value mul(mlir::Value a, mlir::Value b);
  mlir::Value div(mlir::Value a, mlir::Value b);
  mlir::Value max(mlir::Value a, mlir::Value b);
  mlir::Value min(mlir::Value a, mlir::Value b);
  mlir::Value neg(mlir::Value a);
  mlir::Value abs(mlir::Value a);
  mlir::Value sqrt(mlir::Value a);
  mlir::Value exp(mlir::Value a);
  mlir::Value log(mlir::Value a);
  mlir::Value log1p(mlir::Value a);
  mlir::Value bitAnd(mlir::Value a, mlir::Value b);
  mlir::Value compare(CompareKind kind, mlir::Value a, mlir::Value b);
  mlir::Value select(mlir::Value predicate, mlir::Value a, mlir::Value b);

  mlir::Value add(mlir::Value a, double b) { return add(a, fill(a, b)); }
  mlir::Value sub(mlir::Value a, double b) { return sub(a, fill(a, b)); }
  mlir::Value sub(double a, mlir::Value b) { return sub(fill(b, a), b); }
  mlir::Value mul(double a, mlir::Value b) { return mul(fill(b, a), b); }
  mlir::Value div(mlir::Value a, double b) { return div(a, fill(a, b)); }
  mlir::Value div(double a, mlir::Value b) { return div(fill(b, a), b); }
  mlir::Value max(mlir::Value a, double b) { return max(a, fill(a, b)); }
  mlir::Value compare(CompareKind kind, mlir::Value a, double b) {
    return compare(kind, a, fill(a, b));
  }
  /// a * b + c with one rounding.
  mlir::Value fma(mlir::Value a, mlir::Value b, mlir::Value c);
  mlir::Value fma(double a, mlir::Value b, mlir::Value c) {
    return fma(fill(b, a), b, c);
  }

  /// From `a` towards `b` by `weight`, as torch.lerp: fma(w, b - a, a) for
  /// |w| < 0.5, else fma(w - 1, b - a, b), w being `weight` rounded.
  mlir::Value lerp(mlir::Value a, mlir::Value b, double weight);

  /// The sum of all elements: rank 0.
  mlir::Value sum(mlir::Value value);

  /// The square root of the sum of all squares: rank 0.
  mlir::Value norm(mlir::Value value);

  /// 1 and -1 by the sign; zeros and NaN stay.
  mlir::Value sign(mlir::Value value);

protected:
  mlir::OpBuilder &builder;
  mlir::Location location;

private:
  /// An op whose result has the type of its first operand.
  template <class Op, class... Rest>
  mlir::Value build(mlir::Value a, Rest... rest);
};

} // namespace gensyn::repro

#endif
