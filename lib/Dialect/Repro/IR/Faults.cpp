// A stack of scopes per thread.

#include "gensyn/Dialect/Repro/IR/Faults.h"

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

void gensyn::repro::recordFault(mlir::Operation *op, int64_t element) {
  if (FaultScope *scope = FaultScope::current())
    scope->record(op, element);
}
