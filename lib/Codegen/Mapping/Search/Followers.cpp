// See Followers.h.

#include "Followers.h"

#include "gensyn/Dialect/Task/IR/Task.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace gensyn::repro;

namespace gensyn::mapping {

bool delaysCopies(KernelOp kernel, KernelOp beside) {
  // In a loop, another run of the body follows.
  if (!isa<func::FuncOp>(kernel->getParentOp()))
    return true;
  for (Operation *op = kernel->getNextNode(); op; op = op->getNextNode()) {
    auto next = dyn_cast<KernelOp>(op);
    if (!next && op->getNumRegions() > 0)
      return true;
    if (next && next != beside &&
        llvm::any_of(next.getInputs(), [](Value input) {
          return !input.getDefiningOp<KernelOp>();
        }))
      return true;
  }
  return false;
}

int64_t shareOf(KernelOp kernel) {
  auto share = kernel->getAttrOfType<IntegerAttr>(task::kShareAttr);
  return share ? share.getInt() : 1;
}

/// The kernel before or after one.
template <class Step>
static KernelOp findNeighbour(KernelOp kernel, Step step) {
  for (Operation *op = step(kernel); op; op = step(op))
    if (auto found = dyn_cast<KernelOp>(op))
      return found;
  return nullptr;
}

bool delaysCopies(KernelOp kernel) {
  auto after = [](Operation *op) { return op->getNextNode(); };
  auto before = [](Operation *op) { return op->getPrevNode(); };
  if (shareOf(kernel) == 1)
    return delaysCopies(kernel, nullptr);
  if (shareOf(kernel) > 2)
    return true;
  // Pairs may follow each other.
  bool isFirst = true;
  KernelOp other = findNeighbour(kernel, before);
  for (KernelOp own = other; own && shareOf(own) == 2;
       own = findNeighbour(own, before))
    isFirst = !isFirst;
  return delaysCopies(kernel, isFirst ? findNeighbour(kernel, after) : other);
}

} // namespace gensyn::mapping
