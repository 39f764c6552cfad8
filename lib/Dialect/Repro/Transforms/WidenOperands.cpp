// Widens narrow operands of contractions in their own kernels.

#include "gensyn/Dialect/Repro/IR/Repro.h"
#include "gensyn/Dialect/Repro/Transforms/Passes.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "repro-widen-operands"

using namespace mlir;

namespace gensyn::repro {
#define GEN_PASS_DEF_WIDENOPERANDSPASS
#include "gensyn/Dialect/Repro/Transforms/Passes.h.inc"

namespace {

/// True if every user of the argument is a contraction to f32, which widens it
/// without rounding.
bool isWidened(BlockArgument argument) {
  Type element = cast<ShapedType>(argument.getType()).getElementType();
  return (element.isF16() || element.isBF16()) && !argument.use_empty() &&
         llvm::all_of(argument.getUsers(), [](Operation *user) {
           auto contract = dyn_cast<ContractOp>(user);
           return contract && cast<ShapedType>(contract.getResult().getType())
                                  .getElementType()
                                  .isF32();
         });
}

/// Widens operand `number` of the kernel by another kernel before it.
Value widen(KernelOp kernel, unsigned number) {
  OpBuilder builder(kernel);
  Value value = kernel->getOperand(number);
  auto type = cast<RankedTensorType>(value.getType());
  auto wide = type.clone(builder.getF32Type());
  auto made = KernelOp::create(
      builder, kernel.getLoc(), TypeRange(wide),
      (kernel.getSym() + "_widen" + Twine(number)).str(), value,
      /*schedule=*/Attribute());
  Block &block = made.getBody().emplaceBlock();
  Value inside = block.addArgument(type, value.getLoc());
  builder.setInsertionPointToEnd(&block);
  Value result = ConvertOp::create(builder, kernel.getLoc(), wide, inside);
  YieldOp::create(builder, kernel.getLoc(), result);
  return made.getResult(0);
}

struct WidenOperands final : impl::WidenOperandsPassBase<WidenOperands> {
  void runOnOperation() override {
    SmallVector<KernelOp> kernels;
    getOperation()->walk([&](KernelOp kernel) { kernels.push_back(kernel); });
    for (KernelOp kernel : kernels)
      for (BlockArgument argument : kernel.getBlock().getArguments()) {
        if (!isWidened(argument))
          continue;
        LDBG() << "widens operand " << argument.getArgNumber() << " of "
               << kernel.getSym();
        Value wide = widen(kernel, argument.getArgNumber());
        kernel->setOperand(argument.getArgNumber(), wide);
        argument.setType(wide.getType());
      }
  }
};

} // namespace
} // namespace gensyn::repro

#undef DEBUG_TYPE
