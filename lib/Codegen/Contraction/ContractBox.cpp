// See ContractBox.h.

#include "gensyn/Codegen/Contraction/ContractBox.h"

#include "Boxes.h"
#include "ViewBuilder.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace gensyn::codegen {

int64_t ContractBox::numPoints() const {
  int64_t points = 1;
  for (auto [extent, reduced] : llvm::zip_equal(extents, isReduced))
    if (reduced)
      points *= extent;
  return points;
}

namespace {

/// The points of a box among those of the whole domain.
class KeptPoints {
public:
  KeptPoints(repro::DomainAttr domain, const Box &box) {
    for (int64_t iterator : domain.getReduced()) {
      extents.push_back(domain.getExtents()[size_t(iterator)]);
      kept.push_back(box[size_t(iterator)]);
    }
  }

  int64_t count() const { return countBefore(number()); }
  /// Returns the number of points of the whole domain.
  int64_t number() const {
    int64_t result = 1;
    for (int64_t extent : extents)
      result *= extent;
    return result;
  }
  /// Returns how many of the first `number` points of the domain are kept.
  int64_t countBefore(int64_t number) const {
    int64_t inner = this->number(), innerKept = 1, result = 0;
    for (const Range &range : kept)
      innerKept *= range.count;
    if (number >= inner)
      return innerKept;
    for (auto [extent, range] : llvm::zip_equal(extents, kept)) {
      inner /= extent;
      if (range.count == 0)
        return 0;
      innerKept /= range.count;
      const int64_t at = number / inner;
      number %= inner;
      result += std::clamp<int64_t>(at - range.low, 0, range.count) * innerKept;
      if (at < range.low || at >= range.low + range.count)
        break;
    }
    return result;
  }

private:
  SmallVector<int64_t> extents;
  SmallVector<Range> kept;
};

/// Returns the first point of each block of the order. Blocks are counted among
/// all points of the domain.
SmallVector<int64_t> findBlocks(const KeptPoints &points, int64_t chain) {
  SmallVector<int64_t> starts;
  for (int64_t first = 0; first < points.number(); first += chain) {
    const int64_t start = points.countBefore(first);
    // A block without points would add +0, which changes no final result
    // (contract_r3).
    if (starts.empty() || start != starts.back())
      starts.push_back(start);
  }
  if (starts.size() > 1 && starts.back() == points.count())
    starts.pop_back();
  return starts;
}

} // namespace

std::vector<ContractBox> divideContract(repro::ContractOp op) {
  // Sums of integers have no order: a single chain.
  const auto chain =
      op.getOrder() ? chainLength(op) : op.getDomain().getNumPoints();
  if (!chain || !hasWideTypes(op) || !hasAddressableTensors(op) ||
      op.getDomain().getNumPoints() == 0)
    return {};
  const ContractIndices indices = indicesOf(op);
  const auto boxes = divideIntoBoxes(op, indices);
  if (!boxes)
    return {};
  std::vector<ContractBox> result;
  for (const Box &box : *boxes) {
    ContractBox next;
    next.indices = indices;
    for (LinearIndices &tensor : next.indices)
      for (LinearIndex &index : tensor)
        for (auto [step, range] : llvm::zip_equal(index.steps, box))
          index.constant += step * range.low;
    for (auto [iterator, range] : llvm::enumerate(box)) {
      next.extents.push_back(range.count);
      next.isReduced.push_back(op.getDomain().isReduced(unsigned(iterator)));
    }
    next.blockStarts = findBlocks(KeptPoints(op.getDomain(), box), *chain);
    result.push_back(std::move(next));
  }
  return result;
}

} // namespace gensyn::codegen
