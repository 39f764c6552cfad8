// The baseline schedule: the kernel's parallel loops as loops over elements.

#include "ColumnSchedule.h"

#include "gensyn/Codegen/Cpu/Schedule.h"
#include "gensyn/Codegen/Kernel/EmitLoops.h"
#include "gensyn/Codegen/Kernel/IndexBuilder.h"
#include "gensyn/Codegen/Kernel/KernelLoops.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace gensyn::cpu {
namespace {

/// Returns the number of leading dimensions that form the tiles: enough for all
/// threads and no more, since each tile computes its indices by division.
unsigned tiledDims(ArrayRef<int64_t> shape) {
  constexpr int64_t enough = 256;
  int64_t tiles = 1;
  for (unsigned dim = 0; dim < shape.size(); ++dim) {
    if (tiles >= enough)
      return dim;
    tiles *= shape[dim];
  }
  return static_cast<unsigned>(shape.size());
}

/// Loops over the tiles [begin, end) of those that the function runs, counted
/// from `first`: the tile determines the first indices, loops the others.
class TileLoops {
public:
  TileLoops(Location location, const KernelFunction &function,
            OpBuilder &builder)
      : location(location), function(function), builder(builder),
        index(builder, location) {}

  /// `emitBody` emits the body of the innermost loop at its indices.
  void emit(ArrayRef<int64_t> shape, int64_t first, bool isOnly,
            function_ref<void(ArrayRef<Value>)> emitBody) {
    const unsigned tiled = tiledDims(shape);
    Value begin = function.begin, end = function.end;
    if (!isOnly) {
      begin = arith::MaxUIOp::create(builder, location, begin, index(first));
      end = index.min(
          end, first + ShapedType::getNumElements(shape.take_front(tiled)));
    }
    auto tiles = scf::ForOp::create(builder, location, begin, end, index(1));
    builder.setInsertionPoint(tiles.getBody()->getTerminator());
    Value tile = tiles.getInductionVar();
    if (first != 0)
      tile = index.sub(tile, index(first));
    SmallVector<Value> indices =
        index.delinearize(tile, shape.take_front(tiled));
    for (int64_t extent : shape.drop_front(tiled)) {
      auto loop = scf::ForOp::create(builder, location, index(0), index(extent),
                                     index(1));
      builder.setInsertionPoint(loop.getBody()->getTerminator());
      indices.push_back(loop.getInductionVar());
    }
    emitBody(indices);
    builder.setInsertionPointAfter(tiles);
  }

private:
  Location location;
  const KernelFunction &function;
  OpBuilder &builder;
  codegen::IndexBuilder index;
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
  StringRef getName() const override { return "baseline"; }

  std::optional<KernelPlan> match(repro::KernelOp kernel,
                                  const Target &target) const override {
    if (auto plan = columns->match(kernel, target))
      return plan;
    LaunchPlan launch;
    launch.tiles = 0;
    for (const codegen::KernelLoop &loop : codegen::getParallelLoops(kernel))
      launch.tiles += countTiles(loop);
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
    TileLoops tiles(kernel.getLoc(), function, builder);
    if (auto generic = dyn_cast<linalg::GenericOp>(block->back())) {
      builder.setInsertionPointToEnd(block);
      tiles.emit(loops.front().extents, 0, /*isOnly=*/true,
                 [&](ArrayRef<Value> indices) {
                   cloneGeneric(generic, indices, builder);
                 });
      generic.erase();
    } else {
      SmallVector<scf::ParallelOp> bodies(block->getOps<scf::ParallelOp>());
      int64_t first = 0;
      for (auto [loop, body] : llvm::zip_equal(loops, bodies)) {
        builder.setInsertionPointToEnd(block);
        tiles.emit(loop.extents, first, /*isOnly=*/false,
                   [&](ArrayRef<Value> indices) {
                     cloneParallel(body, indices, builder);
                   });
        first += countTiles(loop);
        body.erase();
      }
    }
    builder.setInsertionPointToEnd(block);
    return success();
  }

private:
  static int64_t countTiles(const codegen::KernelLoop &loop) {
    ArrayRef<int64_t> extents = loop.extents;
    return loop.getCount() == 0 ? 0
                                : ShapedType::getNumElements(
                                      extents.take_front(tiledDims(extents)));
  }

  std::unique_ptr<Schedule> columns = createColumnSchedule();
};

} // namespace

std::unique_ptr<Schedule> createBaselineSchedule() {
  return std::make_unique<Baseline>();
}

} // namespace gensyn::cpu
