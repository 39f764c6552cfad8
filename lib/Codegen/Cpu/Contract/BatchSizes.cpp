// The choice of sizes by estimated cycles; see BatchSizes.h.

#include "BatchSizes.h"

#include "../Common/Rounding.h"
#include "BatchLayout.h"
#include "llvm/ADT/STLExtras.h"

#include <cmath>

using namespace mlir;

namespace gensyn::cpu {

namespace {

/// Cycles, estimated from measurements on AVX-512.
struct BatchCosts {
  static constexpr double kFma = 0.5, kLoad = 0.5, kLatency = 4;
  static constexpr double kEmulatedFma = 14; ///< by gensyn-expand-fma
  static constexpr double kTile = 250, kCall = 12, kRow = 10;
  static constexpr double kSquare = 5;     ///< a vector of a transposed square
  static constexpr double kSingle = 1.5;   ///< a lane of a vector
  static constexpr double kAdjacent = 1.5; ///< a vector
  static constexpr double kGap = 5;        ///< a vector with gaps in memory
  static constexpr double kFar = 0.8;      ///< a vector from the second cache
};
/// An operand that stays in the first cache, and scratch in the second.
constexpr int64_t kNearBytes = 24 << 10, kMostBytes = 384 << 10;

/// Divides the whole into pieces of about equal sizes, none above `size`.
int64_t balanced(int64_t whole, int64_t size) {
  whole = std::max<int64_t>(whole, 1);
  return ceilDiv(whole, ceilDiv(whole, std::clamp<int64_t>(size, 1, whole)));
}

class Chooser {
public:
  Chooser(const ContractBox &box, int64_t sumBytes, const machine::Cpu &target)
      : box(box), sumBytes(sumBytes), target(target),
        mostSums(target.vectorRegisters >= 32 ? 25 : 12) {}

  BatchChoice choose(ArrayRef<unsigned> laneIterators) {
    BatchSizes sizes;
    sizes.lanes = target.lanes(sumBytes);
    sizes.sumBytes = sumBytes;
    sizes.laneIterators.assign(laneIterators.begin(), laneIterators.end());
    sizes.factors.assign(box.extents.size(), 1);
    for (auto [i, extent] : llvm::enumerate(box.extents))
      sizes.blocks.push_back(isPureBatch(unsigned(i)) ? 1 : extent);
    const BatchChoice whole = withFactors(fitted(sizes, box));
    BatchChoice best = whole;
    for (bool cutsPoints : {false, true}) {
      BatchChoice choice = shrink(whole, cutsPoints);
      if (choice.cycles < best.cycles)
        best = choice;
    }
    return best;
  }

private:
  /// Returns the best of smaller and smaller tiles, each the cheapest with one
  /// block half as large. Visits are divided if `cutsPoints`.
  BatchChoice shrink(BatchChoice current, bool cutsPoints) const {
    BatchChoice best = current;
    while (true) {
      std::optional<BatchChoice> next;
      for (unsigned i = 0; i < box.extents.size(); ++i) {
        if (current.sizes.blocks[i] == 1 || (box.isReduced[i] && !cutsPoints))
          continue;
        BatchSizes smaller = current.sizes;
        smaller.blocks[i] =
            balanced(box.extents[i], (smaller.blocks[i] + 1) / 2);
        BatchChoice choice = withFactors(fitted(smaller, box));
        if (choice.sizes.blocks != current.sizes.blocks &&
            (!next || choice.cycles < next->cycles))
          next = choice;
      }
      if (!next)
        return best;
      current = *next;
      if (current.cycles < best.cycles)
        best = current;
    }
  }

  /// True if tiles of several values would reuse nothing.
  bool isPureBatch(unsigned i) const {
    return !box.isReduced[i] && codegen::uses(box.indices[0], i) &&
           codegen::uses(box.indices[1], i) && box.indices[2].size() > 0 &&
           llvm::is_contained(findLaneIterators(box), i);
  }

