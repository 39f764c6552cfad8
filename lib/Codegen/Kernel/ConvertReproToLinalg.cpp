// Converts repro.kernel to functions of parallel loops on buffers.

#include "gensyn/Codegen/Kernel/BufferTypes.h"
#include "gensyn/Codegen/Kernel/EmitLoops.h"
#include "gensyn/Codegen/Kernel/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace gensyn::codegen {
#define GEN_PASS_DEF_CONVERTREPROTOLINALGPASS
#include "gensyn/Codegen/Kernel/Passes.h.inc"

FailureOr<func::FuncOp> convertKernelToLinalg(repro::KernelOp kernel,
                                              ModuleOp module) {
  OpBuilder builder(module.getContext());
  builder.setInsertionPointToEnd(module.getBody());
  auto function =
      func::FuncOp::create(builder, kernel.getLoc(), kernel.getSym(),
                           builder.getFunctionType(getBufferTypes(kernel), {}));
  builder.setInsertionPointToStart(function.addEntryBlock());
  ValueRange arguments(function.getArguments());
  const size_t inputs = kernel.getInputs().size();
  KernelBuffers buffers = {
      arguments.take_front(inputs),
      arguments.slice(inputs, kernel.getNumResults()),
      arguments.drop_front(inputs + kernel.getNumResults())};
  LogicalResult emitted = emitKernelAsLinalg(kernel, buffers, builder);
  builder.setInsertionPointToEnd(&function.getBody().front());
  func::ReturnOp::create(builder, kernel.getLoc());
  if (failed(emitted)) {
    function.erase();
    return failure();
  }
  return function;
}

namespace {
struct ConvertReproToLinalg final
    : impl::ConvertReproToLinalgPassBase<ConvertReproToLinalg> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    SmallVector<repro::KernelOp> kernels;
    module.walk([&](repro::KernelOp kernel) { kernels.push_back(kernel); });
    llvm::SetVector<Operation *> holders;
    for (repro::KernelOp kernel : kernels) {
      holders.insert(kernel->getParentOfType<func::FuncOp>());
      if (failed(convertKernelToLinalg(kernel, module)))
        return signalPassFailure();
    }
    for (Operation *holder : holders)
      holder->erase();
  }
};
} // namespace

} // namespace gensyn::codegen
