// Pointwise kernels: every element of the results by itself.
//
// A thread has `width` elements that follow one another, which is 16 bytes of
// most tensors, and does that `groups` times, so that several loads are under
// way; a block has a contiguous piece of the results. Elements are computed as
// scalars, lane by lane: loads of lanes that follow one another become one
// vector load, what is equal in all lanes is computed once
// (PointwiseEmitter.h), a block of random words serves four lanes, and results
// are stored as vectors. The piece that is cut off at the end is done element
// by element. Kernels whose results are dear (functions with many operations,
// windows) have threads with fewer elements: their loads do not matter.
//
// Nothing is stored before all that the thread reads for it is loaded, so
// results may lie where operands do.

#include "PointwiseSchedule.h"

#include "PointwiseEmitter.h"
#include "gensyn/Conversion/ReproToLinalg/ReproToLinalg.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace gensyn::gpu {
namespace {

/// Elements from which a GPU is full of threads that have several vectors.
constexpr int64_t kLarge = int64_t(1) << 20;
/// Elements below which dear results are spread over as many threads as there
/// are elements.
constexpr int64_t kSmall = int64_t(1) << 15;

/// How the elements are dealt to threads.
struct PointwiseShape {
  int64_t elements = 0, width = 1, groups = 1, threads = 128;
  int64_t perGroup() const { return threads * width; }
  int64_t perBlock() const { return perGroup() * groups; }
  int64_t blocks() const {
    return std::max<int64_t>(llvm::divideCeil(elements, perBlock()), 1);
  }
};

int64_t bytesOf(Type tensor) {
  Type scalar = repro::getScalarType(cast<ShapedType>(tensor).getElementType());
  return std::max<int64_t>(scalar.getIntOrFloatBitWidth() / 8, 1);
}

/// About how many instructions an element takes.
int64_t costOf(repro::KernelOp kernel) {
  int64_t cost = 0;
  for (Operation &op : kernel.getBlock().without_terminator()) {
    if (op.hasAttrOfType<repro::DomainAttr>("domain"))
      return INT64_MAX;
    auto type = cast<ShapedType>(op.getResult(0).getType());
    auto flops = dyn_cast<repro::CostOpInterface>(op);
    ++cost;
    if (flops && type.getNumElements() > 0)
      cost += flops.getFlops() / type.getNumElements();
  }
  return cost;
}

std::optional<PointwiseShape> shapeOf(repro::KernelOp kernel,
                                      const Target &target) {
  if (kernel.getYielded().empty() || kernel.getScheduleAttr())
    return std::nullopt;
  for (Operation &op : kernel.getBlock().without_terminator())
    if (isa<repro::ColumnOpInterface>(op))
      return std::nullopt;
  PointwiseShape shape;
  shape.elements =
      cast<ShapedType>(kernel.getResult(0).getType()).getNumElements();
  int64_t least = 8, most = 1;
  auto look = [&](Type type) {
    if (cast<ShapedType>(type).getNumElements() != shape.elements)
      return false;
    least = std::min(least, bytesOf(type));
    most = std::max(most, bytesOf(type));
    return true;
  };
  for (Type type : kernel.getResultTypes())
    if (!look(type))
      return std::nullopt;
  for (Type type : kernel.getInputs().getTypes())
    look(type);
  const int64_t cost = costOf(kernel);
  // Wide types share a thread's elements with narrow ones in more accesses.
  shape.width = std::max<int64_t>(target.accessBytes() / least, 2);
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

/// Emits what a thread does.
class PointwiseCode {
public:
  PointwiseCode(repro::KernelOp kernel, const PointwiseShape &shape,
                const Target &target, const KernelFunction &function,
                OpBuilder &builder)
      : kernel(kernel), shape(shape), target(target), function(function),
        builder(builder), location(kernel.getLoc()) {}

  LogicalResult emit() {
    auto x = mlir::gpu::Dimension::x;
    Value block = mlir::gpu::BlockIdOp::create(builder, location, x);
    Value thread = mlir::gpu::ThreadIdOp::create(builder, location, x);
    Value piece = mul(block, index(shape.perBlock()));
    Value first = add(piece, mul(thread, index(shape.width)));
    Value end = index(shape.elements);
    // One group: the thread at the end goes on alone. Several: all threads of
    // the block at the end share what it has.
    const bool isShared = shape.groups > 1;
    const bool isEven =
        shape.elements % (isShared ? shape.perBlock() : shape.perGroup()) == 0;
    if (isEven)
      return emitLanes(first, shape.width);
    Value fits = arith::CmpIOp::create(
        builder, location, arith::CmpIPredicate::ule,
        add(isShared ? piece : first,
            index(isShared ? shape.perBlock() : shape.width)),
        end);
    const bool hasRest = shape.width * shape.groups > 1 &&
                         (isShared || shape.elements % shape.width != 0);
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
                                   isShared ? add(piece, thread) : first, end,
                                   index(isShared ? shape.threads : 1));
    builder.setInsertionPointToStart(loop.getBody());
    return emitLanes(loop.getInductionVar(), 1);
  }

private:
  /// The elements from `first` on, in vectors of `width` or alone.
  LogicalResult emitLanes(Value first, int64_t width) {
    PointwiseEmitter emitter(builder, kernel, function, target, first,
                             shape.elements, width);
    const int64_t groups = width == shape.width ? shape.groups : 1;
    SmallVector<SmallVector<Value>> values(kernel.getNumResults() * groups);
    for (int64_t group = 0; group < groups; ++group)
      for (int64_t lane = 0; lane < width; ++lane) {
        emitter.setLane(group * shape.perGroup(), lane);
        for (auto [number, yielded] : llvm::enumerate(kernel.getYielded())) {
          Value value = emitter.result(yielded);
          if (!value)
            return failure();
          values[group * kernel.getNumResults() + number].push_back(value);
        }
      }
    for (int64_t group = 0; group < groups; ++group)
      for (auto [number, output] : llvm::enumerate(function.outputs))
        emitter.storeLanes(values[group * kernel.getNumResults() + number],
                           output, group * shape.perGroup());
    return success();
  }

  Value index(int64_t value) {
    return arith::ConstantIndexOp::create(builder, location, value);
  }
  Value add(Value a, Value b) {
    return builder.createOrFold<arith::AddIOp>(location, a, b);
  }
  Value mul(Value a, Value b) {
    return builder.createOrFold<arith::MulIOp>(location, a, b);
  }

  repro::KernelOp kernel;
  const PointwiseShape shape;
  const Target &target;
  const KernelFunction &function;
  OpBuilder &builder;
  Location location;
};

class Pointwise final : public Schedule {
public:
  StringRef getName() const override { return "pointwise"; }

  std::optional<KernelPlan> match(repro::KernelOp kernel,
                                  const Target &target) const override {
    auto shape = shapeOf(kernel, target);
    if (!shape)
      return std::nullopt;
    KernelPlan plan;
    LaunchPlan &launch = plan.launches.emplace_back();
    launch.grid[0] = shape->blocks();
    launch.block[0] = shape->threads;
    return plan;
  }

  LogicalResult emit(repro::KernelOp kernel, const KernelPlan &, unsigned,
                     const Target &target, const KernelFunction &function,
                     OpBuilder &builder) const override {
    auto shape = shapeOf(kernel, target);
    if (shape->elements == 0)
      return success();
    return PointwiseCode(kernel, *shape, target, function, builder).emit();
  }
};

} // namespace

std::unique_ptr<Schedule> createPointwiseSchedule() {
  return std::make_unique<Pointwise>();
}

} // namespace gensyn::gpu