  /// Grows the register tile while that makes a point cheaper.
  BatchChoice withFactors(BatchSizes sizes) const {
    sizes.factors.assign(box.extents.size(), 1);
    double best = perPoint(sizes);
    while (true) {
      std::optional<BatchSizes> next;
      for (unsigned i = 0; i < box.extents.size(); ++i) {
        if (box.isReduced[i])
          continue;
        for (int64_t factor = sizes.factors[i] + 1;
             factor <= std::min<int64_t>(sizes.blocks[i], mostSums); ++factor) {
          BatchSizes larger = sizes;
          larger.factors[i] = factor;
          if (numSums(larger) > mostSums)
            break;
          const double cycles = perPoint(larger);
          if (cycles < best) {
            best = cycles;
            next = larger;
          }
        }
      }
      if (!next)
        return {sizes, cycles(sizes)};
      sizes = *next;
    }
  }

  int64_t numSums(const BatchSizes &sizes) const {
    int64_t sums = 1;
    for (int64_t factor : sizes.factors)
      sums *= factor;
    return sums;
  }

  /// Returns the loads of the micro-kernel per point of one result.
  double loadsPerPoint(const BatchSizes &sizes) const {
    double loads[2] = {1, 1};
    for (unsigned i = 0; i < box.extents.size(); ++i)
      for (unsigned operand = 0; operand < 2; ++operand)
        if (codegen::uses(box.indices[operand], i))
          loads[operand] *= double(sizes.factors[i]);
    return (loads[0] + loads[1]) / double(numSums(sizes));
  }

  /// Returns the cycles of the micro-kernel per point of one result.
  double perPoint(const BatchSizes &sizes) const {
    double useful = 1;
    for (auto [size, factor] : llvm::zip_equal(sizes.blocks, sizes.factors)) {
      const auto block = double(size), tile = double(factor);
      useful *= block / (std::ceil(block / tile) * tile);
    }
    const double fma =
        target.hasFma ? BatchCosts::kFma : BatchCosts::kEmulatedFma;
    return std::max({fma, loadsPerPoint(sizes) * BatchCosts::kLoad,
                     BatchCosts::kLatency / double(numSums(sizes))}) /
           useful;
  }

  /// Returns the vectors of an operand that register tiles read from the second
  /// cache, if it exceeds the first.
  double farLoads(const BatchLayout &layout, unsigned number) const {
    const BatchOperand &operand = layout.operands[number];
    if (operand.vectors * layout.sizes.lanes * sumBytes <= kNearBytes)
      return 0;
    auto loads = double(operand.vectors);
    for (unsigned i : layout.parallel)
      if (!codegen::uses(box.indices[number], i))
        loads *= double(layout.rounded(i)) / double(layout.sizes.factors[i]);
    return loads;
  }

  double copyCycles(LaneCopy copy, double vectors, double run,
                    double lanes) const {
    const double rows = vectors / run;
    switch (copy) {
    case LaneCopy::Adjacent:
      return rows * BatchCosts::kRow + vectors * BatchCosts::kAdjacent;
    case LaneCopy::Single:
      return rows * BatchCosts::kRow + vectors * lanes * BatchCosts::kSingle;
    case LaneCopy::Transposed:
      return rows * (BatchCosts::kRow +
                     std::ceil(run / lanes) * lanes * BatchCosts::kSquare);
    }
    return 0;
  }

  /// Returns the cycles of the whole box.
  double cycles(const BatchSizes &sizes) const {
    const BatchLayout layout(box, sizes);
    if (layout.scratchBytes > kMostBytes)
      return 1e6 * double(layout.scratchBytes) * double(layout.tiles);
    const auto lanes = double(sizes.lanes);
    double points = 1, visits = 1, results = double(layout.resultVectors);
    for (unsigned i : layout.points) {
      points *= double(sizes.blocks[i]);
      visits *= std::ceil(double(box.extents[i]) / double(sizes.blocks[i]));
    }
    visits = std::max(visits, double(box.blockStarts.size()));
    double copies = 0;
    for (const BatchOperand &operand : layout.operands)
      copies += copyCycles(operand.copy, double(operand.vectors),
                           double(operand.dims.back().size), lanes);
    double products = results * points * perPoint(sizes) +
                      results / double(numSums(sizes)) * BatchCosts::kCall +
                      results * 2;
    for (unsigned operand = 0; operand < 2; ++operand)
      products += farLoads(layout, operand) * BatchCosts::kFar;
    double run = 1, stored = 0;
    if (!layout.resultAxes.empty()) {
      const BatchResultAxis &axis = layout.resultAxes.back();
      run = double(sizes.blocks[axis.iterator] * axis.inner);
      if (axis.stride > 1 && layout.resultCopy == LaneCopy::Transposed)
        stored = results * BatchCosts::kGap;
    }
    stored += copyCycles(layout.resultCopy, results, run, lanes);
    if (layout.sumOffset != layout.partialOffset)
      stored += 2 * results * double(box.blockStarts.size());
    return double(layout.tiles) *
           (BatchCosts::kTile + visits * (copies + products) + stored);
  }

