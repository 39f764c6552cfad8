// Vector-Jacobian products of the elementwise ops, built from ops of the set. g
// is the result's cotangent, y the result.

#include "gensyn/Dialect/Repro/IR/FormulaBuilder.h"

using namespace mlir;
using namespace gensyn::repro;

namespace {
/// Arithmetic on values of the type of an op's result.
struct Formula : FormulaBuilder {
  RankedTensorType type;

  Formula(OpBuilder &builder, Operation *op)
      : FormulaBuilder(builder, op->getLoc()), type(typeOf(op->getResult(0))) {}

  template <class Op, class... Values> Value make(Values... values) {
    return Op::create(builder, location, values...);
  }
  /// 1 - a^2 as a product, which does not cancel near +-1.
  Value inside(Value a) {
    Value one = constant(1);
    return mul(sub(one, a), add(one, a));
  }
  Value constant(double c) { return createFilled(builder, location, type, c); }
};
} // namespace

#define VJP(Op)                                                                \
  LogicalResult Op::buildVjp(OpBuilder &builder, ValueRange cotangents,        \
                             ArrayRef<bool> needed,                            \
                             MutableArrayRef<Value> gradients)

// A unary op whose derivative is one expression of g, x and y.
#define UNARY(Op, expression)                                                  \
  VJP(Op) {                                                                    \
    Formula f(builder, *this);                                                 \
    Value g = cotangents[0], x = getOperand(), y = getResult();                \
    (void)x, (void)y;                                                          \
    gradients[0] = expression;                                                 \
    return success();                                                          \
  }

// No gradient flows: a piecewise constant function, or integers.
#define ZERO(Op)                                                               \
  VJP(Op) { return success(); }

VJP(AddOp) {
  gradients[0] = gradients[1] = cotangents[0];
  return success();
}

VJP(SubOp) {
  gradients[0] = cotangents[0];
  if (needed[1])
    gradients[1] = Formula(builder, *this).neg(cotangents[0]);
  return success();
}

VJP(MulOp) {
  Formula f(builder, *this);
  if (needed[0])
    gradients[0] = f.mul(cotangents[0], getRhs());
  if (needed[1])
    gradients[1] = f.mul(cotangents[0], getLhs());
  return success();
}

VJP(DivOp) {
  Formula f(builder, *this);
  Value g = cotangents[0];
  if (needed[0])
    gradients[0] = f.div(g, getRhs());
  if (needed[1])
    gradients[1] = f.neg(f.div(f.mul(g, getResult()), getRhs()));
  return success();
}

VJP(RemOp) {
  Formula f(builder, *this);
  gradients[0] = cotangents[0];
  if (needed[1]) {
    Value quotient = RoundOp::create(builder, getLoc(), RoundKind::Trunc,
                                     f.div(getLhs(), getRhs()));
    gradients[1] = f.neg(f.mul(cotangents[0], quotient));
  }
  return success();
}

/// No gradient flows through a factor of 0, so that 0 times Inf cannot arise.
VJP(PowOp) {
  Formula f(builder, *this);
  Value g = cotangents[0], a = getLhs(), b = getRhs(), zero = f.constant(0);
  if (needed[0]) {
    Value slope = f.make<PowOp>(a, f.sub(b, f.constant(1)));
    gradients[0] = f.select(f.compare(CompareKind::Eq, b, zero), zero,
                            f.mul(f.mul(g, b), slope));
  }
  if (needed[1])
    gradients[1] = f.select(f.compare(CompareKind::Eq, a, zero), zero,
                            f.mul(f.mul(g, getResult()), f.make<LogOp>(a)));
  return success();
}

/// The greater (less) operand gets g; equal ones share it.
static void shareExtremum(Operation *op, CompareKind wins, OpBuilder &builder,
                          Value g, ArrayRef<bool> needed,
                          MutableArrayRef<Value> gradients) {
  Formula f(builder, op);
  Value a = op->getOperand(0), b = op->getOperand(1);
  Value half = f.mul(g, f.constant(0.5)), zero = f.constant(0);
  Value tie = f.compare(CompareKind::Eq, a, b);
  auto side = [&](Value self, Value other) {
    return f.select(tie, half, f.select(f.compare(wins, self, other), g, zero));
  };
  if (needed[0])
    gradients[0] = side(a, b);
  if (needed[1])
    gradients[1] = side(b, a);
}

