// Views with a run of columns for vectors; see ContractView.h. Each box of the
// domain has its own view, since boxes have different numbers of points.

#include "ViewBuilder.h"
#include "gensyn/Codegen/Contraction/ContractBox.h"

#include "gensyn/Numerics/Sizes.h"
#include "llvm/ADT/STLExtras.h"

#include <numeric>

using namespace mlir;

namespace gensyn::codegen {
namespace {

/// Costs in units of one fma of vectors, estimated from measurements on
/// AVX-512. They only rank the views of one contraction.
struct Costs {
  static constexpr double kCopied = 3;       ///< a vector of B, into a panel
  static constexpr double kStrided = 4;      ///< the same, per stride
  static constexpr double kTransposed = 6;   ///< the same, from a column of B
  static constexpr double kWindows = 16;     ///< the same, with checks
  static constexpr double kGathered = 3.1;   ///< a lane of it by itself
  static constexpr double kStored = 2;       ///< a vector of C
  static constexpr double kScattered = 2.5;  ///< a lane of it by itself
  static constexpr double kAliased = 40;     ///< the same, in few sets of L1
  static constexpr double kTile = 1;         ///< a row of B, per rows of a tile
  static constexpr double kPointedRow = 0.2; ///< an element of A, by a pointer
  static constexpr double kPackedRow = 1;    ///< an element of A, by vectors
  static constexpr double kPackedSquare = 2; ///< the same, transposed
  static constexpr double kPackedElement = 6; ///< the same, one by one
};

class RunViewBuilder : ViewBuilder {
public:
  RunViewBuilder(repro::ContractOp op, const ContractIndices &indices,
                 ArrayRef<int64_t> extents, int64_t lanes, bool joins)
      : ViewBuilder(op, indices, extents), lanes(lanes), joins(joins) {}

  struct Candidate {
    ContractView view;
    double cost;
  };

  std::optional<Candidate> build(bool swapped) {
    if (!sortIterators(swapped, /*canSkip=*/false))
      return std::nullopt;
    std::optional<Candidate> best;
    const GemmView sorted = gemm();
    buildColumns(best);
    if (!singleStride(sorted.rows, GemmTensor::C)) {
      gemm() = sorted;
      moveRowsToBatch();
      buildColumns(best);
    }
    return best;
  }

private:
  /// Tries all runs of columns.
  void buildColumns(std::optional<Candidate> &best) {
    const GemmAxes all = gemm().columns;
    for (size_t begin = 0; begin <= all.size(); ++begin)
      for (size_t end = begin; end <= all.size(); ++end) {
        if ((begin == end) != all.empty())
          continue;
        ArrayRef<GemmAxis> run = ArrayRef(all).slice(begin, end - begin);
        gemm().run.assign(run.begin(), run.end());
        if (isJoined(gemm()) && !canJoin())
          continue;
        gemm().columns.assign(all.begin(), all.begin() + begin);
        gemm().columns.append(all.begin() + end, all.end());
        const double cost = estimate();
        if (!best || cost < best->cost)
          best = {result, cost};
      }
  }

  /// True if vectors of the joined run have lanes of two pieces at most, and
  /// there are fewer of them than of the pieces.
  bool canJoin() {
    const ColumnPiece piece = pieceInC(gemm());
    return joins && piece.stride == 1 && piece.length >= lanes &&
           piece.length % lanes != 0;
  }

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
    double packed = Costs::kGathered * double(lanes);
    if (runInB == 1)
      packed =
          pointsInB && view.bChecks.empty() && rows < 32 ? 0 : Costs::kCopied;
    else if (hasContiguousPoints(view, GemmTensor::B) && runInB &&
             view.bChecks.empty())
      packed = Costs::kTransposed;
    else if (runInB && *runInB > 1 && *runInB <= kMostGap)
      packed = Costs::kStrided * double(*runInB);
    else if (hasContiguousWindows(view))
      packed = Costs::kWindows;
    else if (pieceInB(view).length > 1)
      packed = std::min(packed,
                        Costs::kStrided * double(pieceInB(view).stride *
                                                 piecesPerVector(view, lanes)));
    const auto rowsInA = singleStride(view.rows, GemmTensor::A),
               pointsInA = singleStride(view.points, GemmTensor::A);
    double ofA = Costs::kPackedElement;
    if (view.aChecks.empty() && rowsInA && (pointsInA == 1 || rows == 1))
      ofA = 0;
    else if (view.aChecks.empty() && rowsInA == 1)
      ofA = Costs::kPackedRow;
    else if (view.aChecks.empty() && rowsInA &&
             hasContiguousPoints(view, GemmTensor::A))
      ofA = Costs::kPackedSquare;
    if (pointsToRows() && ofA > 0)
      ofA = Costs::kPointedRow;
    const double stored = isJoined(view) ? 2 * Costs::kStored
                                         : storedVector(pieceInC(view).stride);
    // A register tile has the rows of one line.
    double shortTile = 0;
    if (const int64_t line = lineOfRows(view).rows; line < view.numRows())
      shortTile =
          Costs::kTile / double(largestDivisor(line, mostRowsInTile(lanes)));
    return (1 + packed / rows + stored / points + shortTile) * double(lanes) /
               usefulLanes +
           ofA * double(lanes) / double(view.numColumns());
  }

  /// True if A is read in place by pointers to rows, without a conversion.
  bool pointsToRows() {
    Value a = op->getOperand(result.swapped ? 1 : 0);
    return cast<ShapedType>(a.getType()).getElementType() ==
               cast<ShapedType>(op.getResult().getType()).getElementType() &&
           tapsOfRows(gemm()).has_value();
  }

  /// Returns the cost of a vector of C with this stride between lanes.
  double storedVector(int64_t stride) const {
    if (stride <= 1)
      return Costs::kStored;
    // Lines this many elements apart share a set of the usual L1 cache.
    constexpr int64_t aliased = 1024;
    const bool isAliased = std::gcd(stride, aliased) > aliased / 4;
    const double lane = isAliased ? Costs::kAliased : Costs::kScattered;
    return std::min(lane * double(lanes), 2 * Costs::kStored * double(stride));
  }

  int64_t lanes;
  bool joins;
};

/// Sets the blocks of the order.
void setBlocks(GemmView &view, const ContractBox &box) {
  const SmallVector<int64_t> &starts = box.blockStarts;
  view.blockSize =
      std::max<int64_t>(starts.size() == 1 ? box.numPoints() : starts[1], 1);
  // The last block may be shorter than the others, not longer.
  bool isEven = box.numPoints() - starts.back() <= view.blockSize;
  for (auto [number, start] : llvm::enumerate(starts))
    isEven &= start == int64_t(number) * view.blockSize;
  if (!isEven)
    view.blockStarts = starts;
}

} // namespace

std::vector<ContractView> viewContract(repro::ContractOp op, int64_t lanes,
                                       bool joins) {
  std::vector<ContractView> views;
  for (const ContractBox &box : divideContract(op)) {
    std::optional<RunViewBuilder::Candidate> best;
    for (bool swapped : {false, true}) {
      auto next = RunViewBuilder(op, box.indices, box.extents, lanes, joins)
                      .build(swapped);
      if (next && (!best || next->cost < best->cost))
        best = next;
    }
    if (!best)
      return {};
    setBlocks(best->view.gemm, box);
    views.push_back(best->view);
  }
  return views;
}

} // namespace gensyn::codegen
