// The baseline schedule: the kernel's parallel loops as loops over elements, or
// over vectors of elements where the code of an element can be widened.

#include "ColumnSchedule.h"
#include "WidenLoop.h"

#include "gensyn/Codegen/Cpu/Schedule.h"
#include "gensyn/Codegen/Kernel/EmitLoops.h"
#include "gensyn/Codegen/Kernel/IndexBuilder.h"
#include "gensyn/Codegen/Kernel/KernelLoops.h"
#include "gensyn/Codegen/Plan/InPlace.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace gensyn::cpu {
namespace {

/// The iteration of a loop: leading dimensions and blocks of the rest give the
/// tiles; the trailing dimensions that are joined give the vectors.
struct Division {
  Division(ArrayRef<int64_t> shape, int64_t width) : shape(shape) {
    const auto rank = unsigned(shape.size());
    chooseLanes(width);
    // Enough tiles for all threads and no more, since each tile computes its
    // indices by division.
    constexpr int64_t enough = 256;
    while (tiled + joined < rank && leading < enough)
      leading *= shape[tiled++];
    if (isWide() && leading < enough) {
      // A block is whole vectors; the last one has the rest, too.
      constexpr int64_t shortest = 1024;
      length = std::max(shortest, joinedCount() / (enough / leading));
      length -= length % lanes;
      blocks = std::max<int64_t>(joinedCount() / length, 1);
    }
  }

  int64_t tiles() const { return leading * blocks; }
  bool isWide() const { return lanes > 1; }
  int64_t joinedCount() const {
    return ShapedType::getNumElements(shape.take_back(joined));
  }

  ArrayRef<int64_t> shape;
  unsigned tiled = 0, joined = 0;
  int64_t leading = 1; ///< product of the tiled dimensions
  int64_t blocks = 1, length = 0;
  int64_t lanes = 1, active = 1;

private:
  /// Vectors of the last dimension if they have few idle lanes; otherwise its
  /// elements are counted through several dimensions, which costs divisions.
  void chooseLanes(int64_t width) {
    if (shape.empty())
      return;
    int64_t best = 0;
    const int64_t last = shape.back();
    for (int64_t candidate = width; candidate >= 4; candidate /= 2) {
      const int64_t vectors = (last + candidate - 1) / candidate;
      if (last >= best * vectors) { // of equals, the narrowest
        best = last / vectors;
        lanes = candidate;
      }
    }
    joined = 1;
    if (best < 5) {
      lanes = width;
      while (joined < shape.size() && joinedCount() < 8 * width)
        ++joined;
    }
    active = std::min(lanes, joinedCount());
    if (active < 4) {
      lanes = active = 1;
      joined = 0;
    }
  }
};

/// Loops over the tiles [begin, end) of those that the function runs, counted
/// from `first`: the tile determines the first indices, loops the others.
class TileLoops {
public:
  TileLoops(Location location, const KernelFunction &function,
            OpBuilder &builder, bool mayRepeat, bool hasMaskedAccess)
      : location(location), function(function), builder(builder),
        index(builder, location), mayRepeat(mayRepeat),
        hasMaskedAccess(hasMaskedAccess) {}

  /// `emitBody` emits the body of the innermost loop at its indices.
  void emit(const Division &division, int64_t first, bool isOnly,
            function_ref<void(ArrayRef<Value>)> emitBody) {
    ArrayRef<int64_t> shape = division.shape;
    Value begin = function.begin, end = function.end;
    if (!isOnly) {
      begin = arith::MaxUIOp::create(builder, location, begin, index(first));
      end = index.min(end, first + division.tiles());
    }
    auto tiles = enter(begin, end);
    Value tile = tiles.getInductionVar();
    if (first != 0)
      tile = index.sub(tile, index(first));
    Value from = index(0), to = index(division.joinedCount());
    if (division.blocks > 1) {
      Value block = index.rem(tile, division.blocks);
      tile = index.div(tile, division.blocks);
      from = index.mul(block, division.length);
      Value isLast =
          index.compare(arith::CmpIPredicate::eq, block, division.blocks - 1);
      to = index.select(isLast, to, index.add(from, division.length));
    }
    SmallVector<Value> indices =
        index.delinearize(tile, shape.take_front(division.tiled));
    for (int64_t extent :
         shape.drop_front(division.tiled).drop_back(division.joined))
      indices.push_back(enter(index(0), index(extent)).getInductionVar());
    if (!division.isWide()) {
      emitBody(indices);
    } else {
      auto elements = enter(from, to);
      ArrayRef<int64_t> joined = shape.take_back(division.joined);
      indices.append(index.delinearize(elements.getInductionVar(), joined));
      emitBody(indices);
      (void)widenLoop(elements, {division.lanes, division.active, mayRepeat,
                                 hasMaskedAccess});
    }
    builder.setInsertionPointAfter(tiles);
  }

private:
  scf::ForOp enter(Value begin, Value end) {
    auto loop = scf::ForOp::create(builder, location, begin, end, index(1));
    builder.setInsertionPoint(loop.getBody()->getTerminator());
    return loop;
  }

