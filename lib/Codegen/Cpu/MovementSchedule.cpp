// Movement kernels: vectors along the last dimension of the results.

#include "Common/RowTiles.h"
#include "LaneWalk.h"
#include "RowReduceLanes.h"
#include "gensyn/Codegen/Cpu/Schedule.h"
#include "gensyn/Codegen/Kernel/IndexBuilder.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace gensyn::cpu {
namespace {

/// Approximate number of elements that a tile computes.
constexpr int64_t kTileElements = 4096;

/// The iteration over the results.
struct MovementWalk : RowTiles {
  /// Elements of a vector along the last dimension.
  int64_t width = 0;

  int64_t length() const { return shape.back(); }
  int64_t whole() const { return length() - length() % width; }
};

class MovementEmitter final : public LaneEmitter {
public:
  MovementEmitter(OpBuilder &builder, Location location, int64_t width,
                  Value first, const llvm::DenseSet<Value> &uniform)
      : LaneEmitter(builder, location, width, first, width,
                    /*isWhole=*/true),
        uniform(uniform) {}

protected:
  Value load(Value tensor, Value buffer, ArrayRef<Value> indices) override {
    // A value that becomes an index is a scalar.
    // NOLINTNEXTLINE(bugprone-parent-virtual-call)
    return uniform.contains(tensor)
               ? KernelEmitter::load(tensor, buffer, indices)
               : LaneEmitter::load(tensor, buffer, indices);
  }

private:
  const llvm::DenseSet<Value> &uniform;
};

std::optional<MovementWalk> findMovementWalk(repro::KernelOp kernel,
                                             const Target &target) {
  MovementWalk walk;
  walk.shape = cast<ShapedType>(kernel.getResult(0).getType()).getShape();
  for (Type type : kernel.getResultTypes())
    if (cast<ShapedType>(type).getShape() != walk.shape)
      return std::nullopt;
  if (walk.shape.empty() || llvm::is_contained(walk.shape, 0))
    return std::nullopt;
  // Minimizes loads and stores: vectors, and remaining elements.
  int64_t fewest = walk.length();
  for (int64_t width = target.lanes(4); width >= 4; width /= 2) {
    const int64_t parts = walk.length() / width + walk.length() % width;
    if (parts >= fewest)
      continue;
    LaneWalk lanes(kernel, width);
    if (!llvm::all_of(kernel.getYielded(),
                      [&](Value value) { return lanes.fits(value); }))
      continue;
    walk.width = width;
    fewest = parts;
  }
  if (walk.width == 0)
    return std::nullopt;
  walk.divide(kTileElements);
  return walk;
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
    SmallVector<Value> indices =
        index.delinearize(tile, walk.shape.take_front(walk.tiled));
    for (int64_t extent : walk.shape.drop_front(walk.tiled).drop_back())
      indices.push_back(enter(index(0), index(extent), 1));
    const LaneWalk lanes(kernel, walk.width);
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
    {
      OpBuilder::InsertionGuard guard(b);
      indices.push_back(enter(index(0), index(walk.whole()), walk.width));
      MovementEmitter emitter(b, loc, walk.width, indices.back(),
                              lanes.getIndexArguments());
      bindAll(emitter);
      if (failed(emitAll(emitter, indices, [&](Value value, Value output) {
            emitter.storeLanes(value, output, indices);
          })))
        return failure();
      indices.pop_back();
    }
    if (walk.whole() < walk.length()) {
      OpBuilder::InsertionGuard guard(b);
      indices.push_back(enter(index(walk.whole()), index(walk.length()), 1));
      codegen::KernelEmitter emitter(b, loc);
      bindAll(emitter);
      if (failed(emitAll(emitter, indices, [&](Value value, Value output) {
            emitter.store(value, output, indices);
          })))
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
