// See Divergence.h.

#include "Divergence.h"

#include "mlir/Analysis/DataFlow/ConstantPropagationAnalysis.h"
#include "mlir/Analysis/DataFlow/DeadCodeAnalysis.h"
#include "mlir/Analysis/DataFlow/IntegerRangeAnalysis.h"
#include "mlir/Analysis/DataFlowFramework.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;

namespace gensyn::cpu {

Divergence::Divergence(scf::ForOp loop) : loop(loop) {
  mark(loop.getInductionVar());
  do { // until the values that inner loops carry are settled
    hasChanged = false;
    propagate(*loop.getBody());
  } while (hasChanged);
}

bool Divergence::hasAny(ValueRange values) const {
  return llvm::any_of(values, [&](Value value) { return contains(value); });
}

void Divergence::mark(Value value) {
  hasChanged |= divergent.insert(value).second;
}

void Divergence::propagate(Block &block) {
  for (Operation &op : block) {
    if (auto inner = dyn_cast<scf::ForOp>(op)) {
      propagate(*inner.getBody());
      for (auto [number, carried] : llvm::enumerate(inner.getRegionIterArgs()))
        if (contains(inner.getInitArgs()[number]) ||
            contains(inner.getYieldedValues()[number])) {
          mark(carried);
          mark(inner.getResult(unsigned(number)));
        }
    } else if (auto branch = dyn_cast<scf::IfOp>(op)) {
      for (Region *region : branch.getRegions())
        if (!region->empty())
          propagate(region->front());
      for (auto [number, result] : llvm::enumerate(branch.getResults()))
        if (contains(branch.getCondition()) ||
            contains(branch.thenYield().getOperand(unsigned(number))) ||
            contains(branch.elseYield().getOperand(unsigned(number))))
          mark(result);
    } else if (hasAny(op.getOperands())) {
      for (Value result : op.getResults())
        mark(result);
    }
  }
}

bool Divergence::canWiden() {
  return llvm::all_of(*loop.getBody(),
                      [&](Operation &op) { return canWiden(op); });
}

static bool isSmall(Value buffer) {
  auto type = cast<MemRefType>(buffer.getType());
  return type.hasStaticShape() && type.getLayout().isIdentity() &&
         type.getNumElements() <= std::numeric_limits<int32_t>::max();
}

bool Divergence::canWiden(Operation &op) {
  auto all = [&](Block &block) {
    return llvm::all_of(block,
                        [&](Operation &inner) { return canWiden(inner); });
  };
  if (auto inner = dyn_cast<scf::ForOp>(op))
    return !hasAny({inner.getLowerBound(), inner.getUpperBound(),
                    inner.getStep()}) &&
           all(*inner.getBody());
  if (auto branch = dyn_cast<scf::IfOp>(op))
    return all(*branch.thenBlock()) &&
           (!branch.elseBlock() || all(*branch.elseBlock()));
  if (isa<scf::YieldOp, arith::ConstantOp>(op))
    return true;
  if (auto load = dyn_cast<memref::LoadOp>(op))
    return isSmall(load.getMemRef());
  if (auto store = dyn_cast<memref::StoreOp>(op))
    return isSmall(store.getMemRef()) && hasAny(store.getIndices());
  if (auto update = dyn_cast<memref::AtomicRMWOp>(op))
    return update->use_empty() && !hasAny(update.getIndices());
  if (op.getNumRegions() != 0 || !isMemoryEffectFree(&op))
    return false;
  if (!hasAny(op.getOperands()))
    return true;
  // A lane that does not execute may have any divisor.
  if (isa<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp,
          arith::CeilDivSIOp, arith::FloorDivSIOp, arith::CeilDivUIOp>(op) &&
      (contains(op.getOperand(1)) ||
       !matchPattern(op.getOperand(1), m_Constant())))
    return false;
  return OpTrait::hasElementwiseMappableTraits(&op) &&
         llvm::all_of(op.getOperandTypes(),
                      [](Type type) { return type.isIntOrIndexOrFloat(); });
}

unsigned Divergence::getIndexWidth() {
  DataFlowSolver solver;
  solver.load<dataflow::DeadCodeAnalysis>();
  solver.load<dataflow::SparseConstantPropagation>();
  solver.load<dataflow::IntegerRangeAnalysis>();
  if (failed(solver.initializeAndRun(
          loop->getParentOfType<FunctionOpInterface>())))
    return 64;
  for (Value value : divergent) {
    if (!isa<IndexType>(value.getType()))
      continue;
    auto *range = solver.lookupState<dataflow::IntegerValueRangeLattice>(value);
    if (!range || range->getValue().isUninitialized() ||
        range->getValue().getValue().smin().getSExtValue() <
            std::numeric_limits<int32_t>::min() ||
        range->getValue().getValue().smax().getSExtValue() >
            std::numeric_limits<int32_t>::max())
      return 64;
  }
  return 32;
}

} // namespace gensyn::cpu
