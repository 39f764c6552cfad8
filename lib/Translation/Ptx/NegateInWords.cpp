// Negates integers by instructions that the back end does not look into; see
// NegateInWords.h.

#include "NegateInWords.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"

namespace gensyn::ptx {

static llvm::Value *negateWord(llvm::IRBuilder<> &builder, llvm::Value *word) {
  llvm::Type *type = word->getType();
  const bool isLong = type->isIntegerTy(64);
  auto *code = llvm::InlineAsm::get(
      llvm::FunctionType::get(type, {type}, false),
      isLong ? "neg.s64 $0, $1;" : "neg.s32 $0, $1;", isLong ? "=l,l" : "=r,r",
      /*hasSideEffects=*/false);
  return builder.CreateCall(code, {word});
}

static llvm::Value *negate(llvm::IRBuilder<> &builder, llvm::Value *value) {
  llvm::Type *type = value->getType();
  if (auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(type)) {
    llvm::Value *made = llvm::PoisonValue::get(type);
    for (unsigned lane = 0; lane != vector->getNumElements(); ++lane)
      made = builder.CreateInsertElement(
          made, negate(builder, builder.CreateExtractElement(value, lane)),
          lane);
    return made;
  }
  if (type->getIntegerBitWidth() >= 32)
    return negateWord(builder, value);
  return builder.CreateTrunc(
      negateWord(builder, builder.CreateZExt(value, builder.getInt32Ty())),
      type);
}

/// The negated operand of a negation that the assembler may get wrong.
static llvm::Value *negatedBy(llvm::Instruction &instruction) {
  using namespace llvm::PatternMatch;
  llvm::Value *operand;
  if (!match(&instruction, m_Neg(m_Value(operand))))
    return nullptr;
  const unsigned bits = operand->getType()->getScalarSizeInBits();
  const bool isSelected =
      llvm::any_of(instruction.users(), [](const llvm::User *user) {
        return llvm::isa<llvm::SelectInst>(user);
      });
  return (bits > 1 && bits < 32) || (isSelected && (bits == 32 || bits == 64))
             ? operand
             : nullptr;
}

/// The value of an absolute value, made of a comparison and a select.
static llvm::Value *makeAbsolute(llvm::IRBuilder<> &builder,
                                 llvm::Value *operand) {
  llvm::Value *zero = llvm::Constant::getNullValue(operand->getType());
  return builder.CreateSelect(builder.CreateICmpSLT(operand, zero),
                              negate(builder, operand), operand);
}

void negateInWords(llvm::Module &module) {
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction :
         llvm::make_early_inc_range(llvm::instructions(function))) {
      llvm::IRBuilder<> builder(&instruction);
      llvm::Value *made = nullptr;
      if (auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
          call && call->getIntrinsicID() == llvm::Intrinsic::abs)
        made = makeAbsolute(builder, call->getArgOperand(0));
      else if (llvm::Value *operand = negatedBy(instruction))
        made = negate(builder, operand);
      else
        continue;
      instruction.replaceAllUsesWith(made);
      instruction.eraseFromParent();
    }
}

} // namespace gensyn::ptx
