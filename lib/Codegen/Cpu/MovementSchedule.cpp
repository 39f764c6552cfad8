// Movement kernels: vectors along the last dimension of the results.

#include "Common/RowTiles.h"
#include "LaneWalk.h"
#include "gensyn/Codegen/Cpu/Schedule.h"
#include "gensyn/Codegen/Kernel/BufferTypes.h"
#include "gensyn/Codegen/Kernel/IndexBuilder.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace gensyn::cpu {
namespace {

/// Approximate number of elements that a tile computes.
constexpr int64_t kTileElements = 4096;
/// Fewer lanes are not worth a vector.
constexpr int64_t kLeastLanes = 4;

/// The iteration over the results. The last dimension of the shape is their
/// last `joined` ones.
struct MovementWalk : RowTiles {
  int64_t joined = 1;
  /// Elements of a vector along the last dimension.
  int64_t width = 0;
  /// The remaining elements are the first lanes of a vector.
  bool hasMask = false;

  int64_t length() const { return shape.back(); }
  int64_t rest() const { return length() % width; }
  int64_t whole() const { return length() - rest(); }
  /// Loads and stores of a row per element of it.
  double cost() const {
    const int64_t parts = length() / width + (hasMask ? rest() > 0 : rest());
    return double(parts) / double(length());
  }
};

/// True if every element in memory takes the bytes of a vector's lane: those of
/// less take more than an instruction to load with a mask on some processors.
bool hasWideElements(repro::KernelOp kernel) {
  auto isWide = [](Type type) {
    Type element =
        codegen::getScalarType(cast<ShapedType>(type).getElementType());
    return element.getIntOrFloatBitWidth() >= 32;
  };
  return llvm::all_of(kernel->getOperandTypes(), isWide) &&
         llvm::all_of(kernel.getResultTypes(), isWide);
}

std::optional<MovementWalk> findMovementWalk(repro::KernelOp kernel,
                                             const Target &target) {
  ArrayRef<int64_t> shape =
      cast<ShapedType>(kernel.getResult(0).getType()).getShape();
  for (Type type : kernel.getResultTypes())
    if (cast<ShapedType>(type).getShape() != shape)
      return std::nullopt;
  if (shape.empty() || llvm::is_contained(shape, 0))
    return std::nullopt;
  MovementWalk best;
  double least = 1;
  for (size_t joined = 1; joined <= shape.size(); ++joined) {
    const int64_t length = llvm::product_of(shape.take_back(joined));
    if (joined > 1 && length > kTileElements)
      break;
    MovementWalk walk;
    walk.shape.assign(shape.begin(), shape.end() - long(joined));
    walk.shape.push_back(length);
    walk.joined = int64_t(joined);
    for (walk.width = target.lanes(4); walk.width >= kLeastLanes;
         walk.width /= 2) {
      walk.hasMask = target.hasMaskedAccess && length >= kLeastLanes &&
                     hasWideElements(kernel);
      // As wide as it can be without lanes that are masked everywhere.
      const bool isNarrower = best.width > 0 && walk.joined == best.joined;
      if (isNarrower ? walk.cost() > least : walk.cost() >= least)
        continue;
      LaneWalk lanes(kernel, walk.width, walk.joined);
      if (!llvm::all_of(kernel.getYielded(),
                        [&](Value value) { return lanes.fits(value); }))
        continue;
      best = walk;
      least = walk.cost();
    }
  }
  if (best.width == 0)
    return std::nullopt;
  best.divide(kTileElements);
  return best;
}

class MovementSchedule final : public Schedule {
public:
  StringRef getName() const override { return "movement"; }

  std::optional<KernelPlan> match(repro::KernelOp kernel,
                                  const Target &target) const override {
    if (kernel.getScheduleAttr())
      return std::nullopt;
    auto walk = findMovementWalk(kernel, target);
    if (!walk)
      return std::nullopt;
    KernelPlan plan;
    plan.launches.emplace_back().tiles = walk->tiles;
    return plan;
  }

