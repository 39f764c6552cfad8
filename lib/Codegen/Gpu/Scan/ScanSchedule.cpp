// Scans. Float sums and products have an order (scan_c1): one chain for each
// block of a row, computed by one thread (ScanWalk). In scans without an order,
// lanes share a row of the last dimension (ScanLanes); interleaved rows of
// other dimensions are computed by ScanWalk too.

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

/// Accepts scans. The `schedule` of a scan without an order may have `block`,
/// the elements of a row that are scanned together. That of a scan with an
/// order along the last dimension may have `staged`, the blocks per warp, a
/// power of two up to 32.
std::unique_ptr<Schedule> createScanSchedule() {
  return std::make_unique<ScanSchedule>();
}

} // namespace gensyn::gpu
