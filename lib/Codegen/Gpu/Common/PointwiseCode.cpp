// See PointwiseCode.h.

#include "PointwiseCode.h"

#include "LaunchCode.h"
#include "PointwiseEmitter.h"
#include "gensyn/Codegen/Kernel/BufferTypes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace gensyn::gpu {
namespace {

/// Tensors of at least as many elements fill a GPU even if each thread has
/// several vectors.
constexpr int64_t kLarge = int64_t(1) << 20;
/// In tensors of fewer elements expensive results get a thread each.
constexpr int64_t kSmall = int64_t(1) << 15;

int64_t elementsOf(Value value) {
  return cast<ShapedType>(value.getType()).getNumElements();
}

int64_t bytesOf(Value value) {
  Type scalar = codegen::getScalarType(
      cast<ShapedType>(value.getType()).getElementType());
  return std::max<int64_t>(scalar.getIntOrFloatBitWidth() / 8, 1);
}

/// Estimates the number of instructions per element.
int64_t costOf(Operation *op) {
  if (isa<repro::DomainOpInterface>(op))
    return 1000;
  auto flops = dyn_cast<repro::CostOpInterface>(op);
  const int64_t elements = elementsOf(op->getResult(0));
  return 1 + (flops && elements > 0 ? flops.getFlops() / elements : 0);
}

/// Emits the code of a thread.
class PointwiseCode : LaunchCode {
public:
  PointwiseCode(repro::KernelOp kernel, const PointwiseShape &shape,
                const PointwiseWork &work, const Target &target,
                const KernelFunction &function, OpBuilder &builder)
      : LaunchCode(kernel, target, function, builder), shape(shape),
        work(work) {}

  LogicalResult emit() {
    Value thread = threadId();
    Value piece = index.mul(work.block, shape.perBlock());
    Value first = index.add(piece, index.mul(thread, shape.width));
    Value end = work.end ? work.end : index(shape.elements);
    // With one group, the last thread computes its remaining elements alone.
    // With several, all threads of the last block share its elements.
    const bool isShared = shape.groups > 1;
    const bool isEven =
        !work.end &&
        shape.elements % (isShared ? shape.perBlock() : shape.perGroup()) == 0;
    if (isEven)
      return emitLanes(first, shape.width);
    Value fits =
        index.compare(arith::CmpIPredicate::ule,
                      index.add(isShared ? piece : first,
                                isShared ? shape.perBlock() : shape.width),
                      end);
    const bool hasRest =
        isShared ||
        (shape.width > 1 && (work.end || shape.elements % shape.width != 0));
    auto branch =
        scf::IfOp::create(builder, location, TypeRange(), fits, hasRest);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(branch.thenBlock());
    if (failed(emitLanes(first, shape.width)))
      return failure();
    if (!hasRest)
      return success();
    builder.setInsertionPointToStart(branch.elseBlock());
    auto loop = scf::ForOp::create(builder, location,
                                   isShared ? index.add(piece, thread) : first,
                                   end, index(isShared ? shape.threads : 1));
    builder.setInsertionPointToStart(loop.getBody());
    return emitLanes(loop.getInductionVar(), 1);
  }

private:
  /// Emits the elements from `first` on, in vectors of `width` elements.
  LogicalResult emitLanes(Value first, int64_t width) {
    PointwiseEmitter emitter(builder, kernel, function, target, first,
                             shape.elements, width);
    for (auto [argument, pointer] : work.bound)
      emitter.bindPointer(argument, pointer);
    const int64_t groups = width == shape.width ? shape.groups : 1;
    SmallVector<SmallVector<Value>> values(work.values.size() * groups);
    for (int64_t group = 0; group < groups; ++group)
      for (int64_t lane = 0; lane < width; ++lane) {
        emitter.setLane(group * shape.perGroup(), lane);
        for (auto [number, yielded] : llvm::enumerate(work.values)) {
          Value value = emitter.result(yielded);
          if (!value)
            return failure();
          values[group * work.values.size() + number].push_back(value);
        }
      }
    for (int64_t group = 0; group < groups; ++group)
      for (auto [number, output] : llvm::enumerate(work.outputs))
        emitter.storeLanes(values[group * work.values.size() + number], output,
                           group * shape.perGroup());
    return success();
  }

  const PointwiseShape &shape;
  const PointwiseWork &work;
};

} // namespace

PointwiseShape choosePointwiseShape(repro::KernelOp kernel,
                                    ArrayRef<Value> values,
                                    const Target &target) {
  PointwiseShape shape;
  shape.elements = elementsOf(values.front());
  llvm::SetVector<Value> needed(values.begin(), values.end());
  int64_t least = 8, most = 1;
  auto look = [&](Value value) {
    if (elementsOf(value) != shape.elements)
      return;
    least = std::min(least, bytesOf(value));
    most = std::max(most, bytesOf(value));
  };
  for (Value value : values)
    look(value);
  for (size_t i = 0; i < needed.size(); ++i) {
    if (Operation *op = needed[i].getDefiningOp()) {
      shape.cost += costOf(op);
      needed.insert(op->operand_begin(), op->operand_end());
    } else {
      look(needed[i]);
    }
  }
  const int64_t cost = shape.cost;
  // The narrowest type determines the width; wider types take several accesses.
  shape.width = std::max<int64_t>(kAccessBytes / least, 2);
  if (most >= 4 || cost > 8)
    shape.width = std::min<int64_t>(shape.width, 4);
  if (cost > 400 || (cost > 24 && shape.elements < kSmall))
    shape.width = 1;
  else if (cost > 100)
    shape.width = std::min<int64_t>(shape.width, 2);
  if (shape.elements >= kLarge) {
    shape.threads = 256;
    shape.groups = cost <= 8 ? 4 : cost <= 24 ? 2 : 1;
  }
  return shape;
}

LogicalResult emitPointwise(repro::KernelOp kernel, const PointwiseShape &shape,
                            const PointwiseWork &work, const Target &target,
                            const KernelFunction &function,
                            OpBuilder &builder) {
  if (shape.elements == 0)
    return success();
  OpBuilder::InsertionGuard guard(builder);
  return PointwiseCode(kernel, shape, work, target, function, builder).emit();
}

} // namespace gensyn::gpu
