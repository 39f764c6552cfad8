// Windows of reductions: vectors along the last dimension of the results.

#include "Common/Rounding.h"
#include "Common/RowTiles.h"
#include "SimplifyIndices.h"
#include "WidenLoop.h"

#include "gensyn/Codegen/Cpu/Schedule.h"
#include "gensyn/Codegen/Kernel/IndexBuilder.h"
#include "gensyn/Codegen/Kernel/KernelLoops.h"
#include "gensyn/Codegen/Plan/InPlace.h"
#include "gensyn/Dialect/Repro/IR/LinearExpr.h"
#include "gensyn/Dialect/Repro/IR/TensorTypes.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/MathExtras.h"

#include <numeric>

using namespace mlir;

namespace gensyn::cpu {
namespace {

/// Approximate number of elements that a tile computes.
constexpr int64_t kTileElements = 1024;
/// Fewer lanes are not worth a vector.
constexpr int64_t kLeastLanes = 4;
/// Each phase has code of its own.
constexpr int64_t kMostPhases = 4;

/// The iteration over the results. Results of one phase are `phases` apart in
/// the last dimension.
struct WindowWalk : RowTiles {
  int64_t phases = 1;

  /// Number of elements of a phase in a row.
  int64_t count(int64_t phase) const {
    return ceilDiv(std::max<int64_t>(shape.back() - phase, 0), phases);
  }
};

/// True if the points of an op form windows (domain_c4): some index combines
/// iterators.
bool hasWindows(repro::DomainOpInterface op) {
  return llvm::any_of(
      op.getIterationMaps().getAsValueRange<AffineMapAttr>(),
      [&](AffineMap map) {
        return llvm::any_of(map.getResults(), [&](AffineExpr expr) {
          auto linear = repro::LinearExpr::get(expr, map.getNumDims());
          return succeeded(linear) && linear->iterators().size() > 1;
        });
      });
}

/// The distance of results that read in the same way: where the last index of a
/// result combines iterators (shape P), those of one phase.
int64_t countPhases(repro::DomainOpInterface op) {
  auto maps = op.getIterationMaps().getAsValueRange<AffineMapAttr>();
  AffineMap map = *std::next(maps.begin(), op->getNumOperands());
  if (map.getNumResults() == 0)
    return 1;
  auto linear =
      repro::LinearExpr::get(map.getResults().back(), map.getNumDims());
  int64_t most = 1;
  if (succeeded(linear) && linear->iterators().size() > 1)
    for (unsigned iterator : linear->iterators())
      most = std::max<int64_t>(most, std::abs(linear->coefficients[iterator]));
  return most;
}

/// True if lanes can execute the op together: windows in one chain, elementwise
/// ops, movement.
bool isSimple(Operation &op) {
  if (auto fault = dyn_cast<repro::FaultOpInterface>(op);
      fault && fault.mayFault())
    return false;
  if (auto ordered = dyn_cast<repro::OrderedOpInterface>(op)) {
    auto order = dyn_cast_or_null<repro::OrderAttr>(ordered.getAssignedOrder());
    if (ordered.needsOrder() && !(order && order.getOrder().isSequential()))
      return false;
  }
  return isa<repro::DomainOpInterface>(op) ||
         op.hasTrait<OpTrait::Elementwise>() ||
         repro::getElementCost(&op) <= repro::ElementCost::Several;
}

std::optional<WindowWalk> findWalk(repro::KernelOp kernel) {
  SmallVector<codegen::KernelLoop> loops = codegen::getParallelLoops(kernel);
  if (codegen::getColumnOp(kernel) || loops.size() != 1 ||
      kernel.getScheduleAttr() || !codegen::findInPlacePairs(kernel).empty())
    return std::nullopt;
  WindowWalk walk;
  walk.shape = llvm::to_vector(repro::shapeOf(kernel.getResult(0)));
  if (walk.shape.empty() || llvm::is_contained(walk.shape, 0))
    return std::nullopt;
  bool isWindow = false;
  for (Operation &op : kernel.getBlock().without_terminator()) {
    if (!isSimple(op))
      return std::nullopt;
    auto domain = dyn_cast<repro::DomainOpInterface>(op);
    if (!domain)
      continue;
    isWindow |= hasWindows(domain);
    walk.phases = std::lcm(walk.phases, countPhases(domain));
    if (walk.phases > kMostPhases)
      walk.phases = 1;
  }
  if (!isWindow || walk.count(walk.phases - 1) < kLeastLanes)
    return std::nullopt;
  walk.divide(kTileElements);
  return walk;
}

class WindowSchedule final : public Schedule {
public:
  StringRef getName() const override { return "window"; }

