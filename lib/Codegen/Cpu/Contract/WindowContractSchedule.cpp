// Matches kernels of one contraction; see WindowContractSchedule.h.

#include "WindowContractSchedule.h"

#include "../Common/Interleaving.h"
#include "BatchContractSchedule.h"
#include "ContractSchedule.h"
#include "WindowContractEmitter.h"
#include "gensyn/Dialect/Repro/IR/TensorTypes.h"

using namespace mlir;

namespace gensyn::cpu {

namespace {

/// A kernel that the schedule can compute.
struct WindowMatch {
  WindowKernel kernel;
  WindowContraction view;
  WindowSizes sizes;
  Type image, weights, result, sum; ///< of elements

  int64_t sumBytes() const { return sum.getIntOrFloatBitWidth() / 8; }
};

class WindowContractSchedule final : public Schedule {
public:
  using Choose =
      std::function<WindowSizes(WindowSizes, const WindowContraction &)>;
  explicit WindowContractSchedule(Choose choose) : choose(std::move(choose)) {}

  StringRef getName() const override { return "window-contract"; }

  std::optional<KernelPlan> match(repro::KernelOp kernel,
                                  const Target &target) const override {
    auto found = find(kernel, target);
    if (!found || (!choose && !isFaster(*found, target)))
      return std::nullopt;
    const WindowLayout layout(found->view, found->sizes);
    KernelPlan plan;
    LaunchPlan &launch = plan.launches.emplace_back();
    launch.tiles = layout.tiles;
    launch.scratchBytes = layout.scratchElements * found->sumBytes();
    return plan;
  }

  LogicalResult emit(repro::KernelOp kernel, const KernelPlan &, unsigned,
                     const Target &target, const KernelFunction &function,
                     OpBuilder &builder) const override {
    const auto found = find(kernel, target);
    CpuBuilder code(builder, kernel.getLoc(), found->sizes.lanes, found->sum);
    const StoredTensor image(code, found->image, target.hasHalfConversion),
        weights(code, found->weights, target.hasHalfConversion),
        result(code, found->result);
    return WindowContractEmitter(code, image, weights, result, found->view,
                                 found->sizes, found->kernel, function)
        .emitTiles();
  }

private:
  std::optional<WindowMatch> find(repro::KernelOp kernel,
                                  const Target &target) const {
    auto contractions = kernel.getBlock().getOps<repro::ContractOp>();
    if (!llvm::hasSingleElement(contractions) || kernel.getScheduleAttr())
      return std::nullopt;
    repro::ContractOp contraction = *contractions.begin();
    auto typeOf = [](Value tensor) {
      return getElementTypeOrSelf(tensor.getType());
    };
    // Elements out of bounds are zeros, of which this type has none.
    for (Value operand : contraction->getOperands())
      if (!isa<BlockArgument>(operand) ||
          isa<Float8E8M0FNUType>(typeOf(operand)))
        return std::nullopt;
    const auto boxes = codegen::divideContract(contraction);
    if (boxes.size() != 1)
      return std::nullopt;
    auto view = findWindowContraction(boxes.front());
    if (!view)
      return std::nullopt;
    WindowMatch match;
    match.view = std::move(*view);
    match.result = typeOf(contraction.getResult());
    match.sum = sumTypeOf(match.result);
    match.image = typeOf(contraction->getOperand(match.view.image));
    match.weights = typeOf(contraction->getOperand(1 - match.view.image));
    match.kernel = {kernel, contraction};
    match.kernel.hasEpilogue = !llvm::hasNItems(kernel.getBlock(), 2);
    if (match.kernel.hasEpilogue) {
      auto reads = findEpilogueReads(kernel, contraction);
      if (!reads || match.result != match.sum)
        return std::nullopt;
      match.kernel.reads = std::move(*reads);
      match.kernel.atOnce = vectorsAtOnce(kernel, target);
      if (!hasPlainReads(match.kernel, match.view))
        return std::nullopt;
    } else if (kernel.getNumResults() != 1) {
      return std::nullopt;
    }
    match.sizes = chooseWindowSizes(match.view, match.sumBytes(), target);
    if (choose)
      match.sizes = choose(match.sizes, match.view);
    return match;
  }

  /// The taps of all rows are unrolled, and an emulated fma is much code.
  static bool isFaster(const WindowMatch &match, const Target &target) {
    if (!target.hasFma)
      return false;
    const double cycles = estimateWindowCycles(match.view, match.sizes);
    const auto batch = estimateBatchCycles(match.kernel.contraction, target);
    const auto product =
        estimateProductCycles(match.kernel.contraction, target);
    return (!batch || cycles < *batch) && (!product || cycles < *product);
  }

  Choose choose;
};

} // namespace

std::unique_ptr<Schedule> createWindowContractSchedule() {
  return std::make_unique<WindowContractSchedule>(nullptr);
}

std::unique_ptr<Schedule> createWindowContractSchedule(
    std::function<WindowSizes(WindowSizes, const WindowContraction &)> choose) {
  return std::make_unique<WindowContractSchedule>(std::move(choose));
}

} // namespace gensyn::cpu
