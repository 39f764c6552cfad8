// Registers the wrong passes.

#include "WrongPasses.h"

#include "Mapping.h"
#include "gensyn/Dialect/Repro/IR/Repro.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassRegistry.h"

using namespace mlir;

namespace gensyn::wrong {

namespace {
/// Applies a wrong rewrite to every op once.
class RewritePass final : public PassWrapper<RewritePass, OperationPass<>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(RewritePass)
  explicit RewritePass(const WrongPass &wrong) : wrong(wrong) {}
  StringRef getArgument() const override { return wrong.flag; }
  StringRef getDescription() const override { return wrong.description; }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<repro::ReproDialect, arith::ArithDialect, LLVM::LLVMDialect,
                    math::MathDialect>();
  }
  void runOnOperation() override {
    SmallVector<Operation *> ops;
    getOperation()->walk([&](Operation *op) { ops.push_back(op); });
    IRRewriter rewriter(&getContext());
    for (Operation *op : ops) {
      rewriter.setInsertionPoint(op);
      wrong.rewrite(op, rewriter);
    }
  }

private:
  const WrongPass &wrong;
};

/// Changes the tasks of a module.
class MappingPass final
    : public PassWrapper<MappingPass, OperationPass<ModuleOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(MappingPass)
  explicit MappingPass(const WrongMapping &wrong) : wrong(wrong) {}
  StringRef getArgument() const override { return wrong.flag; }
  StringRef getDescription() const override { return wrong.description; }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<task::TaskDialect>();
  }
  void runOnOperation() override { wrong.change(getOperation()); }

private:
  const WrongMapping &wrong;
};
} // namespace

void registerWrongPasses() {
  for (ArrayRef<WrongPass> family :
       {getElementwisePasses(), getTensorPasses(), getLoweredPasses()})
    for (const WrongPass &wrong : family)
      registerPass([&wrong] { return std::make_unique<RewritePass>(wrong); });
  for (ArrayRef<WrongMapping> family :
       {getWrongTimes(), getWrongPlaces(), getWrongValues()})
    for (const WrongMapping &wrong : family)
      registerPass([&wrong] { return std::make_unique<MappingPass>(wrong); });
  registerWrongConversion();
}

} // namespace gensyn::wrong
