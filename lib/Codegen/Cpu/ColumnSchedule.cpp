// Columns one after another; see ColumnSchedule.h.

#include "ColumnSchedule.h"

#include "gensyn/Conversion/ReproToLinalg/ReproToLinalg.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace gensyn::cpu {
namespace {

class ColumnSchedule final : public Schedule {
public:
  StringRef getName() const override { return "column"; }

  std::optional<KernelPlan> match(repro::KernelOp kernel,
                                  const Target &) const override {
    if (!getColumnOp(kernel))
      return std::nullopt;
    KernelPlan plan;
    LaunchPlan &launch = plan.launches.emplace_back();
    for (int64_t extent : getParallelExtents(kernel))
      launch.tiles *= extent;
    return plan;
  }

  LogicalResult emit(repro::KernelOp kernel, const KernelPlan &, unsigned,
                     const Target &, const KernelFunction &function,
                     OpBuilder &builder) const override {
    Location location = kernel.getLoc();
    auto index = [&](int64_t value) -> Value {
      return arith::ConstantIndexOp::create(builder, location, value);
    };
    auto tiles = scf::ForOp::create(builder, location, function.begin,
                                    function.end, index(1));
    builder.setInsertionPoint(tiles.getBody()->getTerminator());
    SmallVector<int64_t> extents = getParallelExtents(kernel);
    SmallVector<Value> column(extents.size());
    Value rest = tiles.getInductionVar();
    for (size_t dim = extents.size(); dim-- > 0;) {
      Value extent = index(std::max<int64_t>(extents[dim], 1));
      column[dim] =
          dim == 0
              ? rest
              : builder.createOrFold<arith::RemUIOp>(location, rest, extent);
      if (dim > 0)
        rest = builder.createOrFold<arith::DivUIOp>(location, rest, extent);
    }
    if (failed(emitKernelColumn(
            kernel, {function.inputs, function.outputs, function.faults},
            column, builder)))
      return failure();
    builder.setInsertionPointAfter(tiles);
    return success();
  }
};

} // namespace

std::unique_ptr<Schedule> createColumnSchedule() {
  return std::make_unique<ColumnSchedule>();
}

} // namespace gensyn::cpu
