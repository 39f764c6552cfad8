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

/// Takes kernels whose results all have as many elements and none of which is
/// computed in columns.
std::unique_ptr<Schedule> createPointwiseSchedule() {
  return std::make_unique<Pointwise>();
}

} // namespace gensyn::gpu
