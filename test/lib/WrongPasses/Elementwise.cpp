// Wrong rewrites of elementwise ops.

#include "WrongPasses.h"

#include "gensyn/Dialect/Repro/IR/Repro.h"

using namespace mlir;
using namespace gensyn::repro;

namespace gensyn::wrong {

static RankedTensorType typeOf(Value value) {
  return cast<RankedTensorType>(value.getType());
}

static Type elementOf(Value value) { return typeOf(value).getElementType(); }

static Value filled(IRRewriter &rewriter, Value like, double number) {
  return createFilled(rewriter, like.getLoc(), typeOf(like), number);
}

static Value compare(IRRewriter &rewriter, CompareKind kind, Value a, Value b) {
  return CompareOp::create(rewriter, a.getLoc(), kind, a, b);
}

/// (a + b) + c -> a + (b + c)
static bool reassociateAdd(Operation *op, IRRewriter &rewriter) {
  auto outer = dyn_cast<AddOp>(op);
  auto inner = outer ? outer.getLhs().getDefiningOp<AddOp>() : AddOp();
  if (!inner)
    return false;
  Value right =
      AddOp::create(rewriter, op->getLoc(), inner.getRhs(), outer.getRhs());
  rewriter.replaceOpWithNewOp<AddOp>(op, inner.getLhs(), right);
  return true;
}

/// a * b + c -> fma(a, b, c)
static bool fuse(Operation *op, IRRewriter &rewriter) {
  auto add = dyn_cast<AddOp>(op);
  auto mul = add ? add.getLhs().getDefiningOp<MulOp>() : MulOp();
  if (!mul)
    return false;
  rewriter.replaceOpWithNewOp<FmaOp>(op, op->getResultTypes()[0], mul.getLhs(),
                                     mul.getRhs(), add.getRhs());
  return true;
}

/// fma(a, b, c) -> a * b + c
static bool split(Operation *op, IRRewriter &rewriter) {
  auto fma = dyn_cast<FmaOp>(op);
  if (!fma)
    return false;
  Value product = MulOp::create(rewriter, op->getLoc(), fma.getA(), fma.getB());
  rewriter.replaceOpWithNewOp<AddOp>(op, product, fma.getC());
  return true;
}

/// Results of mul below the least normal number become 0.
static bool flush(Operation *op, IRRewriter &rewriter) {
  if (!isa<MulOp>(op) || !elementOf(op->getResult(0)).isF32())
    return false;
  Value value = op->getResult(0);
  rewriter.setInsertionPointAfter(op);
  Value size = AbsOp::create(rewriter, op->getLoc(), value.getType(), value);
  Value small = compare(rewriter, CompareKind::Lt, size,
                        filled(rewriter, value, 0x1p-126));
  auto select = SelectOp::create(rewriter, op->getLoc(), small,
                                 filled(rewriter, value, 0.0), value);
  rewriter.replaceAllUsesExcept(
      value, select.getResult(),
      SmallPtrSet<Operation *, 2>{size.getDefiningOp(), select.getOperation()});
  return true;
}

/// min(a, b) -> a < b ? a : b
static bool minByCompare(Operation *op, IRRewriter &rewriter) {
  auto min = dyn_cast<MinOp>(op);
  if (!min)
    return false;
  Value less = compare(rewriter, CompareKind::Lt, min.getLhs(), min.getRhs());
  rewriter.replaceOpWithNewOp<SelectOp>(op, less, min.getLhs(), min.getRhs());
  return true;
}

/// x + 0 -> x, which is wrong for -0.
static bool dropZero(Operation *op, IRRewriter &rewriter) {
  auto add = dyn_cast<AddOp>(op);
  auto constant = add ? add.getRhs().getDefiningOp<ConstantOp>() : ConstantOp();
  auto elements = constant ? dyn_cast<DenseElementsAttr>(constant.getValue())
                           : DenseElementsAttr();
  if (!elements || !elements.isSplat() || !elements.getElementType().isF32() ||
      !elements.getSplatValue<APFloat>().isPosZero())
    return false;
  rewriter.replaceOp(op, add.getLhs());
  return true;
}

/// a / b -> a * (1 / b)
static bool reciprocal(Operation *op, IRRewriter &rewriter) {
  auto div = dyn_cast<DivOp>(op);
  if (!div || !isa<FloatType>(elementOf(div.getLhs())))
    return false;
  Value inverse =
      DivOp::create(rewriter, op->getLoc(), filled(rewriter, div.getLhs(), 1.0),
                    div.getRhs());
  rewriter.replaceOpWithNewOp<MulOp>(op, div.getLhs(), inverse);
  return true;
}

/// f64 -> f16 by way of f32, which rounds twice.
static bool convertTwice(Operation *op, IRRewriter &rewriter) {
  auto convert = dyn_cast<ConvertOp>(op);
  if (!convert || !elementOf(convert.getOperand()).isF64() ||
      !elementOf(convert.getResult()).isF16())
    return false;
  Value between = ConvertOp::create(
      rewriter, op->getLoc(),
      typeOf(convert.getOperand()).clone(rewriter.getF32Type()),
      convert.getOperand());
  rewriter.replaceOpWithNewOp<ConvertOp>(op, convert.getType(), between);
  return true;
}

/// f32 -> i32 with x86's results out of range.
static bool convertAsHardware(Operation *op, IRRewriter &rewriter) {
  auto convert = dyn_cast<ConvertOp>(op);
  if (!convert || !elementOf(convert.getOperand()).isF32() ||
      !elementOf(convert.getResult()).isSignlessInteger(32))
    return false;
  Value value = convert.getOperand();
  rewriter.setInsertionPointAfter(op);
  Value inside = compare(rewriter, CompareKind::Lt, value,
                         filled(rewriter, value, 0x1p31));
  auto select =
      SelectOp::create(rewriter, op->getLoc(), inside, convert.getResult(),
                       filled(rewriter, convert.getResult(), -0x1p31));
  rewriter.replaceAllUsesExcept(convert.getResult(), select.getResult(),
                                select.getOperation());
  return true;
}

/// exp(x) -> expm1(x) + 1: nearly correct.
static bool approximateExp(Operation *op, IRRewriter &rewriter) {
  auto exp = dyn_cast<ExpOp>(op);
  if (!exp)
    return false;
  Value lower =
      Expm1Op::create(rewriter, op->getLoc(), exp.getType(), exp.getOperand());
  rewriter.replaceOpWithNewOp<AddOp>(op, lower, filled(rewriter, lower, 1.0));
  return true;
}

/// An integer divided by 0 is 0.
static bool divideByZero(Operation *op, IRRewriter &rewriter) {
  auto div = dyn_cast<DivOp>(op);
  if (!div || !isa<IntegerType>(elementOf(div.getLhs())))
    return false;
  rewriter.setInsertionPointAfter(op);
  Value zero = filled(rewriter, div.getRhs(), 0);
  Value isZero = compare(rewriter, CompareKind::Eq, div.getRhs(), zero);
  auto select =
      SelectOp::create(rewriter, op->getLoc(), isZero, zero, div.getResult());
  rewriter.replaceAllUsesExcept(div.getResult(), select.getResult(),
                                select.getOperation());
  return true;
}

/// The amount of a shift modulo the width, as on x86.
static bool shiftModulo(Operation *op, IRRewriter &rewriter) {
  auto shift = dyn_cast<ShlOp>(op);
  if (!shift)
    return false;
  const double mask = elementOf(shift.getRhs()).getIntOrFloatBitWidth() - 1;
  Value amount = AndOp::create(rewriter, op->getLoc(), shift.getRhs(),
                               filled(rewriter, shift.getRhs(), mask));
  rewriter.modifyOpInPlace(op, [&] { op->setOperand(1, amount); });
  return true;
}

/// sqrt(x) * sqrt(x) -> x
static bool squareOfRoot(Operation *op, IRRewriter &rewriter) {
  auto mul = dyn_cast<MulOp>(op);
  auto root = mul ? mul.getLhs().getDefiningOp<SqrtOp>() : SqrtOp();
  if (!root || mul.getRhs() != mul.getLhs())
    return false;
  rewriter.replaceOp(op, root.getOperand());
  return true;
}

/// not (a < b) -> a >= b, which is wrong for NaN.
static bool invertCompare(Operation *op, IRRewriter &rewriter) {
  auto inverse = dyn_cast<NotOp>(op);
  auto less =
      inverse ? inverse.getOperand().getDefiningOp<CompareOp>() : CompareOp();
  if (!less || less.getKind() != CompareKind::Lt)
    return false;
  rewriter.replaceOp(
      op, compare(rewriter, CompareKind::Ge, less.getLhs(), less.getRhs()));
  return true;
}

static bool swapSelect(Operation *op, IRRewriter &rewriter) {
  if (!isa<SelectOp>(op))
    return false;
  Value first = op->getOperand(1), second = op->getOperand(2);
  rewriter.modifyOpInPlace(op, [&] {
    op->setOperand(1, second);
    op->setOperand(2, first);
  });
  return true;
}

/// x - x -> 0, which is wrong for Inf and NaN.
static bool cancel(Operation *op, IRRewriter &rewriter) {
  auto sub = dyn_cast<SubOp>(op);
  if (!sub || sub.getLhs() != sub.getRhs())
    return false;
  rewriter.replaceOp(op, filled(rewriter, sub.getLhs(), 0));
  return true;
}

/// (a * b) + c with an f64 in between: too exact.
static bool widen(Operation *op, IRRewriter &rewriter) {
  auto add = dyn_cast<AddOp>(op);
  auto mul = add ? add.getLhs().getDefiningOp<MulOp>() : MulOp();
  if (!mul || !elementOf(mul.getResult()).isF32())
    return false;
  auto type = typeOf(add.getResult());
  auto wide = [&](Value value) -> Value {
    return ConvertOp::create(rewriter, op->getLoc(),
                             type.clone(rewriter.getF64Type()), value);
  };
  Value product = MulOp::create(rewriter, op->getLoc(), wide(mul.getLhs()),
                                wide(mul.getRhs()));
  Value sum =
      AddOp::create(rewriter, op->getLoc(), product, wide(add.getRhs()));
  rewriter.replaceOpWithNewOp<ConvertOp>(op, type, sum);
  return true;
}

/// A select that goes through arithmetic, which makes its NaN canonical.
static bool touchNan(Operation *op, IRRewriter &rewriter) {
  auto select = dyn_cast<SelectOp>(op);
  if (!select || !elementOf(select.getResult()).isF32())
    return false;
  Value lhs = MulOp::create(rewriter, op->getLoc(), select.getLhs(),
                            filled(rewriter, select.getLhs(), 1.0));
  if (select.getLhs().getDefiningOp<MulOp>())
    return false; // done before
  rewriter.modifyOpInPlace(op, [&] { op->setOperand(1, lhs); });
  return true;
}

ArrayRef<WrongPass> getElementwisePasses() {
  static const WrongPass passes[] = {
      {"wrong-reassociate-add", "(a + b) + c -> a + (b + c)", reassociateAdd},
      {"wrong-fuse", "a * b + c -> fma", fuse},
      {"wrong-split-fma", "fma -> a * b + c", split},
      {"wrong-flush", "subnormal products -> 0", flush},
      {"wrong-min", "min without the total order", minByCompare},
      {"wrong-drop-zero", "x + 0 -> x", dropZero},
      {"wrong-reciprocal", "a / b -> a * (1 / b)", reciprocal},
      {"wrong-convert-twice", "f64 -> f32 -> f16", convertTwice},
      {"wrong-convert-hardware", "f32 -> i32 without saturation",
       convertAsHardware},
      {"wrong-exp", "exp -> expm1 + 1", approximateExp},
      {"wrong-divide-by-zero", "x div 0 -> 0", divideByZero},
      {"wrong-shift", "amounts modulo the width", shiftModulo},
      {"wrong-square-of-root", "sqrt(x)^2 -> x", squareOfRoot},
      {"wrong-invert-compare", "not lt -> ge", invertCompare},
      {"wrong-swap-select", "select with its operands swapped", swapSelect},
      {"wrong-cancel", "x - x -> 0", cancel},
      {"wrong-widen", "f32 arithmetic in f64", widen},
      {"wrong-nan", "a NaN's payload changed", touchNan},
  };
  return passes;
}

} // namespace gensyn::wrong
