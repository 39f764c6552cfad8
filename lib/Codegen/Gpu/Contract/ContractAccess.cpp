// See ContractAccess.h.

#include "ContractAccess.h"

#include "ContractSizes.h"

#include "gensyn/Numerics/Sizes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <algorithm>

namespace gensyn::gpu {

using codegen::GemmAxes;
using codegen::GemmAxis;
using codegen::GemmCheck;
using codegen::GemmTensor;
using codegen::GemmView;

/// Returns a bound of the absolute value of `offset` plus the axes' steps.
static int64_t farthest(const GemmView &view, int64_t offset,
                        llvm::function_ref<int64_t(const GemmAxis &)> step) {
  int64_t sum = std::abs(offset);
  for (const GemmAxes *axes :
       {&view.batch, &view.rows, &view.columns, &view.points})
    for (const GemmAxis &axis : *axes)
      sum = saturatingAdd(
          sum, saturatingMultiply(axis.extent - 1, std::abs(step(axis))));
  return sum;
}

bool hasWideOffsets(const GemmView &view, GemmTensor tensor) {
  const int64_t offset = tensor == GemmTensor::A   ? view.aOffset
                         : tensor == GemmTensor::B ? view.bOffset
                                                   : view.cOffset;
  return farthest(view, offset, [&](const GemmAxis &axis) {
           return axis.stride(tensor);
         }) > kMostOf32Bits;
}

bool hasShortNumbers(const GemmView &view) {
  using Steps = llvm::SmallVector<int64_t, 2> GemmAxis::*;
  auto areShort = [&](llvm::ArrayRef<GemmCheck> checks, Steps steps) {
    return all_of(enumerate(checks), [&](auto check) {
      const int64_t most =
          farthest(view, check.value().offset, [&](const GemmAxis &axis) {
            return (axis.*steps)[check.index()];
          });
      return std::max(most, check.value().extent) <= kMostOf32Bits;
    });
  };
  return std::max({view.numBatches(), view.numRows(), view.numColumns(),
                   view.numPoints()}) <= kMostOf32Bits &&
         areShort(view.aChecks, &GemmAxis::aChecks) &&
         areShort(view.bChecks, &GemmAxis::bChecks) &&
         areShort(view.cChecks, &GemmAxis::cChecks) &&
         areShort(view.skips, &GemmAxis::skips);
}

/// Elements of an access are contiguous, aligned in every row, and share bounds
/// checks.
static int64_t widthAlong(const GemmAxes &along, const GemmView &view,
                          GemmTensor tensor, int64_t bytes, int64_t longest) {
  if (along.empty() || along.back().stride(tensor) != 1)
    return 0;
  int64_t run = 1;
  size_t outer = along.size();
  while (
      outer > 0 && along[outer - 1].stride(tensor) == run &&
      !codegen::isChecked(along[outer - 1], tensor) &&
      none_of(along[outer - 1].skips, [](int64_t step) { return step != 0; }))
    run *= along[--outer].extent;
  const bool isB = tensor == GemmTensor::B;
  int64_t most = isB ? view.bOffset : view.aOffset;
  most |= run;
  for (const GemmAxis &axis : llvm::ArrayRef(along).take_front(outer))
    most |= axis.stride(tensor);
  for (const GemmAxes *others :
       {&view.batch, isB ? &view.columns : &view.rows, &view.points})
    if (others != &along)
      for (const GemmAxis &axis : *others)
        most |= axis.stride(tensor);
  if (&along == &view.points && view.blockSize < view.numPoints())
    most |= view.blockSize;
  int64_t width = std::min(longest, 16 / bytes);
  while (most % width != 0)
    width /= 2;
  return width;
}

ContractAccess getContractAccess(const GemmView &view, GemmTensor tensor,
                                 int64_t bytes, int64_t most) {
  const GemmAxes &rows = tensor == GemmTensor::B ? view.columns : view.rows;
  return {widthAlong(rows, view, tensor, bytes, most),
          widthAlong(view.points, view, tensor, bytes, most)};
}

MatrixCopy getMatrixCopy(const GemmView &view, GemmTensor tensor) {
  const ContractAccess access = getContractAccess(view, tensor, 1, 16);
  if (access.alongPoints >= 4)
    return {.points = access.alongPoints,
            .width = access.alongPoints,
            .lanes = kMatrixTilePoints / access.alongPoints};
  // Four lanes with 4 points each write different banks, and eight read 32
  // bytes of a point.
  if (access.alongRows >= 4)
    return {.rows = 4, .width = 4, .lanes = 4};
  // Lanes read neighbours, if there are any.
  return {.lanes = access.alongRows > 0 ? 1 : kMatrixTilePoints / 4};
}

} // namespace gensyn::gpu
