// Gives float reductions an order; the policy is OrderPolicy.cpp's.

#include "gensyn/Dialect/Repro/IR/Repro.h"
#include "gensyn/Dialect/Repro/Transforms/Passes.h"

namespace gensyn::repro {
#define GEN_PASS_DEF_ASSIGNORDERSPASS
#include "gensyn/Dialect/Repro/Transforms/Passes.h.inc"

namespace {
struct AssignOrders final : impl::AssignOrdersPassBase<AssignOrders> {
  using AssignOrdersPassBase::AssignOrdersPassBase;
  void runOnOperation() override {
    std::optional<Accuracy> wanted = accuracyFromName(accuracy);
    if (!wanted) {
      mlir::emitError(getOperation()->getLoc())
          << "accuracy '" << accuracy
          << "' is none of fast, accurate, exact, sliced";
      return signalPassFailure();
    }
    // What is not sliced.
    if (*wanted == Accuracy::Sliced)
      wanted = Accuracy::Fast;
    getOperation()->walk([&](OrderedOpInterface op) {
      if (op.needsOrder() && !op.getAssignedOrder())
        op.assignOrder(op.getDefaultOrder(*wanted));
    });
  }
};
} // namespace
} // namespace gensyn::repro
