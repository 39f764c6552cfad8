// See RowSteps.h.

#include "RowSteps.h"

#include <limits>

using namespace mlir;

namespace gensyn::cpu {

using repro::Placement;
using Role = repro::RowContraction::Role;

/// Kept to the end of a tile.
static constexpr int64_t kForever = std::numeric_limits<int64_t>::max();

RowSteps::RowSteps(const repro::KernelForm &form) {
  listSteps(form);
  findKept(form);
  assignSlots();
}

void RowSteps::listSteps(const repro::KernelForm &form) {
  llvm::SmallDenseSet<Value> listed;
  for (const repro::RowContraction &contraction : form.rowContractions)
    if (contraction.role == Role::Source)
      listed.insert(contraction.getFull());
  const unsigned phases = form.numPhases();
  for (unsigned phase = 0; phase <= phases; ++phase) {
    for (repro::ReduceOp reduce : form.reductionsOf(phase))
      steps.push_back({reduce, reduce.getOperand()});
    for (const repro::RowContraction &contraction : form.rowContractions)
      if (contraction.role != Role::Source &&
          form.phaseOf(contraction.getFull()) == phase &&
          listed.insert(contraction.getFull()).second)
        steps.push_back({repro::ReduceOp(), contraction.getFull()});
  }
}

void RowSteps::findKept(const repro::KernelForm &form) {
  for (const repro::RowContraction &contraction : form.rowContractions)
    if (slots.try_emplace(contraction.getFull()).second &&
        contraction.role == Role::Source)
      inOrder.push_back(contraction.getFull());
  for (auto [number, step] : llvm::enumerate(steps)) {
    llvm::DenseSet<Value> seen;
    visit(step.root, int64_t(number), form, seen);
  }
  for (const repro::RowContraction &contraction : form.rowContractions)
    if (contraction.role != Role::Source)
      slots[contraction.getFull()].lastReader = kForever;
}

/// Follows what a loop computes, down to kept values that are in memory.
void RowSteps::visit(Value value, int64_t step, const repro::KernelForm &form,
                     llvm::DenseSet<Value> &seen) {
  if (form.placementOf(value) != Placement::Full || !value.getDefiningOp() ||
      !seen.insert(value).second)
    return;
  auto kept = slots.find(value);
  if (kept == slots.end()) {
    auto [first, isNew] = firstVisits.try_emplace(value, step);
    const bool isExpensive = repro::getElementCost(value.getDefiningOp()) >=
                                 repro::ElementCost::Long &&
                             getElementTypeOrSelf(value.getType()).isF32();
    if (!isNew && isExpensive) {
      slots[value] = {first->second, step, 0};
      inOrder.push_back(value);
      return;
    }
  } else if (llvm::is_contained(inOrder, value)) {
    kept->second.lastReader = step;
    return;
  } else { // an operand of a contraction, computed for the first time
    kept->second.writer = kept->second.lastReader = step;
    inOrder.push_back(value);
  }
  for (Value operand : value.getDefiningOp()->getOperands())
    visit(operand, step, form, seen);
}

void RowSteps::assignSlots() {
  llvm::stable_sort(inOrder, [&](Value x, Value y) {
    return slots[x].writer < slots[y].writer;
  });
  SmallVector<Value> holders; // the last value of each slot
  for (Value value : inOrder) {
    Kept &kept = slots[value];
    auto *free = llvm::find_if(holders, [&](Value holder) {
      return slots[holder].lastReader <= kept.writer && kept.writer >= 0;
    });
    kept.slot = unsigned(free - holders.begin());
    if (free == holders.end())
      holders.push_back(value);
    else
      *free = value;
  }
  numSlots = unsigned(holders.size());
}

} // namespace gensyn::cpu