  LogicalResult emit(repro::KernelOp kernel, const KernelPlan &, unsigned,
                     const Target &target, const KernelFunction &function,
                     OpBuilder &b) const override {
    const MovementWalk walk = *findMovementWalk(kernel, target);
    Location loc = kernel.getLoc();
    const codegen::IndexBuilder index(b, loc);
    auto enter = [&](Value begin, Value end, int64_t step) -> Value {
      auto loop = scf::ForOp::create(b, loc, begin, end, index(step));
      b.setInsertionPoint(loop.getBody()->getTerminator());
      return loop.getInductionVar();
    };
    Value tile = enter(function.begin, function.end, 1);
    Operation *outermost = b.getInsertionBlock()->getParentOp();
    SmallVector<Value> indices = index.delinearize(tile, walk.tiledExtents());
    for (int64_t extent : walk.loopExtents())
      indices.push_back(enter(index(0), index(extent), 1));
    const LaneWalk lanes(kernel, walk.width, walk.joined);
    auto bindAll = [&](codegen::KernelEmitter &emitter) {
      for (auto [argument, buffer] :
           llvm::zip_equal(kernel.getBlock().getArguments(), function.inputs))
        emitter.bind(argument, buffer);
      for (auto [op, slot] :
           llvm::zip_equal(kernel.getFaultingOps(), function.faults))
        emitter.bindFault(op, slot);
    };
    auto emitAll = [&](codegen::KernelEmitter &emitter, ArrayRef<Value> at,
                       auto &&store) {
      SmallVector<Value> values;
      for (Value yielded : kernel.getYielded()) {
        values.push_back(emitter.element(yielded, at));
        if (!values.back())
          return failure();
      }
      for (auto [value, output] : llvm::zip_equal(values, function.outputs))
        store(value, output);
      return success();
    };
    // Zeros for the dimensions that the last one is joined with.
    indices.append(size_t(walk.joined) - 1, index(0));
    auto emitLanes = [&](Value first, int64_t active) {
      indices.push_back(first);
      WalkEmitter emitter(b, loc, lanes, walk.width, first, active);
      bindAll(emitter);
      const LogicalResult emitted =
          emitAll(emitter, indices, [&](Value value, Value output) {
            emitter.storeLanes(value, output, indices);
          });
      indices.pop_back();
      return emitted;
    };
    auto emitRest = [&] {
      indices.push_back(enter(index(walk.whole()), index(walk.length()), 1));
      codegen::KernelEmitter emitter(b, loc);
      bindAll(emitter);
      return emitAll(emitter, indices, [&](Value value, Value output) {
        emitter.store(value, output, indices);
      });
    };
    if (walk.whole() > 0) {
      OpBuilder::InsertionGuard guard(b);
      if (failed(emitLanes(enter(index(0), index(walk.whole()), walk.width),
                           walk.width)))
        return failure();
    }
    if (walk.rest() > 0) {
      OpBuilder::InsertionGuard guard(b);
      // The emitter needs an index to follow, which is no constant.
      if (failed(walk.hasMask
                     ? emitLanes(enter(index(walk.whole()),
                                       index(walk.length()), walk.width),
                                 walk.rest())
                     : emitRest()))
        return failure();
    }
    b.setInsertionPointAfter(outermost);
    return success();
  }
};

} // namespace

/// Accepts kernels of elementwise ops and ops that move elements (broadcasts,
/// transposes, reshapes, slices, pads, concats, reverses, gathers by indices
/// that are uniform along a row) if every vector of results along their last
/// dimension reads elements with a constant stride: vectors must not cross the
/// boundary of a part of a pad or concat, or of a dimension that a reshape
/// splits.
std::unique_ptr<Schedule> createMovementSchedule() {
  return std::make_unique<MovementSchedule>();
}

} // namespace gensyn::cpu
