// The baseline schedule: the kernel's linalg.generic as loops over elements.

#include "ColumnSchedule.h"

#include "gensyn/Codegen/Cpu/Schedule.h"
#include "gensyn/Conversion/ReproToLinalg/ReproToLinalg.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace gensyn::cpu {
namespace {

/// How many leading dimensions make the tiles: enough for all threads, and no
/// more, since each tile divides its number into indices.
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

int64_t product(ArrayRef<int64_t> extents) {
  int64_t result = 1;
  for (int64_t extent : extents)
    result *= extent;
  return result;
}

/// Replaces the generic by loops over the tiles [begin, end): the tile gives
/// the first indices, loops the others.
class TileLoops {
public:
  TileLoops(linalg::GenericOp generic, const KernelFunction &function,
            OpBuilder &builder)
      : generic(generic), function(function), builder(builder),
        location(generic.getLoc()) {}

  void emit(ArrayRef<int64_t> shape) {
    const unsigned tiled = tiledDims(shape);
    auto tiles = scf::ForOp::create(builder, location, function.begin,
                                    function.end, index(1));
    builder.setInsertionPoint(tiles.getBody()->getTerminator());
    SmallVector<Value> indices(tiled);
    Value rest = tiles.getInductionVar();
    for (unsigned dim = tiled; dim-- > 0;) {
      Value extent = index(shape[dim]);
      indices[dim] =
          dim == 0
              ? rest
              : builder.createOrFold<arith::RemUIOp>(location, rest, extent);
      if (dim > 0)
        rest = builder.createOrFold<arith::DivUIOp>(location, rest, extent);
    }
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
  Value index(int64_t value) {
    return arith::ConstantIndexOp::create(builder, location, value);
  }

  void emitBody(ArrayRef<Value> indices) {
    IRMapping mapping;
    for (Operation &op : *generic.getBody()) {
      if (auto at = dyn_cast<linalg::IndexOp>(op)) {
        mapping.map(at.getResult(), indices[at.getDim()]);
      } else if (auto yield = dyn_cast<linalg::YieldOp>(op)) {
        for (auto [value, output] :
             llvm::zip_equal(yield.getValues(), generic.getOutputs()))
          memref::StoreOp::create(builder, location,
                                  mapping.lookupOrDefault(value), output,
                                  indices);
      } else {
        builder.clone(op, mapping);
      }
    }
  }

  linalg::GenericOp generic;
  const KernelFunction &function;
  OpBuilder &builder;
  Location location;
};

class Baseline final : public Schedule {
public:
  StringRef getName() const override { return "baseline"; }

  std::optional<KernelPlan> match(repro::KernelOp kernel,
                                  const Target &target) const override {
    if (auto plan = columns->match(kernel, target))
      return plan;
    ArrayRef<int64_t> shape = shapeOf(kernel);
    LaunchPlan launch;
    launch.tiles =
        product(shape) == 0 ? 0 : product(shape.take_front(tiledDims(shape)));
    KernelPlan plan;
    plan.launches.push_back(launch);
    return plan;
  }

  LogicalResult emit(repro::KernelOp kernel, const KernelPlan &plan,
                     unsigned launch, const Target &target,
                     const KernelFunction &function,
                     OpBuilder &builder) const override {
    if (getColumnOp(kernel))
      return columns->emit(kernel, plan, launch, target, function, builder);
    if (product(shapeOf(kernel)) == 0)
      return success();
    Block *block = builder.getInsertionBlock();
    if (failed(emitKernelAsLinalg(
            kernel, {function.inputs, function.outputs, function.faults},
            builder)))
      return failure();
    auto generic = cast<linalg::GenericOp>(block->back());
    builder.setInsertionPointToEnd(block);
    TileLoops(generic, function, builder).emit(shapeOf(kernel));
    generic.erase();
    builder.setInsertionPointToEnd(block);
    return success();
  }

private:
  static ArrayRef<int64_t> shapeOf(repro::KernelOp kernel) {
    return cast<ShapedType>(kernel.getResult(0).getType()).getShape();
  }

  std::unique_ptr<Schedule> columns = createColumnSchedule();
};

} // namespace

std::unique_ptr<Schedule> createBaselineSchedule() {
  return std::make_unique<Baseline>();
}

} // namespace gensyn::cpu
