// Replaces losses and updates by repro ops.

#include "gensyn/Conversion/TrainToRepro/Passes.h"
#include "gensyn/Dialect/Repro/IR/FormulaBuilder.h"
#include "gensyn/Dialect/Repro/IR/Repro.h"
#include "gensyn/Dialect/Train/IR/Train.h"

using namespace mlir;

namespace gensyn {
#define GEN_PASS_DEF_CONVERTTRAINTOREPROPASS
#include "gensyn/Conversion/TrainToRepro/Passes.h.inc"
} // namespace gensyn

using namespace gensyn;
using namespace gensyn::train;

namespace {
struct ConvertTrainToRepro final
    : gensyn::impl::ConvertTrainToReproPassBase<ConvertTrainToRepro> {
  using ConvertTrainToReproPassBase::ConvertTrainToReproPassBase;
  void runOnOperation() override;
};
} // namespace

void ConvertTrainToRepro::runOnOperation() {
  getOperation().walk([](Operation *op) {
    OpBuilder builder(op);
    repro::FormulaBuilder f(builder, op->getLoc());
    SmallVector<Value> values;
    if (auto loss = dyn_cast<LossOpInterface>(op))
      values = {loss.buildLoss(builder)};
    else if (auto update = dyn_cast<UpdateOp>(op))
      values = update.getRule().buildUpdate(
          f, {update.getParameter(), update.getGradient(), update.getRate(),
              update.getStates(), update.getShared()});
    else if (auto advance = dyn_cast<AdvanceOp>(op))
      values = advance.getRule().buildAdvance(f, advance.getShared());
    else
      return;
    op->replaceAllUsesWith(values);
    op->erase();
  });
}
