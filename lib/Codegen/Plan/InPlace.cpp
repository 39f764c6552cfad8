// Follows each operand through a kernel to the results that it reaches.

#include "gensyn/Codegen/Plan/InPlace.h"

#include "gensyn/Dialect/Repro/Analysis/KernelForm.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;

namespace gensyn::codegen {

/// Returns the indices of the results that `value` reaches through ops that
/// compute element e of their results from the elements e of their operands;
/// std::nullopt if it reaches another op, which may read any element.
static std::optional<SmallVector<unsigned>> findReached(Value value) {
  SmallVector<Value> open = {value};
  llvm::SmallPtrSet<Operation *, 16> seen;
  SmallVector<unsigned> reached;
  while (!open.empty()) {
    for (OpOperand &use : open.pop_back_val().getUses()) {
      Operation *user = use.getOwner();
      if (isa<repro::YieldOp>(user)) {
        reached.push_back(use.getOperandNumber());
        continue;
      }
      if (!user->hasTrait<OpTrait::Elementwise>() &&
          !isa<repro::ReshapeOp>(user))
        return std::nullopt;
      if (seen.insert(user).second)
        open.append(user->result_begin(), user->result_end());
    }
  }
  return reached;
}

/// True if one loop computes the results: the only component, or one of
/// several.
static bool areTogether(const repro::KernelForm &form,
                        ArrayRef<unsigned> results) {
  if (form.kind == repro::KernelKind::Pointwise)
    return true;
  return llvm::any_of(form.components,
                      [&](const repro::KernelComponent &component) {
                        return llvm::all_of(results, [&](unsigned result) {
                          return llvm::is_contained(component.outputs, result);
                        });
                      });
}

/// Returns the operand that a kernel of one scatter reads only as its base: a
/// column reads the base's elements, in order to copy them, before it writes
/// updates.
static std::optional<unsigned> findBase(repro::KernelOp kernel) {
  if (kernel.getNumResults() != 1)
    return std::nullopt;
  auto scatter = kernel.getYielded().front().getDefiningOp<repro::ScatterOp>();
  auto base = scatter ? dyn_cast<BlockArgument>(scatter.getBase()) : nullptr;
  if (!base || !base.hasOneUse())
    return std::nullopt;
  return base.getArgNumber();
}

/// Returns the pairs of operands that only elementwise ops read, for results
/// that `mayShare` accepts.
static SmallVector<InPlacePair>
findPairs(repro::KernelOp kernel,
          function_ref<bool(ArrayRef<unsigned>)> mayShare) {
  SmallVector<InPlacePair> pairs;
  for (BlockArgument argument : kernel.getBlock().getArguments()) {
    std::optional<SmallVector<unsigned>> reached = findReached(argument);
    if (!reached || reached->empty() || !mayShare(*reached) ||
        llvm::any_of(*reached, [&](unsigned result) {
          return kernel.getResult(result).getType() != argument.getType();
        }))
      continue;
    llvm::sort(*reached);
    reached->erase(llvm::unique(*reached), reached->end());
    for (unsigned result : *reached)
      pairs.push_back({argument.getArgNumber(), result});
  }
  return pairs;
}

SmallVector<InPlacePair> findInPlacePairs(repro::KernelOp kernel) {
  if (std::optional<unsigned> base = findBase(kernel))
    return {{*base, 0}};
  const repro::KernelForm form = repro::getKernelForm(kernel);
  if (form.kind != repro::KernelKind::Pointwise &&
      form.kind != repro::KernelKind::Horizontal)
    return {};
  return findPairs(kernel, [&](ArrayRef<unsigned> results) {
    return areTogether(form, results);
  });
}

SmallVector<InPlacePair> findElementwisePairs(repro::KernelOp kernel) {
  return findPairs(kernel, [](ArrayRef<unsigned>) { return true; });
}

} // namespace gensyn::codegen