  Location location;
  const KernelFunction &function;
  OpBuilder &builder;
  codegen::IndexBuilder index;
  bool mayRepeat, hasMaskedAccess;
};

/// Clones the body of a generic at `indices`.
void cloneGeneric(linalg::GenericOp generic, ArrayRef<Value> indices,
                  OpBuilder &builder) {
  IRMapping mapping;
  for (Operation &op : *generic.getBody()) {
    if (auto at = dyn_cast<linalg::IndexOp>(op)) {
      mapping.map(at.getResult(), indices[at.getDim()]);
    } else if (auto yield = dyn_cast<linalg::YieldOp>(op)) {
      for (auto [value, output] :
           llvm::zip_equal(yield.getValues(), generic.getOutputs()))
        memref::StoreOp::create(builder, generic.getLoc(),
                                mapping.lookupOrDefault(value), output,
                                indices);
    } else {
      builder.clone(op, mapping);
    }
  }
}

/// Clones the body of a parallel loop at `indices`; a loop with a single
/// iteration has none.
void cloneParallel(scf::ParallelOp loop, ArrayRef<Value> indices,
                   OpBuilder &builder) {
  IRMapping mapping;
  for (auto [number, variable] : llvm::enumerate(loop.getInductionVars()))
    if (number < indices.size())
      mapping.map(variable, indices[number]);
  for (Operation &op : loop.getBody()->without_terminator())
    builder.clone(op, mapping);
}

class Baseline final : public Schedule {
public:
  StringRef getName() const override { return kBaselineSchedule; }

  std::optional<KernelPlan> match(repro::KernelOp kernel,
                                  const Target &target) const override {
    if (auto plan = columns->match(kernel, target))
      return plan;
    LaunchPlan launch;
    launch.tiles = 0;
    for (const codegen::KernelLoop &loop : codegen::getParallelLoops(kernel))
      if (loop.getCount() > 0)
        launch.tiles += Division(loop.extents, target.lanes(4)).tiles();
    KernelPlan plan;
    plan.launches.push_back(launch);
    return plan;
  }

  LogicalResult emit(repro::KernelOp kernel, const KernelPlan &plan,
                     unsigned launch, const Target &target,
                     const KernelFunction &function,
                     OpBuilder &builder) const override {
    if (codegen::getColumnOp(kernel))
      return columns->emit(kernel, plan, launch, target, function, builder);
    SmallVector<codegen::KernelLoop> loops = codegen::getParallelLoops(kernel);
    llvm::erase_if(loops, [](const codegen::KernelLoop &loop) {
      return loop.getCount() == 0;
    });
    if (loops.empty())
      return success();
    Block *block = builder.getInsertionBlock();
    if (failed(codegen::emitKernelAsLinalg(
            kernel, {function.inputs, function.outputs, function.faults},
            builder)))
      return failure();
    const int64_t width = target.lanes(4);
    TileLoops tiles(kernel.getLoc(), function, builder,
                    codegen::findInPlacePairs(kernel).empty(),
                    target.hasMaskedAccess);
    if (auto generic = dyn_cast<linalg::GenericOp>(block->back())) {
      builder.setInsertionPointToEnd(block);
      tiles.emit(Division(loops.front().extents, width), 0, /*isOnly=*/true,
                 [&](ArrayRef<Value> indices) {
                   cloneGeneric(generic, indices, builder);
                 });
      generic.erase();
    } else {
      SmallVector<scf::ParallelOp> bodies(block->getOps<scf::ParallelOp>());
      int64_t first = 0;
      for (auto [loop, body] : llvm::zip_equal(loops, bodies)) {
        builder.setInsertionPointToEnd(block);
        const Division division(loop.extents, width);
        tiles.emit(division, first, /*isOnly=*/false,
                   [&](ArrayRef<Value> indices) {
                     cloneParallel(body, indices, builder);
                   });
        first += division.tiles();
        body.erase();
      }
    }
    builder.setInsertionPointToEnd(block);
    return success();
  }

private:
  std::unique_ptr<Schedule> columns = createColumnSchedule();
};

} // namespace

std::unique_ptr<Schedule> createBaselineSchedule() {
  return std::make_unique<Baseline>();
}

} // namespace gensyn::cpu
