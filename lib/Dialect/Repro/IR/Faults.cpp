// A stack of scopes per thread.

#include "gensyn/Dialect/Repro/IR/Faults.h"

#include "gensyn/Dialect/Repro/IR/Repro.h"

#include <algorithm>

using namespace gensyn::repro;

static thread_local FaultScope *innermost = nullptr;

FaultScope::FaultScope() : outer(innermost) { innermost = this; }
FaultScope::~FaultScope() { innermost = outer; }
FaultScope *FaultScope::current() { return innermost; }

void FaultScope::record(mlir::Operation *op, int64_t element) {
  const uint64_t position = iteration << 40 | static_cast<uint64_t>(element);
  auto [slot, isNew] = positions.try_emplace(op, position);
  if (!isNew)
    slot->second = std::min(slot->second, position);
}

void FaultScope::setIteration(int64_t index) {
  iteration =
      static_cast<uint64_t>(std::min<int64_t>(index, (int64_t{1} << 24) - 1));
}

std::vector<uint64_t> FaultScope::getPositions(mlir::Operation *root) const {
  std::vector<uint64_t> ofSlots;
  for (auto [op, slot] : getFaultSlots(root)) {
    ofSlots.resize(std::max<size_t>(ofSlots.size(), slot + 1), kNoFault);
    if (const auto *found = positions.find(op); found != positions.end())
      ofSlots[slot] = found->second;
  }
  return ofSlots;
}

void gensyn::repro::recordFault(mlir::Operation *op, int64_t element) {
  if (FaultScope *scope = FaultScope::current())
    scope->record(op, element);
}

/// Far above the needs of programs, so that no text makes a plan of 2^31 slots.
static constexpr int64_t kMostSlots = int64_t{1} << 22;

llvm::MapVector<mlir::Operation *, unsigned>
gensyn::repro::getFaultSlots(mlir::Operation *root) {
  llvm::MapVector<mlir::Operation *, unsigned> counted, given;
  root->walk([&](FaultOpInterface op) {
    if (!op.mayFault())
      return;
    counted.insert({op, static_cast<unsigned>(counted.size())});
    auto slot = op->getAttrOfType<mlir::IntegerAttr>(kFaultSlotAttr);
    if (slot && slot.getType().isSignlessInteger(64) && slot.getInt() >= 0 &&
        slot.getInt() < kMostSlots)
      given.insert({op, static_cast<unsigned>(slot.getInt())});
  });
  return given.empty() ? counted : given;
}

void gensyn::repro::numberFaultSlots(mlir::Operation *root) {
  mlir::Builder builder(root->getContext());
  for (auto [op, slot] : getFaultSlots(root))
    op->setAttr(kFaultSlotAttr, builder.getI64IntegerAttr(slot));
}
