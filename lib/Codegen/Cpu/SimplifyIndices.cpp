// See SimplifyIndices.h.

#include "SimplifyIndices.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/MathExtras.h"

#include <optional>

using namespace mlir;

namespace gensyn::cpu {
namespace {

/// factor * i + constant.
struct Linear {
  int64_t factor, constant;
};

std::optional<Linear> linearIn(Value induction, Value value) {
  if (value == induction)
    return Linear{1, 0};
  APInt number;
  if (matchPattern(value, m_ConstantInt(&number)))
    return Linear{0, number.getSExtValue()};
  Operation *op = value.getDefiningOp();
  if (!isa_and_nonnull<arith::AddIOp, arith::SubIOp, arith::MulIOp>(op))
    return std::nullopt;
  auto x = linearIn(induction, op->getOperand(0));
  auto y = x ? linearIn(induction, op->getOperand(1)) : std::nullopt;
  if (!y)
    return std::nullopt;
  if (isa<arith::AddIOp>(op))
    return Linear{x->factor + y->factor, x->constant + y->constant};
  if (isa<arith::SubIOp>(op))
    return Linear{x->factor - y->factor, x->constant - y->constant};
  if (x->factor != 0)
    std::swap(x, y);
  if (x->factor != 0)
    return std::nullopt;
  return Linear{x->constant * y->factor, x->constant * y->constant};
}

/// Returns what a division gives, or null.
Value divide(Operation *op, Value induction, OpBuilder &builder) {
  APInt number;
  if (!isa<arith::RemUIOp, arith::DivUIOp>(op) ||
      !matchPattern(op->getOperand(1), m_ConstantInt(&number)))
    return {};
  const int64_t divisor = number.getSExtValue();
  auto dividend = linearIn(induction, op->getOperand(0));
  if (!dividend || divisor <= 0 || dividend->factor % divisor != 0)
    return {};
  auto index = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(builder, op->getLoc(), value);
  };
  const int64_t quotient = llvm::divideFloorSigned(dividend->constant, divisor);
  if (isa<arith::RemUIOp>(op))
    return index(dividend->constant - quotient * divisor);
  Value scaled = builder.createOrFold<arith::MulIOp>(
      op->getLoc(), induction, index(dividend->factor / divisor));
  return builder.createOrFold<arith::AddIOp>(op->getLoc(), scaled,
                                             index(quotient));
}

/// Returns the result of a comparison with the end of a dimension, as unsigned,
/// that is the same in all iterations, or null.
Value compare(Operation *op, scf::ForOp loop, OpBuilder &builder) {
  auto less = dyn_cast<arith::CmpIOp>(op);
  APInt begin, end, extent;
  if (!less || less.getPredicate() != arith::CmpIPredicate::ult ||
      !matchPattern(less.getRhs(), m_ConstantInt(&extent)) ||
      !matchPattern(loop.getLowerBound(), m_ConstantInt(&begin)) ||
      !matchPattern(loop.getUpperBound(), m_ConstantInt(&end)))
    return {};
  auto linear = linearIn(loop.getInductionVar(), less.getLhs());
  if (!linear || begin.sge(end) || extent.isNegative())
    return {};
  int64_t least = linear->factor * begin.getSExtValue() + linear->constant;
  int64_t most = linear->factor * (end.getSExtValue() - 1) + linear->constant;
  if (least > most)
    std::swap(least, most);
  const bool all = least >= 0 && most < extent.getSExtValue();
  if (!all && most >= 0 && least < extent.getSExtValue())
    return {};
  return arith::ConstantOp::create(builder, op->getLoc(),
                                   builder.getBoolAttr(all));
}

} // namespace

void simplifyIndices(scf::ForOp loop) {
  OpBuilder builder(loop);
  SmallVector<Operation *> ops;
  loop.getBody()->walk<WalkOrder::PreOrder>(
      [&](Operation *op) { ops.push_back(op); });
  for (Operation *op : ops) {
    if (op->getNumRegions() != 0 || op->getNumResults() != 1)
      continue;
    builder.setInsertionPoint(op);
    SmallVector<Value> folded;
    if (Value made = divide(op, loop.getInductionVar(), builder))
      folded.push_back(made);
    else if (Value known = compare(op, loop, builder))
      folded.push_back(known);
    else if (failed(builder.tryFold(op, folded)) || folded.empty())
      continue;
    op->replaceAllUsesWith(folded);
    op->erase();
  }
}

} // namespace gensyn::cpu
