// See PointwiseSchedule.h: a thread per element of a flat grid.

#include "PointwiseSchedule.h"

#include "PointerEmitter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace gensyn::gpu {
namespace {

constexpr int64_t kThreads = 128;

RankedTensorType resultType(repro::KernelOp kernel) {
  return cast<RankedTensorType>(kernel.getResult(0).getType());
}

class Pointwise final : public Schedule {
public:
  StringRef getName() const override { return "pointwise"; }

  std::optional<KernelPlan> match(repro::KernelOp kernel,
                                  const Target &) const override {
    if (kernel.getScheduleAttr())
      return std::nullopt;
    for (Operation &op : kernel.getBlock().without_terminator())
      if (!op.hasTrait<OpTrait::Elementwise>() && !isa<repro::BroadcastOp>(op))
        return std::nullopt;
    ArrayRef<int64_t> shape = resultType(kernel).getShape();
    for (Type type : kernel.getResultTypes())
      if (cast<RankedTensorType>(type).getShape() != shape)
        return std::nullopt;
    KernelPlan plan;
    LaunchPlan &launch = plan.launches.emplace_back();
    launch.grid[0] = std::max<int64_t>(
        llvm::divideCeil(resultType(kernel).getNumElements(), kThreads), 1);
    launch.block[0] = kThreads;
    return plan;
  }

  LogicalResult emit(repro::KernelOp kernel, const KernelPlan &, unsigned,
                     const Target &target, const KernelFunction &function,
                     OpBuilder &builder) const override {
    Location location = kernel.getLoc();
    ArrayRef<int64_t> shape = resultType(kernel).getShape();
    auto index = [&](int64_t value) -> Value {
      return arith::ConstantIndexOp::create(builder, location, value);
    };
    auto x = mlir::gpu::Dimension::x;
    Value flat = arith::AddIOp::create(
        builder, location,
        arith::MulIOp::create(
            builder, location,
            mlir::gpu::BlockIdOp::create(builder, location, x),
            index(kThreads)),
        mlir::gpu::ThreadIdOp::create(builder, location, x));
    Value inside =
        arith::CmpIOp::create(builder, location, arith::CmpIPredicate::ult,
                              flat, index(resultType(kernel).getNumElements()));
    auto branch = scf::IfOp::create(builder, location, inside);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(branch.thenBlock());
    PointerEmitter emitter(builder, kernel, function, target);
    SmallVector<Value> indices(shape.size());
    Value rest = flat;
    for (size_t dim = shape.size(); dim-- > 0;) {
      indices[dim] = dim == 0 ? rest
                              : builder.createOrFold<arith::RemUIOp>(
                                    location, rest, index(shape[dim]));
      if (dim > 0)
        rest = builder.createOrFold<arith::DivUIOp>(location, rest,
                                                    index(shape[dim]));
    }
    for (auto [yielded, output] :
         llvm::zip_equal(kernel.getYielded(), function.outputs)) {
      Value value = emitter.element(yielded, indices);
      if (!value)
        return failure();
      emitter.storeAt(value, output, flat);
    }
    return success();
  }
};

} // namespace

std::unique_ptr<Schedule> createPointwiseSchedule() {
  return std::make_unique<Pointwise>();
}

} // namespace gensyn::gpu
