// Views with a run of columns for vectors; see ContractView.h. Each box of the
// domain has its own view, since boxes have different numbers of points.

#include "Boxes.h"
#include "ViewBuilder.h"

#include "gensyn/Numerics/Sizes.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace gensyn::codegen {
namespace {

/// Costs in units of one fma of vectors, estimated from measurements on
/// AVX-512. They only rank the views of one contraction.
struct Costs {
  static constexpr double kCopied = 3;        ///< a vector of B, into a panel
  static constexpr double kStrided = 4;       ///< the same, per stride
  static constexpr double kTransposed = 6;    ///< the same, from a column of B
  static constexpr double kGathered = 50;     ///< the same, lane by lane
  static constexpr double kStored = 2;        ///< a vector of C
  static constexpr double kScattered = 40;    ///< the same, lane by lane
  static constexpr double kPackedRow = 1;     ///< an element of A, by vectors
  static constexpr double kPackedElement = 6; ///< the same, one by one
};

class RunViewBuilder : ViewBuilder {
public:
  RunViewBuilder(repro::ContractOp op, const ContractIndices &indices,
                 ArrayRef<int64_t> extents, int64_t lanes)
      : ViewBuilder(op, indices, extents), lanes(lanes) {}

  struct Candidate {
    ContractView view;
    double cost;
  };

  std::optional<Candidate> build(bool swapped) {
    if (!sortIterators(swapped, /*canSkip=*/false))
      return std::nullopt;
    moveRowsToBatch();
    const GemmAxes all = gemm().columns;
    std::optional<Candidate> best;
    for (size_t begin = 0; begin <= all.size(); ++begin)
      for (size_t end = begin; end <= all.size(); ++end) {
        if ((begin == end) != all.empty())
          continue;
        ArrayRef<GemmAxis> run = ArrayRef(all).slice(begin, end - begin);
        if (!singleStride(run, GemmTensor::C))
          continue;
        gemm().run.assign(run.begin(), run.end());
        gemm().columns.assign(all.begin(), all.begin() + begin);
        gemm().columns.append(all.begin() + end, all.end());
        const double cost = estimate();
        if (!best || cost < best->cost)
          best = {result, cost};
      }
    return best;
  }

private:
  /// Keeps as rows the largest group of iterators that have a single stride in
  /// C; the others become batch iterators.
  void moveRowsToBatch() {
    const GemmAxes all = gemm().rows;
    size_t first = 0, last = 0;
    int64_t most = 0;
    for (size_t begin = 0; begin < all.size(); ++begin)
      for (size_t end = begin + 1; end <= all.size(); ++end) {
        ArrayRef<GemmAxis> rows = ArrayRef(all).slice(begin, end - begin);
        if (product(rows) >= most && singleStride(rows, GemmTensor::C)) {
          most = product(rows);
          first = begin;
          last = end;
        }
      }
    gemm().rows.assign(all.begin() + first, all.begin() + last);
    gemm().batch.append(all.begin(), all.begin() + first);
    gemm().batch.append(all.begin() + last, all.end());
  }

  /// Returns the cost of a product per fma that an element needs.
  double estimate() {
    const GemmView &view = gemm();
    const int64_t vectors = (view.runLength() + lanes - 1) / lanes;
    const double usefulLanes = double(view.runLength()) / double(vectors);
    const auto rows = double(view.numRows());
    const double points = double(std::max<int64_t>(view.numPoints(), 1));
    const auto runInB = singleStride(view.run, GemmTensor::B),
               pointsInB = singleStride(view.points, GemmTensor::B);
    double packed = Costs::kGathered;
    if (runInB == 1)
      packed =
          pointsInB && view.bChecks.empty() && rows < 32 ? 0 : Costs::kCopied;
    else if (pointsInB == 1 && runInB && view.bChecks.empty())
      packed = Costs::kTransposed;
    else if (runInB && *runInB > 1 && *runInB <= kMostGap)
      packed = Costs::kStrided * double(*runInB);
    const auto rowsInA = singleStride(view.rows, GemmTensor::A),
               pointsInA = singleStride(view.points, GemmTensor::A);
    double ofA = Costs::kPackedElement;
    if (view.aChecks.empty() && rowsInA && (pointsInA == 1 || rows == 1))
      ofA = 0;
    else if (view.aChecks.empty() && rowsInA == 1)
      ofA = Costs::kPackedRow;
    const int64_t inC = *singleStride(view.run, GemmTensor::C);
    const double stored = inC <= 1 ? Costs::kStored
                                   : std::min(Costs::kScattered,
                                              2 * Costs::kStored * double(inC));
    return (1 + packed / rows + stored / points) * double(lanes) / usefulLanes +
           ofA * double(lanes) / double(view.numColumns());
  }

  int64_t lanes;
};

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

/// Sets the blocks of the order, which are counted among all points.
void setBlocks(GemmView &view, const KeptPoints &points, int64_t chain) {
  SmallVector<int64_t> starts;
  for (int64_t first = 0; first < points.number(); first += chain) {
    const int64_t start = points.countBefore(first);
    // A block without points would add +0, which changes no final result
    // (contract_r3).
    if (starts.empty() || start != starts.back())
      starts.push_back(start);
  }
  const int64_t count = points.count();
  if (starts.size() > 1 && starts.back() == count)
    starts.pop_back();
  view.blockSize = std::max<int64_t>(starts.size() == 1 ? count : starts[1], 1);
  for (auto [number, start] : llvm::enumerate(starts))
    if (start != int64_t(number) * view.blockSize)
      view.blockStarts = starts;
}

} // namespace

std::vector<ContractView> viewContract(repro::ContractOp op, int64_t lanes) {
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
  std::vector<ContractView> views;
  for (const Box &box : *boxes) {
    ContractIndices moved = indices;
    for (LinearIndices &tensor : moved)
      for (LinearIndex &index : tensor)
        for (auto [step, range] : llvm::zip_equal(index.steps, box))
          index.constant += step * range.low;
    SmallVector<int64_t> extents;
    for (const Range &range : box)
      extents.push_back(range.count);
    std::optional<RunViewBuilder::Candidate> best;
    for (bool swapped : {false, true}) {
      auto next = RunViewBuilder(op, moved, extents, lanes).build(swapped);
      if (next && (!best || next->cost < best->cost))
        best = next;
    }
    if (!best)
      return {};
    setBlocks(best->view.gemm, KeptPoints(op.getDomain(), box), *chain);
    views.push_back(best->view);
  }
  return views;
}

} // namespace gensyn::codegen
