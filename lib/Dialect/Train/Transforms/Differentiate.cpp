// Expands train.gradient to the ops that compute it (gradient_r1).

#include "gensyn/Dialect/Repro/Autodiff/Differentiate.h"
#include "gensyn/Dialect/Repro/IR/Repro.h"
#include "gensyn/Dialect/Train/IR/Train.h"
#include "gensyn/Dialect/Train/Transforms/Passes.h"
#include "llvm/ADT/SmallVectorExtras.h"

using namespace mlir;

namespace gensyn::train {
#define GEN_PASS_DEF_TRAINDIFFERENTIATEPASS
#include "gensyn/Dialect/Train/Transforms/Passes.h.inc"
} // namespace gensyn::train

using namespace gensyn;
using namespace gensyn::train;

/// Returns the operand of train.accumulate that an argument of its body comes
/// from, or the value itself.
static Value findOrigin(Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  auto accumulate =
      argument
          ? dyn_cast_or_null<AccumulateOp>(argument.getOwner()->getParentOp())
          : AccumulateOp();
  if (!accumulate || argument.getArgNumber() == 0)
    return value;
  return accumulate->getOperand(argument.getArgNumber() - 1);
}

/// Expands one train.gradient in place.
static LogicalResult expand(GradientOp gradient) {
  OpBuilder builder(gradient);
  Value loss = gradient.getLoss();
  // Kept, since a derivative may replace an op.
  SmallVector<Value> wrt(gradient.getWrt());
  repro::ReverseAccumulation accumulation(builder, wrt,
                                          llvm::map_to_vector(wrt, findOrigin));
  accumulation.seed(gradient.getLoc(), loss,
                    repro::createFilled(builder, gradient.getLoc(),
                                        cast<RankedTensorType>(loss.getType()),
                                        1.0));
  if (failed(accumulation.run(*gradient->getBlock(), gradient)))
    return failure();
  for (auto [value, result] : llvm::zip_equal(wrt, gradient.getGradients())) {
    Value cotangent = accumulation.lookup(value);
    if (!cotangent)
      cotangent =
          repro::createFilled(builder, gradient.getLoc(),
                              cast<RankedTensorType>(value.getType()), 0.0);
    result.replaceAllUsesWith(cotangent);
  }
  gradient.erase();
  return success();
}

namespace {
struct Differentiate final
    : train::impl::TrainDifferentiatePassBase<Differentiate> {
  using TrainDifferentiatePassBase::TrainDifferentiatePassBase;
  void runOnOperation() override;
};
} // namespace

void Differentiate::runOnOperation() {
  // In program order, since the operand of a gradient may be a gradient.
  SmallVector<GradientOp> gradients;
  getOperation().walk([&](GradientOp op) { gradients.push_back(op); });
  for (GradientOp op : gradients)
    if (failed(expand(op)))
      return signalPassFailure();
  getOperation().walk([](StopGradientOp op) {
    op.getResult().replaceAllUsesWith(op.getOperand());
    op.erase();
  });
}
