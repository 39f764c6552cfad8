// Functions with one parallel loop to gpu.func with a flat grid.

#include "gensyn/Codegen/Gpu/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace gensyn::gpu {
#define GEN_PASS_DEF_MAPKERNELSTOGPUPASS
#include "gensyn/Codegen/Gpu/Passes.h.inc"

namespace {
/// The constant trip counts of a loop from 0 by 1; fails for any other.
FailureOr<SmallVector<int64_t>> tripCounts(scf::ParallelOp loop) {
  SmallVector<int64_t> counts;
  for (auto [lower, upper, step] : llvm::zip_equal(
           loop.getLowerBound(), loop.getUpperBound(), loop.getStep())) {
    auto from = getConstantIntValue(lower), to = getConstantIntValue(upper),
         by = getConstantIntValue(step);
    if (from != 0 || by != 1 || !to)
      return failure();
    counts.push_back(*to);
  }
  return counts;
}

struct MapKernels final : impl::MapKernelsToGpuPassBase<MapKernels> {
  using MapKernelsToGpuPassBase::MapKernelsToGpuPassBase;
  void runOnOperation() override;
  LogicalResult map(func::FuncOp function, OpBuilder &builder);
  Value flatThread(OpBuilder &builder, Location location);
};
} // namespace

/// block * block size + thread, as an index.
Value MapKernels::flatThread(OpBuilder &builder, Location location) {
  auto x = mlir::gpu::Dimension::x;
  Value block = mlir::gpu::BlockIdOp::create(builder, location, x);
  Value thread = mlir::gpu::ThreadIdOp::create(builder, location, x);
  Value size = arith::ConstantIndexOp::create(builder, location, blockSize);
  return arith::AddIOp::create(
      builder, location, arith::MulIOp::create(builder, location, block, size),
      thread);
}

LogicalResult MapKernels::map(func::FuncOp function, OpBuilder &builder) {
  Location location = function.getLoc();
  auto kernel = mlir::gpu::GPUFuncOp::create(
      builder, location, function.getName(), function.getFunctionType());
  kernel->setAttr(mlir::gpu::GPUDialect::getKernelFuncAttrName(),
                  builder.getUnitAttr());

  SmallVector<scf::ParallelOp> loops(function.getOps<scf::ParallelOp>());
  if (loops.size() > 1)
    return function.emitError("has ")
           << loops.size() << " parallel loops, expected one";
  SmallVector<int64_t> counts;
  if (!loops.empty()) {
    auto found = tripCounts(loops.front());
    if (failed(found))
      return function.emitError("has a parallel loop whose bounds are not "
                                "constant from 0 by 1");
    counts = *found;
  }
  int64_t total = 1;
  for (int64_t count : counts)
    total *= count;
  int64_t grid = std::max<int64_t>(llvm::divideCeil(total, blockSize), 1);
  kernel.setKnownBlockSizeAttr(
      builder.getDenseI32ArrayAttr({int32_t(blockSize), 1, 1}));
  kernel.setKnownGridSizeAttr(
      builder.getDenseI32ArrayAttr({int32_t(grid), 1, 1}));

  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(&kernel.getBody().front());
  Value flat = flatThread(builder, location);
  Value isInside = arith::CmpIOp::create(
      builder, location, arith::CmpIPredicate::ult, flat,
      arith::ConstantIndexOp::create(builder, location, total));
  auto branch = scf::IfOp::create(builder, location, isInside);
  mlir::gpu::ReturnOp::create(builder, location);
  builder.setInsertionPointToStart(branch.thenBlock());

  IRMapping mapping;
  mapping.map(function.getArguments(), kernel.getArguments());
  for (Operation &op : function.getBody().front()) {
    auto loop = dyn_cast<scf::ParallelOp>(op);
    if (!loop) {
      if (!op.hasTrait<OpTrait::IsTerminator>())
        builder.clone(op, mapping);
      continue;
    }
    // Row-major: the last iterator runs fastest, so neighbours in a warp touch
    // neighbouring elements.
    Value rest = flat;
    SmallVector<Value> indices(counts.size());
    for (size_t dim = counts.size(); dim-- > 0;) {
      Value count =
          arith::ConstantIndexOp::create(builder, location, counts[dim]);
      indices[dim] =
          dim == 0 ? rest
                   : arith::RemUIOp::create(builder, location, rest, count)
                         .getResult();
      if (dim > 0)
        rest = arith::DivUIOp::create(builder, location, rest, count);
    }
    mapping.map(loop.getInductionVars(), indices);
    for (Operation &inner : loop.getBody()->without_terminator())
      builder.clone(inner, mapping);
  }
  return success();
}

void MapKernels::runOnOperation() {
  ModuleOp module = getOperation();
  OpBuilder builder(module.getContext());
  builder.setInsertionPointToEnd(module.getBody());
  auto kernels = module.lookupSymbol<mlir::gpu::GPUModuleOp>("kernels");
  if (!kernels)
    kernels =
        mlir::gpu::GPUModuleOp::create(builder, module.getLoc(), "kernels");
  module->setAttr(mlir::gpu::GPUDialect::getContainerModuleAttrName(),
                  builder.getUnitAttr());
  builder.setInsertionPointToStart(kernels.getBody());
  for (auto function :
       llvm::make_early_inc_range(module.getOps<func::FuncOp>())) {
    if (failed(map(function, builder)))
      return signalPassFailure();
    function.erase();
  }
}
} // namespace gensyn::gpu
