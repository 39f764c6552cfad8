// Refuses a module whose bits are not defined.

#include "gensyn/Dialect/Repro/IR/Repro.h"
#include "gensyn/Dialect/Repro/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;

namespace gensyn::repro {
#define GEN_PASS_DEF_VERIFYFROZENPASS
#include "gensyn/Dialect/Repro/Transforms/Passes.h.inc"

static bool isStatic(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && tensor.hasStaticShape();
}

static LogicalResult verifyOp(Operation *op) {
  if (!isa<ReproDialect>(op->getDialect()) &&
      !isa<func::FuncOp, func::ReturnOp, ModuleOp>(op))
    return op->emitError("'")
           << op->getName() << "' is not an op of the closed set";
  auto types = llvm::concat<Type>(llvm::to_vector(op->getOperandTypes()),
                                  llvm::to_vector(op->getResultTypes()));
  for (Type type : types)
    if (!isStatic(type))
      return op->emitOpError("has the type ")
             << type << ", whose shape is not static";
  if (auto ordered = dyn_cast<OrderedOpInterface>(op))
    if (ordered.needsOrder() && !ordered.getAssignedOrder())
      return op->emitOpError("has no order, so its bits are not defined");
  return success();
}

LogicalResult verifyFrozen(ModuleOp module) {
  WalkResult result = module.walk([](Operation *op) {
    return failed(verifyOp(op)) ? WalkResult::interrupt()
                                : WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

namespace {
struct VerifyFrozen final : impl::VerifyFrozenPassBase<VerifyFrozen> {
  using VerifyFrozenPassBase::VerifyFrozenPassBase;
  void runOnOperation() override {
    if (failed(verifyFrozen(getOperation())))
      signalPassFailure();
  }
};
} // namespace
} // namespace gensyn::repro
