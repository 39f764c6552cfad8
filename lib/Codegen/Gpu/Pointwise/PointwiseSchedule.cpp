// Pointwise kernels: each element of the results is computed independently.
//
// A thread computes `width` adjacent elements, 16 bytes of most tensors, for
// each of `groups` groups, so that several loads are in flight. A block
// computes a contiguous part of the results. Elements are computed as scalars,
// lane by lane: adjacent loads become one vector load, values that are equal in
// all lanes are computed once (PointwiseEmitter.h), a block of random words
// serves four lanes, and results are stored as vectors. The remainder at the
// end is computed element by element. In kernels with expensive results
// (functions of many operations, windows) threads have fewer elements, since
// loads do not limit them.
//
// A thread loads everything it needs before its first store, so results may
// share the memory of operands.

#include "../Common/PointwiseCode.h"
#include "gensyn/Codegen/Gpu/Schedule.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

using namespace mlir;

namespace gensyn::gpu {
namespace {

class Pointwise final : public Schedule {
public:
  StringRef getName() const override { return "pointwise"; }

  std::optional<KernelPlan> match(repro::KernelOp kernel,
                                  const Target &target) const override {
    if (kernel.getYielded().empty() || kernel.getScheduleAttr())
      return std::nullopt;
    for (Operation &op : kernel.getBlock().without_terminator())
      if (isa<repro::ColumnOpInterface>(op))
        return std::nullopt;
    for (Type type : kernel.getResultTypes())
      if (cast<ShapedType>(type).getNumElements() !=
          cast<ShapedType>(kernel.getResult(0).getType()).getNumElements())
        return std::nullopt;
    PointwiseShape shape = shapeOf(kernel, target);
    KernelPlan plan;
    LaunchPlan &launch = plan.launches.emplace_back();
    launch.grid[0] = shape.blocksFor(shape.elements);
    launch.block[0] = shape.threads;
    return plan;
  }

  LogicalResult emit(repro::KernelOp kernel, const KernelPlan &, unsigned,
                     const Target &target, const KernelFunction &function,
                     OpBuilder &builder) const override {
    PointwiseWork work;
    work.values.assign(kernel.getYielded().begin(), kernel.getYielded().end());
    work.outputs = function.outputs;
    work.block = mlir::gpu::BlockIdOp::create(builder, kernel.getLoc(),
                                              mlir::gpu::Dimension::x);
    return emitPointwise(kernel, shapeOf(kernel, target), work, target,
                         function, builder);
  }

private:
  static PointwiseShape shapeOf(repro::KernelOp kernel, const Target &target) {
    return choosePointwiseShape(kernel, SmallVector<Value>(kernel.getYielded()),
                                target);
  }
};

} // namespace

/// Accepts kernels whose results all have the same number of elements, unless
/// they are computed in columns.
std::unique_ptr<Schedule> createPointwiseSchedule() {
  return std::make_unique<Pointwise>();
}

} // namespace gensyn::gpu