VJP(MaxOp) {
  shareExtremum(*this, CompareKind::Gt, builder, cotangents[0], needed,
                gradients);
  return success();
}

VJP(MinOp) {
  shareExtremum(*this, CompareKind::Lt, builder, cotangents[0], needed,
                gradients);
  return success();
}

VJP(FmaOp) {
  Formula f(builder, *this);
  if (needed[0])
    gradients[0] = f.mul(cotangents[0], getB());
  if (needed[1])
    gradients[1] = f.mul(cotangents[0], getA());
  gradients[2] = cotangents[0];
  return success();
}

VJP(SelectOp) {
  Formula f(builder, *this);
  Value g = cotangents[0], zero = f.constant(0);
  if (needed[1])
    gradients[1] = f.select(getPredicate(), g, zero);
  if (needed[2])
    gradients[2] = f.select(getPredicate(), zero, g);
  return success();
}

VJP(ConvertOp) {
  auto from = cast<RankedTensorType>(getOperand().getType());
  if (isa<FloatType>(from.getElementType()) &&
      isa<FloatType>(getType().getElementType()))
    gradients[0] = ConvertOp::create(builder, getLoc(), from, cotangents[0]);
  return success();
}

LogicalResult BitcastOp::buildVjp(OpBuilder &, ValueRange, ArrayRef<bool>,
                                  MutableArrayRef<Value>) {
  return emitOpError("has no derivative: bit patterns are not numbers");
}

UNARY(NegOp, f.neg(g))
UNARY(AbsOp, f.select(f.compare(CompareKind::Lt, x, f.constant(0)), f.neg(g),
                      f.select(f.compare(CompareKind::Gt, x, f.constant(0)), g,
                               f.constant(0))))
UNARY(SqrtOp, f.div(f.mul(g, f.constant(0.5)), y))
UNARY(ExpOp, f.mul(g, y))
UNARY(Expm1Op, f.mul(g, f.add(y, f.constant(1))))
UNARY(LogOp, f.div(g, x))
UNARY(Log1pOp, f.div(g, f.add(f.constant(1), x)))
UNARY(SinOp, f.mul(g, f.make<CosOp>(x)))
UNARY(CosOp, f.neg(f.mul(g, f.make<SinOp>(x))))
UNARY(TanOp, f.mul(g, f.fma(y, y, f.constant(1))))
UNARY(AsinOp, f.div(g, f.sqrt(f.inside(x))))
UNARY(AcosOp, f.neg(f.div(g, f.sqrt(f.inside(x)))))
UNARY(AtanOp, f.div(g, f.fma(x, x, f.constant(1))))
UNARY(SinhOp, f.mul(g, f.make<CoshOp>(x)))
UNARY(CoshOp, f.mul(g, f.make<SinhOp>(x)))
UNARY(TanhOp, f.mul(g, f.inside(y)))
UNARY(AsinhOp, f.div(g, f.sqrt(f.fma(x, x, f.constant(1)))))
UNARY(AcoshOp,
      f.div(g, f.sqrt(f.mul(f.sub(x, f.constant(1)), f.add(x, f.constant(1))))))
UNARY(AtanhOp, f.div(g, f.inside(x)))
UNARY(SigmoidOp, f.mul(g, f.mul(y, f.sub(f.constant(1), y))))
// 2 / sqrt(pi), rounded to the element type.
UNARY(ErfOp, f.mul(f.mul(g, f.constant(0x1.20dd750429b6dp+0)),
                   f.make<ExpOp>(f.neg(f.mul(x, x)))))

ZERO(RoundOp)
ZERO(CompareOp)
ZERO(AndOp)
ZERO(OrOp)
ZERO(XorOp)
ZERO(NotOp)
ZERO(ShlOp)
ZERO(ShrOp)
