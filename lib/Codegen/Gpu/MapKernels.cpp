// Maps functions of parallel loops to gpu.func with a one-dimensional grid.

#include "gensyn/Codegen/Gpu/Passes.h"
#include "gensyn/Numerics/Sizes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"

#include <limits>

using namespace mlir;

namespace gensyn::gpu {
#define GEN_PASS_DEF_MAPKERNELSTOGPUPASS
#include "gensyn/Codegen/Gpu/Passes.h.inc"

namespace {
/// The maximum number of blocks of a grid.
constexpr int64_t kMostBlocks = std::numeric_limits<int32_t>::max();
constexpr int64_t kMostThreads = 1024; // per block

/// Returns the constant trip counts of a loop. Fails if it does not run from 0
/// in steps of 1, or has results.
FailureOr<SmallVector<int64_t>> tripCounts(scf::ParallelOp loop) {
  SmallVector<int64_t> counts;
  if (loop.getNumResults() != 0)
    return failure();
  for (auto [lower, upper, step] : llvm::zip_equal(
           loop.getLowerBound(), loop.getUpperBound(), loop.getStep())) {
    auto from = getConstantIntValue(lower), to = getConstantIntValue(upper),
         by = getConstantIntValue(step);
    if (from != 0 || by != 1 || !to || *to < 0)
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

/// A loop with a thread per point, and its first block.
struct FlatLoop {
  scf::ParallelOp op;
  SmallVector<int64_t> counts;
  int64_t total = 1, firstBlock = 0;
};
} // namespace

/// Returns block * block size + thread, as an index.
Value MapKernels::flatThread(OpBuilder &builder, Location location) {
  auto x = mlir::gpu::Dimension::x;
  Value block = mlir::gpu::BlockIdOp::create(builder, location, x);
  Value thread = mlir::gpu::ThreadIdOp::create(builder, location, x);
  Value size = arith::ConstantIndexOp::create(builder, location, blockSize);
  return arith::AddIOp::create(
      builder, location, arith::MulIOp::create(builder, location, block, size),
      thread);
}

/// Creates an scf.if whose then-block runs for the threads [first, first +
/// count).
static scf::IfOp branchAt(Value flat, int64_t first, int64_t count,
                          OpBuilder &builder) {
  Location location = flat.getLoc();
  auto index = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(builder, location, value);
  };
  // For threads before the first, the difference wraps to a number above any
  // count.
  Value number =
      first == 0 ? flat
                 : arith::SubIOp::create(builder, location, flat, index(first))
                       .getResult();
  return scf::IfOp::create(builder, location,
                           arith::CmpIOp::create(builder, location,
                                                 arith::CmpIPredicate::ult,
                                                 number, index(count)));
}

/// Clones the body of a loop at point `flat`. Points are numbered in row-major
/// order, so adjacent threads of a warp access adjacent elements.
static void cloneBody(FlatLoop &loop, Value flat, IRMapping &mapping,
                      OpBuilder &builder) {
  Location location = flat.getLoc();
  Value rest = flat;
  SmallVector<Value> indices(loop.counts.size());
  for (size_t dim = loop.counts.size(); dim-- > 0;) {
    Value count =
        arith::ConstantIndexOp::create(builder, location, loop.counts[dim]);
    indices[dim] = dim == 0
                       ? rest
                       : arith::RemUIOp::create(builder, location, rest, count)
                             .getResult();
    if (dim > 0)
      rest = arith::DivUIOp::create(builder, location, rest, count);
  }
  mapping.map(loop.op.getInductionVars(), indices);
  for (Operation &inner : loop.op.getBody()->without_terminator())
    builder.clone(inner, mapping);
}

LogicalResult MapKernels::map(func::FuncOp function, OpBuilder &builder) {
  Location location = function.getLoc();
  if (!function.getBody().hasOneBlock() || function.getNumResults() != 0)
    return function.emitError(
        "is not a kernel: expected one block and no results");
  auto kernel = mlir::gpu::GPUFuncOp::create(
      builder, location, function.getName(), function.getFunctionType());
  kernel->setAttr(mlir::gpu::GPUDialect::getKernelFuncAttrName(),
                  builder.getUnitAttr());

  SmallVector<FlatLoop> loops;
  int64_t blocks = 0;
  for (auto op : function.getOps<scf::ParallelOp>()) {
    auto counts = tripCounts(op);
    if (failed(counts))
      return function.emitError("has a parallel loop with results, or whose "
                                "bounds are not constant from 0 by 1");
    FlatLoop &loop = loops.emplace_back();
    loop.op = op;
    loop.counts = *counts;
    auto total = boundedProduct(loop.counts, kMostBlocks * blockSize);
    if (total) {
      loop.total = llvm::is_contained(loop.counts, 0) ? 0 : *total;
      loop.firstBlock = blocks;
      blocks += llvm::divideCeil(loop.total, blockSize);
    }
    if (!total || blocks > kMostBlocks)
      return function.emitError("has parallel loops of more points than a grid "
                                "has threads");
  }
  kernel.setKnownBlockSizeAttr(
      builder.getDenseI32ArrayAttr({int32_t(blockSize), 1, 1}));
  kernel.setKnownGridSizeAttr(builder.getDenseI32ArrayAttr(
      {int32_t(std::max<int64_t>(blocks, 1)), 1, 1}));

  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(&kernel.getBody().front());
  Value flat = flatThread(builder, location);
  IRMapping mapping;
  mapping.map(function.getArguments(), kernel.getArguments());
  // With at most one loop, the other ops of the function run on its threads.
  if (loops.size() <= 1) {
    auto branch =
        branchAt(flat, 0, loops.empty() ? 1 : loops.front().total, builder);
    mlir::gpu::ReturnOp::create(builder, location);
    builder.setInsertionPointToStart(branch.thenBlock());
  }
  for (Operation &op : function.getBody().front()) {
    if (op.hasTrait<OpTrait::IsTerminator>())
      continue;
    auto loop = llvm::find_if(
        loops, [&](const FlatLoop &other) { return other.op == &op; });
    if (loop == loops.end()) {
      builder.clone(op, mapping);
    } else if (loops.size() == 1) {
      cloneBody(*loop, flat, mapping, builder);
    } else {
      const int64_t first = loop->firstBlock * blockSize;
      auto branch = branchAt(flat, first, loop->total, builder);
      OpBuilder::InsertionGuard inside(builder);
      builder.setInsertionPointToStart(branch.thenBlock());
      Value begin = arith::ConstantIndexOp::create(builder, location, first);
      cloneBody(*loop, arith::SubIOp::create(builder, location, flat, begin),
                mapping, builder);
    }
  }
  if (loops.size() > 1)
    mlir::gpu::ReturnOp::create(builder, location);
  return success();
}

void MapKernels::runOnOperation() {
  ModuleOp module = getOperation();
  if (blockSize < 1 || blockSize > kMostThreads) {
    module.emitError("a block of ")
        << int64_t(blockSize) << " threads, expected 1 to " << kMostThreads;
    return signalPassFailure();
  }
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
    if (function.isDeclaration())
      continue;
    if (failed(map(function, builder)))
      return signalPassFailure();
    function.erase();
  }
}
} // namespace gensyn::gpu
