// Wrong rewrites below the ops of repro.

#include "WrongPasses.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;

namespace gensyn::wrong {

/// Fast-math flags on floating-point arithmetic.
static bool fastMath(Operation *op, IRRewriter &rewriter) {
  auto arithmetic = dyn_cast<arith::ArithFastMathInterface>(op);
  if (!arithmetic || !isa<arith::AddFOp, arith::MulFOp>(op))
    return false;
  auto flags = arith::FastMathFlagsAttr::get(op->getContext(),
                                             arith::FastMathFlags::fast);
  rewriter.modifyOpInPlace(
      op, [&] { op->setAttr(arithmetic.getFastMathAttrName(), flags); });
  return true;
}

/// mulf + addf -> math.fma on scalars.
static bool fuseLowered(Operation *op, IRRewriter &rewriter) {
  auto add = dyn_cast<arith::AddFOp>(op);
  auto mul =
      add ? add.getLhs().getDefiningOp<arith::MulFOp>() : arith::MulFOp();
  if (!mul)
    return false;
  rewriter.replaceOpWithNewOp<math::FmaOp>(op, mul.getLhs(), mul.getRhs(),
                                           add.getRhs());
  return true;
}

/// Removes the NaN fix-up: select(uno(x, x), nan, x) -> x
static bool keepPayload(Operation *op, IRRewriter &rewriter) {
  auto select = dyn_cast<arith::SelectOp>(op);
  auto compare = select ? select.getCondition().getDefiningOp<arith::CmpFOp>()
                        : arith::CmpFOp();
  if (!compare || compare.getPredicate() != arith::CmpFPredicate::UNO ||
      compare.getLhs() != select.getFalseValue())
    return false;
  rewriter.replaceOp(op, select.getFalseValue());
  return true;
}

/// Replaces a division by a constant by a product with its inverse, in LLVM's
/// dialect.
static bool divideLowered(Operation *op, IRRewriter &rewriter) {
  auto divide = dyn_cast<LLVM::FDivOp>(op);
  if (!divide)
    return false;
  Value one =
      LLVM::ConstantOp::create(rewriter, op->getLoc(), divide.getType(),
                               rewriter.getFloatAttr(divide.getType(), 1.0));
  if (matchPattern(divide.getLhs(), m_OneFloat()))
    return false;
  Value inverse =
      LLVM::FDivOp::create(rewriter, op->getLoc(), one, divide.getRhs());
  rewriter.replaceOpWithNewOp<LLVM::FMulOp>(op, divide.getLhs(), inverse);
  return true;
}

ArrayRef<WrongPass> getLoweredPasses() {
  static const WrongPass passes[] = {
      {"wrong-fast-math", "fast-math flags", fastMath},
      {"wrong-fuse-lowered", "mulf + addf -> math.fma", fuseLowered},
      {"wrong-keep-payload", "NaNs as the hardware has them", keepPayload},
      {"wrong-divide-lowered", "fdiv -> reciprocal and fmul", divideLowered},
  };
  return passes;
}

} // namespace gensyn::wrong
