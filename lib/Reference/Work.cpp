// See Work.h.

#include "gensyn/Reference/Work.h"

#include "gensyn/Dialect/Repro/IR/Repro.h"
#include "gensyn/Numerics/Sizes.h"

using namespace mlir;

namespace gensyn::reference {

template <class Count>
static int64_t sumOfResults(Operation *op, Count &&count) {
  int64_t sum = 0;
  for (Type type : op->getResultTypes())
    if (auto tensor = dyn_cast<RankedTensorType>(type))
      if (auto element = repro::getElementType(tensor.getElementType());
          element && tensor.hasStaticShape())
        sum = saturatingAdd(
            sum, count(*element, tensor.getShape()).value_or(INT64_MAX));
  return sum;
}

int64_t countResultBytes(Operation *op) {
  int64_t bytes = 0;
  op->walk([&](Operation *inner) {
    bytes = saturatingAdd(bytes,
                          sumOfResults(inner, [](ElementType type, auto shape) {
                            return countBytes(type, shape);
                          }));
  });
  return bytes;
}

int64_t countWork(Operation *op) {
  int64_t work = 0;
  for (Region &region : op->getRegions())
    for (Operation &inner : region.getOps())
      work = saturatingAdd(work, countWork(&inner));
  // Flops alone do not reflect the cost of a loop that moves data.
  if (auto loop = dyn_cast<repro::LoopOp>(op))
    work = saturatingMultiply(work, static_cast<int64_t>(loop.getTrips()));
  if (auto cost = dyn_cast<repro::CostOpInterface>(op))
    work = std::max(work, cost.getFlops());
  return saturatingAdd(work, sumOfResults(op, [](ElementType, auto shape) {
                         return countElements(shape);
                       }));
}

} // namespace gensyn::reference
