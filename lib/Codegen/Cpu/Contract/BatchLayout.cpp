// See BatchLayout.h.

#include "BatchLayout.h"

#include "../Common/Rounding.h"
#include "llvm/ADT/STLExtras.h"

#include <numeric>

using namespace mlir;

namespace gensyn::cpu {

namespace {
/// Shorter pieces of memory are copied element by element.
constexpr int64_t kShortestRun = 4;
constexpr int64_t kLineBytes = 64;

/// Joins a dimension with the one inside, if the coordinates of both count
/// through consecutive elements of memory.
bool join(const BatchDim &outer, BatchDim &inner) {
  if (inner.mayLeave || inner.low != 0 || inner.step != 1 ||
      inner.size != inner.extent || outer.step != 1 ||
      outer.stride != inner.stride * inner.extent ||
      llvm::any_of(inner.starts, [](int64_t start) { return start != 0; }))
    return false;
  const int64_t extent = inner.extent, stride = inner.stride;
  inner = outer;
  inner.stride = stride;
  inner.extent *= extent;
  inner.low *= extent;
  inner.size *= extent;
  for (int64_t &start : inner.starts)
    start *= extent;
  return true;
}
} // namespace

BatchLayout::BatchLayout(const ContractBox &contractBox,
                         const BatchSizes &batchSizes)
    : box(contractBox), sizes(batchSizes) {
  for (unsigned i = 0; i < box.extents.size(); ++i) {
    roundedBlocks.push_back(ceilDiv(sizes.blocks[i], sizes.factors[i]) *
                            sizes.factors[i]);
    if (box.isReduced[i])
      points.push_back(i);
    else if (!llvm::is_contained(sizes.laneIterators, i))
      parallel.push_back(i);
  }
  for (unsigned i : sizes.laneIterators)
    laneCount *= box.extents[i];
  laneBlocks = ceilDiv(laneCount, sizes.lanes);
  tiles = laneBlocks;
  for (unsigned i : parallel)
    tiles *= blocksOf(i);

  // Without points one visit walks over all iterators, one of which is empty.
  const bool hasPoints = box.numPoints() != 0 && !points.empty();
  for (unsigned at = points.size(); hasPoints && at-- > 1;) {
    if (sizes.blocks[points[at]] < box.extents[points[at]]) {
      split = at;
      break;
    }
    chunk *= box.extents[points[at]];
  }
  isOneVisit = !hasPoints || (box.blockStarts.size() == 1 &&
                              rows() == sizes.blocks[points[split]]);

  layOut(0);
  layOut(1);
  layOutResult();
  // Lanes past the last one repeat it, so that they may be stored. A vector in
  // memory does not have them.
  if (laneCount % sizes.lanes != 0 && resultCopy != LaneCopy::Adjacent)
    for (BatchOperand &operand : operands)
      if (operand.copy == LaneCopy::Adjacent)
        operand.copy = LaneCopy::Single;
  const int64_t bytes = sizes.sumBytes;
  int64_t next = 0; // in lines of the cache
  auto place = [&](int64_t sums, int64_t bytesOfOne) {
    const int64_t at = next * kLineBytes / bytes;
    next += ceilDiv(sums * bytesOfOne, kLineBytes);
    return at;
  };
  place(3 * sizes.lanes, 4);
  startsOffset = place(int64_t(box.blockStarts.size()), 8);
  // Copies of whole squares reach beyond the last vector.
  for (BatchOperand &operand : operands)
    operand.offset =
        place((operand.vectors + sizes.lanes) * sizes.lanes, bytes);
  const int64_t result = (resultVectors + sizes.lanes) * sizes.lanes;
  partialOffset = place(result, bytes);
  sumOffset = box.blockStarts.size() > 1 ? place(result, bytes) : partialOffset;
  scratchBytes = next * kLineBytes;
}

int64_t BatchLayout::blocksOf(unsigned iterator) const {
  return ceilDiv(box.extents[iterator], sizes.blocks[iterator]);
}

int64_t BatchLayout::rows() const {
  int64_t result = 1;
  for (unsigned at = 0; at < points.size() && at <= split; ++at)
    result *= box.extents[points[at]];
  return result;
}

LaneCopy BatchLayout::copyOf(const LinearIndices &indices, int64_t run) const {
  int64_t next = 1;
  bool isAdjacent = true;
  for (unsigned i : llvm::reverse(sizes.laneIterators)) {
    isAdjacent &= codegen::strideOf(indices, i) == next;
    next *= box.extents[i];
  }
  return isAdjacent            ? LaneCopy::Adjacent
         : run >= kShortestRun ? LaneCopy::Transposed
                               : LaneCopy::Single;
}

void BatchLayout::layOut(unsigned number) {
  BatchOperand &operand = operands[number];
  const LinearIndices &indices = box.indices[number];
  operand.strides.assign(box.extents.size(), 0);
  for (const LinearIndex &index : llvm::reverse(indices)) {
    BatchDim dim;
    dim.extent = index.extent;
    dim.stride = index.stride;
    dim.low = index.constant;
    dim.starts.assign(box.extents.size(), 0);
    int64_t step = 0, beyond = 0, least = index.constant, most = least;
    for (unsigned i = 0; i < box.extents.size(); ++i) {
      const int64_t by = index.steps[i];
      if (by == 0 || llvm::is_contained(sizes.laneIterators, i))
        continue;
      const int64_t values = roundedBlocks[i] - 1;
      if (values > 0)
        step = std::gcd(step, by);
      (by < 0 ? dim.low : beyond) += by * values;
      // The last start of a tile, or of a visit.
      int64_t last = 0;
      if (!isPoint(i))
        last = (blocksOf(i) - 1) * sizes.blocks[i];
      else if (!isOneVisit && i <= points[split])
        last = std::max<int64_t>(box.extents[i] - 1, 0);
      if (last > 0)
        dim.starts[i] = by;
      (by < 0 ? least : most) += by * (last + values);
    }
    dim.step = std::max<int64_t>(step, 1);
    dim.size = (index.constant - dim.low + beyond) / dim.step + 1;
    // Lanes stay inside, but add to the range of a lane's index.
    dim.mayLeave = least < 0 || most >= index.extent;
    for (unsigned i : sizes.laneIterators)
      if (index.steps[i] != 0)
        dim.mayLeave = false;
    for (unsigned i = 0; i < box.extents.size(); ++i)
      if (roundedBlocks[i] > 1)
        operand.strides[i] += index.steps[i] / dim.step * operand.vectors;
    operand.origin += (index.constant - dim.low) / dim.step * operand.vectors;
    operand.vectors *= dim.size;
    if (index.extent == 1 && !dim.mayLeave)
      continue;
    if (operand.dims.empty() || !join(dim, operand.dims.front()))
      operand.dims.insert(operand.dims.begin(), dim);
  }
  if (operand.dims.empty() || operand.dims.back().step != 1) {
    BatchDim one;
    one.starts.assign(box.extents.size(), 0);
    operand.dims.push_back(one);
  }
  const BatchDim &run = operand.dims.back();
  operand.copy = copyOf(indices, run.stride == 1 ? run.size : 1);
}

void BatchLayout::layOutResult() {
  const LinearIndices &indices = box.indices[2];
  SmallVector<unsigned> tiled;
  for (unsigned i : parallel)
    if (isTiled(i))
      tiled.push_back(i);
  llvm::stable_sort(tiled, [&](unsigned x, unsigned y) {
    return codegen::strideOf(indices, x) > codegen::strideOf(indices, y);
  });
  resultStrides.assign(box.extents.size(), 0);
  for (unsigned i : llvm::reverse(tiled)) {
    const int64_t stride = codegen::strideOf(indices, i);
    resultStrides[i] = resultVectors;
    resultVectors *= rounded(i);
    if (!resultAxes.empty()) {
      BatchResultAxis &last = resultAxes.front();
      const int64_t extent = box.extents[last.iterator];
      if (stride == last.stride * last.inner * extent &&
          rounded(last.iterator) == extent &&
          sizes.blocks[last.iterator] == extent) {
        last = {i, last.inner * extent, last.stride};
        continue;
      }
    }
    resultAxes.insert(resultAxes.begin(), {i, 1, stride});
  }
  int64_t run = 1;
  if (!resultAxes.empty())
    run = sizes.blocks[resultAxes.back().iterator] * resultAxes.back().inner;
  resultCopy = copyOf(indices, run);
}

} // namespace gensyn::cpu
