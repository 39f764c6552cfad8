// Computes minima and maxima of narrow integers in 32 bits; see WidenExtrema.h.

#include "WidenExtrema.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

namespace gensyn::ptx {

static bool isNarrow(const llvm::Value &value) {
  const unsigned width = value.getType()->isIntOrIntVectorTy()
                             ? value.getType()->getScalarSizeInBits()
                             : 0;
  return width > 1 && width < 32;
}

static llvm::Value *extend(llvm::IRBuilder<> &builder, llvm::Value *value,
                           bool isSigned) {
  return builder.CreateIntCast(value, value->getType()->getWithNewBitWidth(32),
                               isSigned);
}

static void widen(llvm::MinMaxIntrinsic &extremum) {
  llvm::IRBuilder<> builder(&extremum);
  const bool isSigned = extremum.isSigned();
  llvm::Value *wide = builder.CreateBinaryIntrinsic(
      extremum.getIntrinsicID(), extend(builder, extremum.getLHS(), isSigned),
      extend(builder, extremum.getRHS(), isSigned));
  extremum.replaceAllUsesWith(builder.CreateTrunc(wide, extremum.getType()));
  extremum.eraseFromParent();
}

static void widen(llvm::ICmpInst &compare) {
  llvm::IRBuilder<> builder(&compare);
  for (llvm::Use &operand : compare.operands())
    operand = extend(builder, operand, compare.isSigned());
}

void widenExtrema(llvm::Module &module) {
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction :
         llvm::make_early_inc_range(llvm::instructions(function)))
      if (auto *extremum = llvm::dyn_cast<llvm::MinMaxIntrinsic>(&instruction);
          extremum && isNarrow(*extremum))
        widen(*extremum);
      else if (auto *compare = llvm::dyn_cast<llvm::ICmpInst>(&instruction);
               compare && compare->isRelational() &&
               isNarrow(*compare->getOperand(0)))
        widen(*compare);
}

} // namespace gensyn::ptx
