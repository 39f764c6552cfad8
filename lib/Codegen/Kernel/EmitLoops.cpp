// Emits a kernel as parallel loops over buffers.

#include "gensyn/Codegen/Kernel/EmitLoops.h"

#include "gensyn/Codegen/Kernel/KernelEmitter.h"
#include "gensyn/Codegen/Kernel/KernelLoops.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace gensyn::codegen {

LogicalResult
emitInKernel(repro::KernelOp kernel, const KernelBuffers &buffers,
             OpBuilder &builder,
             function_ref<LogicalResult(repro::ElementEmitter &)> emit) {
  KernelEmitter emitter(builder, kernel.getLoc());
  emitter.bindAll(kernel, buffers.inputs, buffers.faults);
  return emit(emitter);
}

LogicalResult emitKernelColumn(repro::KernelOp kernel,
                               const KernelBuffers &buffers, ValueRange column,
                               OpBuilder &builder) {
  Operation *op = getColumnOp(kernel);
  auto model = dyn_cast<repro::ColumnModelInterface>(op);
  if (!model)
    return op->emitOpError("has no columns on this target");
  return emitInKernel(
      kernel, buffers, builder, [&](repro::ElementEmitter &emitter) {
        return model.emitColumn(emitter, SmallVector<Value>(column),
                                buffers.outputs);
      });
}

/// Creates a loop over `extents`; `emit` fills its body at the given indices.
static LogicalResult
emitParallel(Location location, ArrayRef<int64_t> extents, OpBuilder &builder,
             function_ref<LogicalResult(ValueRange)> emit) {
  auto index = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(builder, location, value);
  };
  SmallVector<Value> zeros, ends, ones;
  SmallVector<int64_t> counts(extents);
  if (counts.empty())
    counts.push_back(1);
  for (int64_t extent : counts) {
    zeros.push_back(index(0));
    ends.push_back(index(extent));
    ones.push_back(index(1));
  }
  auto loop = scf::ParallelOp::create(builder, location, zeros, ends, ones);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  return emit(ValueRange(loop.getInductionVars()).take_front(extents.size()));
}

/// Emits elements of some results in a separate loop.
static LogicalResult emitElements(repro::KernelOp kernel,
                                  const KernelLoop &loop,
                                  const KernelBuffers &buffers,
                                  OpBuilder &builder) {
  return emitParallel(
      kernel.getLoc(), loop.extents, builder, [&](ValueRange at) {
        KernelEmitter emitter(builder, kernel.getLoc());
        emitter.bindAll(kernel, buffers.inputs, buffers.faults);
        const SmallVector<Value> indices(at);
        SmallVector<Value> values;
        for (unsigned result : loop.results) {
          values.push_back(
              emitter.element(kernel.getYielded()[result], indices));
          if (!values.back())
            return failure();
        }
        for (auto [result, value] : llvm::zip_equal(loop.results, values))
          emitter.store(value, buffers.outputs[result], indices);
        return success();
      });
}

LogicalResult emitKernelAsLinalg(repro::KernelOp kernel,
                                 const KernelBuffers &buffers,
                                 OpBuilder &builder) {
  SmallVector<KernelLoop> loops = getParallelLoops(kernel);
  if (getColumnOp(kernel))
    return emitParallel(kernel.getLoc(), loops.front().extents, builder,
                        [&](ValueRange column) {
                          return emitKernelColumn(kernel, buffers, column,
                                                  builder);
                        });
  if (loops.size() > 1) {
    for (const KernelLoop &loop : loops)
      if (loop.getCount() > 0 &&
          failed(emitElements(kernel, loop, buffers, builder)))
        return failure();
    return success();
  }
  ValueRange outputs = buffers.outputs;
  Location location = kernel.getLoc();
  auto type = cast<RankedTensorType>(kernel.getResult(0).getType());
  if (type.getNumElements() == 0)
    return success();
  const auto rank = static_cast<unsigned>(type.getRank());
  SmallVector<AffineMap> maps(outputs.size(),
                              builder.getMultiDimIdentityMap(rank));
  SmallVector<utils::IteratorType> iterators(rank,
                                             utils::IteratorType::parallel);
  auto generic = linalg::GenericOp::create(
      builder, location, TypeRange(), ValueRange(), outputs, maps, iterators);
  // The body is filled after the op is inserted in its function: allocations,
  // such as the lanes of a reduction, go to the function's entry.
  SmallVector<Type> elements;
  for (Value output : outputs)
    elements.push_back(cast<MemRefType>(output.getType()).getElementType());
  OpBuilder::InsertionGuard guard(builder);
  builder.createBlock(&generic.getRegion(), {}, elements,
                      SmallVector<Location>(elements.size(), location));
  KernelEmitter emitter(builder, location);
  emitter.bindAll(kernel, buffers.inputs, buffers.faults);
  SmallVector<Value> indices;
  for (unsigned dim = 0; dim < rank; ++dim)
    indices.push_back(linalg::IndexOp::create(builder, location, dim));
  SmallVector<Value> results;
  for (Value yielded : kernel.getYielded()) {
    Value value = emitter.element(yielded, indices);
    if (!value) {
      generic.erase();
      return failure();
    }
    value = emitter.canonical(value);
    if (value.getType().isInteger(1))
      value =
          arith::ExtUIOp::create(builder, location, builder.getI8Type(), value);
    results.push_back(value);
  }
  linalg::YieldOp::create(builder, location, results);
  return success();
}

} // namespace gensyn::codegen