  const ContractBox &box;
  int64_t sumBytes;
  const machine::Cpu &target;
  int64_t mostSums;
};

} // namespace

SmallVector<unsigned> findLaneIterators(const ContractBox &box) {
  SmallVector<unsigned> result;
  for (unsigned i = 0; i < box.extents.size(); ++i) {
    if (box.isReduced[i] || box.extents[i] == 1)
      continue;
    bool isAlone = codegen::strideOf(box.indices[2], i) > 0;
    for (const LinearIndices &indices : box.indices)
      for (const LinearIndex &index : indices) {
        if (index.steps[i] == 0)
          continue;
        isAlone &= index.isInside(box.extents);
        for (unsigned other = 0; other < box.extents.size(); ++other)
          isAlone &=
              other == i || index.steps[other] == 0 || box.extents[other] <= 1;
      }
    if (isAlone)
      result.push_back(i);
  }
  return result;
}

BatchSizes fitted(BatchSizes sizes, const ContractBox &box) {
  SmallVector<unsigned> points;
  for (unsigned i = 0; i < box.extents.size(); ++i) {
    int64_t &block = sizes.blocks[i], &factor = sizes.factors[i];
    const int64_t extent = std::max<int64_t>(box.extents[i], 1);
    block = std::clamp<int64_t>(block, 1, extent);
    if (llvm::is_contained(sizes.laneIterators, i))
      block = 1;
    if (box.isReduced[i]) {
      factor = 1;
      points.push_back(i);
    }
    factor = std::clamp<int64_t>(factor, 1, block);
  }
  // A visit has all values of the iterators inside the one that it divides, and
  // blocks of the order begin at multiples of their points.
  size_t split = 0;
  int64_t chunk = 1;
  for (size_t at = points.size(); at-- > 1;) {
    const int64_t extent = std::max<int64_t>(box.extents[points[at]], 1);
    const bool isCut = llvm::any_of(box.blockStarts, [&](int64_t start) {
      return start % (chunk * extent) != 0;
    });
    if (isCut)
      sizes.blocks[points[at]] =
          std::min(sizes.blocks[points[at]], std::max<int64_t>(extent - 1, 1));
    if (sizes.blocks[points[at]] < extent || isCut) {
      split = at;
      break;
    }
    chunk *= extent;
  }
  for (size_t at = 0; at < split; ++at)
    sizes.blocks[points[at]] = 1;
  return sizes;
}

std::optional<BatchChoice> chooseBatchSizes(const ContractBox &box,
                                            int64_t sumBytes,
                                            const machine::Cpu &target) {
  SmallVector<unsigned> batch, others;
  for (unsigned i : findLaneIterators(box))
    (codegen::uses(box.indices[0], i) && codegen::uses(box.indices[1], i)
         ? batch
         : others)
        .push_back(i);
  if (batch.empty())
    return std::nullopt;
  for (unsigned i = 0; i < box.extents.size(); ++i)
    if (codegen::strideOf(box.indices[2], i) < 0)
      return std::nullopt;
  std::optional<BatchChoice> best;
  auto consider = [&](SmallVector<unsigned> lanes) {
    llvm::stable_sort(lanes, [&](unsigned x, unsigned y) {
      return codegen::strideOf(box.indices[2], x) >
             codegen::strideOf(box.indices[2], y);
    });
    BatchChoice choice = Chooser(box, sumBytes, target).choose(lanes);
    if (!best || choice.cycles < best->cycles)
      best = choice;
  };
  consider(batch);
  if (batch.size() > 1)
    for (unsigned i : batch)
      consider({i});
  for (unsigned i : others) {
    SmallVector<unsigned> more = batch;
    more.push_back(i);
    consider(more);
  }
  return best;
}

} // namespace gensyn::cpu
