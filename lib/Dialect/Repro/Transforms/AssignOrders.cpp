// Gives float reductions their default order; the policy is OrderPolicy.cpp's.

#include "gensyn/Dialect/Repro/IR/Repro.h"
#include "gensyn/Dialect/Repro/Transforms/Passes.h"

namespace gensyn::repro {
#define GEN_PASS_DEF_ASSIGNORDERSPASS
#include "gensyn/Dialect/Repro/Transforms/Passes.h.inc"

namespace {
struct AssignOrders final : impl::AssignOrdersPassBase<AssignOrders> {
  using AssignOrdersPassBase::AssignOrdersPassBase;
  void runOnOperation() override {
    getOperation()->walk([](OrderedOpInterface op) {
      if (op.needsOrder() && !op.getAssignedOrder())
        op.assignOrder(op.getDefaultOrder());
    });
  }
};
} // namespace
} // namespace gensyn::repro