  std::optional<KernelPlan> match(repro::KernelOp kernel,
                                  const Target &) const override {
    auto walk = findWalk(kernel);
    if (!walk)
      return std::nullopt;
    KernelPlan plan;
    plan.launches.emplace_back().tiles = walk->tiles;
    return plan;
  }

  LogicalResult emit(repro::KernelOp kernel, const KernelPlan &, unsigned,
                     const Target &target, const KernelFunction &function,
                     OpBuilder &b) const override {
    const WindowWalk walk = *findWalk(kernel);
    Location loc = kernel.getLoc();
    const codegen::IndexBuilder index(b, loc);
    auto enter = [&](Value begin, Value end) {
      auto loop = scf::ForOp::create(b, loc, begin, end, index(1));
      b.setInsertionPoint(loop.getBody()->getTerminator());
      return loop;
    };
    auto tiles = enter(function.begin, function.end);
    SmallVector<Value> indices =
        index.delinearize(tiles.getInductionVar(), walk.tiledExtents());
    for (int64_t extent : walk.loopExtents())
      indices.push_back(enter(index(0), index(extent)).getInductionVar());
    for (int64_t phase = 0; phase < walk.phases; ++phase) {
      const int64_t count = walk.count(phase);
      auto elements = enter(index(0), index(count));
      Value last =
          index.add(index.mul(elements.getInductionVar(), walk.phases), phase);
      indices.push_back(last);
      if (failed(emitElements(kernel, function, indices, b)))
        return failure();
      indices.pop_back();
      b.setInsertionPointAfter(elements);
      simplifyIndices(elements);
      const int64_t width = target.lanes(4);
      const auto lanes = std::min<int64_t>(
          width, int64_t(llvm::PowerOf2Ceil(uint64_t(count))));
      (void)widenLoop(elements, {lanes, std::min(lanes, count),
                                 /*mayRepeat=*/true, target.hasMaskedAccess});
    }
    b.setInsertionPointAfter(tiles);
    return success();
  }

private:
  /// Emits the element of each result at `indices`.
  static LogicalResult emitElements(repro::KernelOp kernel,
                                    const KernelFunction &function,
                                    ArrayRef<Value> indices, OpBuilder &b) {
    codegen::KernelEmitter emitter(b, kernel.getLoc());
    emitter.bindAll(kernel, function.inputs, function.faults);
    FailureOr<SmallVector<Value>> values = emitter.results(kernel, indices);
    if (failed(values))
      return failure();
    for (auto [value, output] : llvm::zip_equal(*values, function.outputs))
      emitter.store(value, output, indices);
    return success();
  }
};

} // namespace

/// Accepts kernels with a reduction over windows, such as pooling and its
/// gradients, and ops that lanes execute together: elementwise ops and
/// movement. Lanes are results along the last dimension, each of which combines
/// its points in their order. A row is divided by the residue of the index if
/// windows have a stride that the result has (shape P), so that all lanes of a
/// vector read the same taps.
std::unique_ptr<Schedule> createWindowSchedule() {
  return std::make_unique<WindowSchedule>();
}

} // namespace gensyn::cpu
