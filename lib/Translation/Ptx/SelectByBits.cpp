// Makes selects by bit operations; see SelectByBits.h.

#include "SelectByBits.h"

#include "llvm/Analysis/InstructionSimplify.h"
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

/// The bits of a constant, or of all elements of one; nothing: it is none.
static std::optional<llvm::APInt> bitsOf(const llvm::Value *value) {
  const llvm::APFloat *number;
  if (llvm::PatternMatch::match(value, llvm::PatternMatch::m_APFloat(number)))
    return number->bitcastToAPInt();
  const llvm::APInt *bits;
  if (llvm::PatternMatch::match(value, llvm::PatternMatch::m_APInt(bits)))
    return *bits;
  return std::nullopt;
}

static bool isNumber(const llvm::Value *value) {
  const std::optional<llvm::APInt> bits = bitsOf(value);
  return bits && bits->getBitWidth() == 32 &&
         !llvm::APFloat(llvm::APFloat::IEEEsingle(), *bits).isNaN();
}

/// How far back the computation of two values is compared.
constexpr unsigned kMostSteps = 8;

/// True for values that the back end may put in one register, as what is loaded
/// twice from one address. Making more selects of bits than needed is no
/// mistake.
static bool mayBeSame(const llvm::Value *a, const llvm::Value *b,
                      unsigned steps = kMostSteps) {
  a = withoutCasts(a);
  b = withoutCasts(b);
  if (a == b)
    return true;
  if (const std::optional<llvm::APInt> bits = bitsOf(a))
    return bits == bitsOf(b);
  const auto *first = llvm::dyn_cast<llvm::Instruction>(a);
  const auto *second = llvm::dyn_cast<llvm::Instruction>(b);
  return steps && first && second && !llvm::isa<llvm::PHINode>(first) &&
         first->getOpcode() == second->getOpcode() &&
         first->getNumOperands() == second->getNumOperands() &&
         llvm::all_of(llvm::zip(first->operands(), second->operands()),
                      [&](const auto &operands) {
                        const auto &[one, other] = operands;
                        return mayBeSame(one, other, steps - 1);
                      });
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
  const llvm::Value *ifTrue = select.getTrueValue(),
                    *ifFalse = select.getFalseValue(),
                    *left = compare->getOperand(0),
                    *right = compare->getOperand(1);
  if (!(mayBeSame(ifTrue, left) && mayBeSame(ifFalse, right)) &&
      !(mayBeSame(ifTrue, right) && mayBeSame(ifFalse, left)))
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

/// Simplifies selects, casts and bit operations as the back end would later:
/// then two values that a select may return turn out to be those that are
/// compared.
static void simplify(llvm::Function &function, const llvm::DataLayout &layout) {
  for (llvm::Instruction &instruction :
       llvm::make_early_inc_range(llvm::instructions(function))) {
    if (!llvm::isa<llvm::SelectInst, llvm::BitCastInst>(instruction) &&
        !instruction.isBitwiseLogicOp())
      continue;
    if (llvm::Value *simple = llvm::simplifyInstruction(
            &instruction, llvm::SimplifyQuery(layout, &instruction))) {
      instruction.replaceAllUsesWith(simple);
      instruction.eraseFromParent();
    }
  }
}

void selectByBits(llvm::Module &module) {
  for (llvm::Function &function : module) {
    simplify(function, module.getDataLayout());
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
