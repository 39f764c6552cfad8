// Float sums and products have an order (scan_c1): one chain for each block of
// a row, walked by one thread (ScanWalk). Where there is none, lanes share a
// row of the last dimension (ScanLanes); rows that lie side by side are walked.

#include "ScanWays.h"
#include "gensyn/Codegen/Gpu/Schedule.h"

using namespace mlir;

namespace gensyn::gpu {
namespace {

class ScanSchedule final : public Schedule {
public:
  StringRef getName() const override { return "scan"; }

  std::optional<KernelPlan> match(repro::KernelOp kernel,
                                  const Target &target) const override {
    std::optional<ScanLayout> layout = chooseScanLayout(kernel, target);
    if (!layout)
      return std::nullopt;
    return wayOf(*layout).plan(*layout);
  }

  LogicalResult emit(repro::KernelOp kernel, const KernelPlan &,
                     unsigned launch, const Target &target,
                     const KernelFunction &function,
                     OpBuilder &builder) const override {
    const ScanLayout layout = *chooseScanLayout(kernel, target);
    return wayOf(layout).emit(kernel, layout, launch, target, function,
                              builder);
  }

private:
  static const ScanWay &wayOf(const ScanLayout &layout) {
    return layout.isLanes ? scanByLanes : scanByWalks;
  }
};

} // namespace

/// Takes scans. The `schedule` of one without an order may say `block`: the
/// elements of a row that are scanned together; of one with an order along the
/// last dimension `staged`, a power of two up to 32: the blocks that a warp
/// has.
std::unique_ptr<Schedule> createScanSchedule() {
  return std::make_unique<ScanSchedule>();
}

} // namespace gensyn::gpu
