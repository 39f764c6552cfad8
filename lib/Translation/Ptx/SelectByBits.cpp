// Makes selects by bit operations; see SelectByBits.h.

#include "SelectByBits.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"

namespace gensyn::ptx {

/// How many selects may lie between a select and what sees its bits.
constexpr unsigned kMostSelects = 8;

static const llvm::Value *withoutCasts(const llvm::Value *value) {
  while (const auto *cast = llvm::dyn_cast<llvm::BitCastInst>(value))
    value = cast->getOperand(0);
  return value;
}

static bool isNumber(const llvm::Value *value) {
  const llvm::APFloat *number;
  return llvm::PatternMatch::match(value,
                                   llvm::PatternMatch::m_APFloat(number)) &&
         !number->isNaN();
}

/// True if all NaNs are alike to an instruction. Its own NaNs are made
/// canonical where their bits are seen.
static bool isArithmetic(const llvm::User &user) {
  if (const auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(&user))
    return call->getIntrinsicID() == llvm::Intrinsic::fma;
  switch (llvm::cast<llvm::Instruction>(user).getOpcode()) {
  case llvm::Instruction::FAdd:
  case llvm::Instruction::FSub:
  case llvm::Instruction::FMul:
  case llvm::Instruction::FDiv:
  case llvm::Instruction::FPTrunc:
  case llvm::Instruction::FPExt:
  case llvm::Instruction::FPToSI:
  case llvm::Instruction::FPToUI:
  case llvm::Instruction::FCmp:
    return true;
  default:
    return false;
  }
}

static bool areBitsSeen(const llvm::Value &value, unsigned selects) {
  return llvm::any_of(value.users(), [&](const llvm::User *user) {
    if (llvm::isa<llvm::SelectInst>(user))
      return selects == 0 || areBitsSeen(*user, selects - 1);
    return !isArithmetic(*user);
  });
}

/// True if a select returns one of the two values that its condition compares,
/// and, if one is a NaN, may return the NaN.
static bool selectsNaN(const llvm::SelectInst &select) {
  const auto *compare = llvm::dyn_cast<llvm::FCmpInst>(select.getCondition());
  if (!compare ||
      !compare->getOperand(0)->getType()->getScalarType()->isFloatTy())
    return false;
  const llvm::Value *ifTrue = withoutCasts(select.getTrueValue()),
                    *ifFalse = withoutCasts(select.getFalseValue()),
                    *left = withoutCasts(compare->getOperand(0)),
                    *right = withoutCasts(compare->getOperand(1));
  if (!(ifTrue == left && ifFalse == right) &&
      !(ifTrue == right && ifFalse == left))
    return false;
  const bool takesTrue = llvm::FCmpInst::isUnordered(compare->getPredicate());
  return !isNumber(takesTrue ? ifTrue : ifFalse);
}

/// All bits set where the condition holds. The back end would make a select
/// again of bit operations on a mask that it understands.
static llvm::Value *makeMask(llvm::IRBuilder<> &builder,
                             llvm::Value *condition) {
  llvm::Type *word = builder.getInt32Ty();
  auto *type = llvm::FunctionType::get(word, {builder.getInt1Ty()}, false);
  auto *code = llvm::InlineAsm::get(type, "selp.b32 $0, -1, 0, $1;", "=r,b",
                                    /*hasSideEffects=*/false);
  return builder.CreateCall(type, code, {condition});
}

static llvm::Value *selectWord(llvm::IRBuilder<> &builder,
                               llvm::Value *condition, llvm::Value *ifTrue,
                               llvm::Value *ifFalse) {
  llvm::Type *word = builder.getInt32Ty();
  llvm::Value *first = builder.CreateBitCast(ifTrue, word),
              *second = builder.CreateBitCast(ifFalse, word);
  llvm::Value *differing = builder.CreateAnd(builder.CreateXor(first, second),
                                             makeMask(builder, condition));
  return builder.CreateBitCast(builder.CreateXor(second, differing),
                               ifTrue->getType());
}

static void replace(llvm::SelectInst &select) {
  llvm::IRBuilder<> builder(&select);
  llvm::Value *condition = select.getCondition(),
              *ifTrue = select.getTrueValue(),
              *ifFalse = select.getFalseValue(), *made = nullptr;
  if (auto *type = llvm::dyn_cast<llvm::FixedVectorType>(select.getType())) {
    made = llvm::PoisonValue::get(type);
    for (unsigned lane = 0; lane != type->getNumElements(); ++lane) {
      llvm::Value *one = condition->getType()->isVectorTy()
                             ? builder.CreateExtractElement(condition, lane)
                             : condition;
      made = builder.CreateInsertElement(
          made,
          selectWord(builder, one, builder.CreateExtractElement(ifTrue, lane),
                     builder.CreateExtractElement(ifFalse, lane)),
          lane);
    }
  } else {
    made = selectWord(builder, condition, ifTrue, ifFalse);
  }
  select.replaceAllUsesWith(made);
  select.eraseFromParent();
}

void selectByBits(llvm::Module &module) {
  for (llvm::Function &function : module) {
    llvm::SmallVector<llvm::SelectInst *> found;
    for (llvm::Instruction &instruction : llvm::instructions(function))
      if (auto *select = llvm::dyn_cast<llvm::SelectInst>(&instruction);
          select && selectsNaN(*select) && areBitsSeen(*select, kMostSelects))
        found.push_back(select);
    for (llvm::SelectInst *select : found)
      replace(*select);
  }
}

} // namespace gensyn::ptx
