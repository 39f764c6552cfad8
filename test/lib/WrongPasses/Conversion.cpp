// A wrong conversion from kernels to functions: neither side has the other's
// form, so kernels are compared with functions.

#include "WrongPasses.h"

#include "gensyn/Codegen/Kernel/Passes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"

using namespace mlir;

namespace gensyn::wrong {

namespace {
class WrongConversion final
    : public PassWrapper<WrongConversion, OperationPass<ModuleOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(WrongConversion)
  StringRef getArgument() const override { return "wrong-convert-kernels"; }
  StringRef getDescription() const override {
    return "convert-repro-to-linalg with mul + add as fma";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    codegen::createConvertReproToLinalgPass()->getDependentDialects(registry);
  }
  void runOnOperation() override {
    const auto *fuse =
        llvm::find_if(getElementwisePasses(), [](const WrongPass &wrong) {
          return wrong.flag == "wrong-fuse";
        });
    SmallVector<Operation *> ops;
    getOperation()->walk([&](Operation *op) { ops.push_back(op); });
    IRRewriter rewriter(&getContext());
    for (Operation *op : ops) {
      rewriter.setInsertionPoint(op);
      fuse->rewrite(op, rewriter);
    }
    OpPassManager conversion(ModuleOp::getOperationName());
    conversion.addPass(codegen::createConvertReproToLinalgPass());
    if (failed(runPipeline(conversion, getOperation())))
      signalPassFailure();
  }
};
} // namespace

void registerWrongConversion() {
  registerPass([] { return std::make_unique<WrongConversion>(); });
}

} // namespace gensyn::wrong
