// The time of the matrix-product schedule, as far as schedules compare theirs
// with it; see BatchSizes.h.

#include "BatchSizes.h"
#include "Gemm.h"

#include <cmath>

using namespace mlir;

namespace gensyn::cpu {

namespace {
/// Cycles, estimated from measurements on AVX-512.
struct GemmCosts {
  static constexpr double kFma = 0.5, kLoad = 0.5, kLatency = 4;
  static constexpr double kEmulatedFma = 6; ///< by gensyn-speculate-fma
  static constexpr double kTile = 120, kVector = 30, kCall = 25;
  static constexpr double kCopied = 1.5, kTap = 15, kTransposed = 5,
                          kWindows = 8;
  static constexpr double kStrided = 3; ///< per element of the stride
  static constexpr double kGathered = 20;
  static constexpr double kStored = 3, kGap = 6, kScattered = 20;
  static constexpr double kPackedElement = 2, kPointer = 1.5;
};
} // namespace

double estimateCycles(const GemmView &view, const GemmMachine &machine,
                      const machine::Cpu &target) {
  const GemmSizes sizes = chooseGemmSizes(view, machine);
  const GemmLayout layout(view, sizes);
  const auto points = double(view.numPoints()), nv = double(sizes.nv);
  double pack = 0;
  if (readsWindows(view, sizes))
    pack = nv * double(*tapsOf(view)) * GemmCosts::kTap;
  if (sizes.packB)
    switch (columnPacking(view)) {
    case ColumnPacking::Contiguous:
      pack = nv * (points * GemmCosts::kCopied +
                   double(*tapsOf(view)) * GemmCosts::kTap *
                       std::ceil(points / double(sizes.kc)));
      break;
    case ColumnPacking::Transposed:
      pack =
          nv * points *
          (view.bChecks.empty() ? GemmCosts::kTransposed : GemmCosts::kWindows);
      break;
    case ColumnPacking::Strided:
      pack = nv * points * GemmCosts::kStrided *
             double(*singleStride(view.run, GemmTensor::B));
      break;
    case ColumnPacking::Pieces:
      pack = nv * (points * GemmCosts::kStrided *
                       double(pieceInB(view).stride *
                              piecesPerVector(view, sizes.lanes)) +
                   double(*tapsOf(view)) * GemmCosts::kTap *
                       std::ceil(points / double(sizes.kc)));
      break;
    case ColumnPacking::Gathered:
      pack = nv * points * GemmCosts::kGathered;
      break;
    }
  const int64_t gap = pieceInC(view).stride;
  const double stored = gap <= 1   ? GemmCosts::kStored
                        : gap <= 4 ? GemmCosts::kGap
                                   : GemmCosts::kScattered;
  const double fma = target.hasFma ? GemmCosts::kFma : GemmCosts::kEmulatedFma;
  const auto mr = double(sizes.mr);
  const double call =
      GemmCosts::kCall +
      points * std::max({mr * nv * fma, (mr + nv) * GemmCosts::kLoad,
                         GemmCosts::kLatency}) +
      mr * nv * stored;
  const auto panels = double(std::min(layout.rowPanels, layout.panelsPerBlock));
  double rows = 0;
  if (sizes.packA)
    rows = double(view.numBatches() * view.numRows()) * points *
           GemmCosts::kPackedElement;
  if (sizes.rowPointers)
    pack += panels * mr * double(pointersPerRow(view)) * GemmCosts::kPointer;
  const int64_t tiles =
      view.numBatches() * layout.rowBlocks * layout.columnPanels;
  return rows + double(tiles) * (GemmCosts::kTile + nv * GemmCosts::kVector +
                                 pack + panels * call);
}

} // namespace gensyn::cpu
