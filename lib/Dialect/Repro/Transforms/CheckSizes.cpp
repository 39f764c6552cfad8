// Rejects values and iteration spaces that are too large.

#include "gensyn/Dialect/Repro/IR/Repro.h"
#include "gensyn/Dialect/Repro/Transforms/Passes.h"
#include "gensyn/Dialect/SizeError.h"
#include "gensyn/Numerics/Sizes.h"
#include "gensyn/Numerics/Tensor.h"

using namespace mlir;

namespace gensyn::repro {
#define GEN_PASS_DEF_CHECKSIZESPASS
#include "gensyn/Dialect/Repro/Transforms/Passes.h.inc"

/// "1024 elements", or a text for a number that overflows 64 bits.
static std::string describeCount(std::optional<int64_t> count, StringRef noun) {
  return (count ? Twine(*count) : Twine("more than 2^63")).str() +
         (" " + noun).str();
}

static LogicalResult checkSize(Operation *op, const Twine &what, Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || !tensor.hasStaticShape() ||
      llvm::is_contained(tensor.getShape(), 0))
    return success();
  std::optional<int64_t> count = countElements(tensor.getShape());
  if (count && *count <= kMaxElements)
    return success();
  InFlightDiagnostic error = asSizeError(op->emitOpError(what));
  return error << describeCount(count, "elements") << ", the most is "
               << kMaxElements;
}

static LogicalResult checkSizes(Operation *op) {
  for (OpResult result : op->getResults())
    if (failed(checkSize(op,
                         "result #" + Twine(result.getResultNumber()) + " has ",
                         result.getType())))
      return failure();
  for (Region &region : op->getRegions())
    for (Block &block : region)
      for (BlockArgument argument : block.getArguments())
        if (failed(checkSize(
                op, "input " + Twine(argument.getArgNumber()) + " has ",
                argument.getType())))
          return failure();
  auto domain = op->getAttrOfType<DomainAttr>("domain");
  if (!domain || llvm::is_contained(domain.getExtents(), 0))
    return success();
  std::optional<int64_t> points = countElements(domain.getExtents());
  if (points && *points <= kMostPoints)
    return success();
  InFlightDiagnostic error = asSizeError(op->emitOpError("walks over "));
  return error << describeCount(points, "points") << ", the most is "
               << kMostPoints;
}

namespace {
struct CheckSizes final : impl::CheckSizesPassBase<CheckSizes> {
  void runOnOperation() override {
    bool tooLarge = false;
    getOperation()->walk(
        [&](Operation *op) { tooLarge |= failed(checkSizes(op)); });
    if (tooLarge)
      signalPassFailure();
    else
      markAllAnalysesPreserved();
  }
};
} // namespace
} // namespace gensyn::repro
