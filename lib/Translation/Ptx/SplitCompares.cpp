// Splits comparisons of magnitudes; see SplitCompares.h.

#include "SplitCompares.h"

#include "llvm/ADT/SmallSet.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"

namespace gensyn::ptx {

using Seen = llvm::SmallSet<std::pair<const llvm::Value *, bool>, 16>;

static bool isExtremum(llvm::Intrinsic::ID function) {
  switch (function) {
  case llvm::Intrinsic::minnum:
  case llvm::Intrinsic::maxnum:
  case llvm::Intrinsic::minimum:
  case llvm::Intrinsic::maximum:
  case llvm::Intrinsic::minimumnum:
  case llvm::Intrinsic::maximumnum:
    return true;
  default:
    return false;
  }
}

/// True if an absolute value, or a negated one, may reach a value through what
/// keeps or turns its sign. Splitting more comparisons than needed is no
/// mistake.
static bool mayBeMagnitude(const llvm::Value *value, bool isNegated,
                           Seen &seen) {
  const auto *instruction = llvm::dyn_cast<llvm::Instruction>(value);
  if (!instruction || !seen.insert({value, isNegated}).second)
    return false;
  switch (instruction->getOpcode()) {
  case llvm::Instruction::Call: {
    const auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(instruction);
    if (call && call->getIntrinsicID() == llvm::Intrinsic::fabs)
      return !isNegated;
    if (!call || !isExtremum(call->getIntrinsicID()))
      return false;
    break;
  }
  case llvm::Instruction::BitCast: {
    // The back end makes an absolute value of bits without the sign.
    const auto *bits =
        llvm::dyn_cast<llvm::BinaryOperator>(instruction->getOperand(0));
    if (bits && bits->isBitwiseLogicOp() &&
        llvm::isa<llvm::Constant>(bits->getOperand(1)))
      return bits->getOpcode() !=
             (isNegated ? llvm::Instruction::And : llvm::Instruction::Or);
    break;
  }
  case llvm::Instruction::FNeg:
    isNegated = !isNegated;
    break;
  case llvm::Instruction::FPExt:
  case llvm::Instruction::Freeze:
  case llvm::Instruction::PHI:
  case llvm::Instruction::Select:
  case llvm::Instruction::ExtractElement:
  case llvm::Instruction::InsertElement:
  case llvm::Instruction::ShuffleVector:
    break;
  default:
    return false;
  }
  return llvm::any_of(instruction->operands(), [&](const llvm::Value *operand) {
    return mayBeMagnitude(operand, isNegated, seen);
  });
}

/// True for `x > c` and `x >= c` that all magnitudes pass, and for `x < c` and
/// `x <= c` that all negated ones do.
static bool passesAllMagnitudes(const llvm::FCmpInst &compare) {
  llvm::CmpInst::Predicate predicate = compare.getPredicate();
  const llvm::Value *value = compare.getOperand(0);
  const llvm::APFloat *bound;
  if (!llvm::PatternMatch::match(compare.getOperand(1),
                                 llvm::PatternMatch::m_APFloat(bound))) {
    if (!llvm::PatternMatch::match(value, llvm::PatternMatch::m_APFloat(bound)))
      return false;
    value = compare.getOperand(1);
    predicate = compare.getSwappedPredicate();
  }
  const bool isAbove = predicate == llvm::CmpInst::FCMP_OGT ||
                       predicate == llvm::CmpInst::FCMP_OGE;
  const bool isBelow = predicate == llvm::CmpInst::FCMP_OLT ||
                       predicate == llvm::CmpInst::FCMP_OLE;
  if ((!isAbove && !isBelow) || value->getType()->getScalarType()->isDoubleTy())
    return false;
  if (bound->isZero() ? llvm::CmpInst::isStrictPredicate(predicate)
                      : bound->isNegative() != isAbove)
    return false;
  Seen seen;
  return mayBeMagnitude(value, /*isNegated=*/isBelow, seen);
}

void splitCompares(llvm::Module &module) {
  llvm::SmallVector<llvm::FCmpInst *> found;
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::instructions(function))
      if (auto *compare = llvm::dyn_cast<llvm::FCmpInst>(&instruction);
          compare && passesAllMagnitudes(*compare))
        found.push_back(compare);
  for (llvm::FCmpInst *compare : found) {
    llvm::IRBuilder<> builder(compare);
    llvm::Value *left = compare->getOperand(0), *right = compare->getOperand(1);
    llvm::Value *value = llvm::isa<llvm::Constant>(left) ? right : left;
    llvm::Value *isNumber = builder.CreateFCmpORD(value, value);
    llvm::Value *passes =
        builder.CreateFCmp(compare->getUnorderedPredicate(), left, right);
    compare->replaceAllUsesWith(builder.CreateAnd(passes, isNumber));
    compare->eraseFromParent();
  }
}

} // namespace gensyn::ptx
