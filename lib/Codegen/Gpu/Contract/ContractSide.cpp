// See ContractSide.h: layouts and fragments. ContractCopy.cpp copies.

#include "ContractSide.h"

#include "gensyn/Codegen/Kernel/BufferTypes.h"
#include "gensyn/Codegen/Kernel/KernelEmitter.h"
#include "gensyn/Dialect/Repro/IR/Repro.h"

using namespace mlir;

namespace gensyn::gpu {

KernelBuilder::Values decodeAxes(KernelBuilder &k, const GemmAxes &axes,
                                 Value flat) {
  KernelBuilder::Values values(axes.size());
  for (size_t i = axes.size(); i-- > 0;) {
    values[i] = i == 0 ? flat : k.rem(flat, axes[i].extent);
    if (i > 0)
      flat = k.div(flat, axes[i].extent);
  }
  return values;
}

Value walkAxes(const codegen::IndexBuilder &k, const GemmAxes &axes,
               ArrayRef<Value> values,
               function_ref<int64_t(const GemmAxis &)> step) {
  Value sum = k.constant(0);
  for (auto [axis, value] : llvm::zip_equal(axes, values))
    if (int64_t by = step(axis))
      sum = k.add(sum, k.mul(k.widen(value), by));
  return sum;
}

ContractSide::ContractSide(KernelBuilder &k, const GemmView &view,
                           const ContractSizes &sizes, GemmTensor tensor,
                           Type element, Type sum, Value pointer)
    : k(k), view(view), sizes(sizes), tensor(tensor),
      offsets(k.offsets(sizes.isWide(view, tensor))), element(element),
      sum(sum), stored(codegen::getScalarType(element)),
      wide(codegen::getScalarType(sum)),
      bytes(stored.getIntOrFloatBitWidth() / 8), unit(sizes.unitBytes()),
      pointer(pointer),
      rows(tensor == GemmTensor::B ? view.columns : view.rows),
      checks(tensor == GemmTensor::B ? view.bChecks : view.aChecks),
      extent(isB() ? sizes.bn : sizes.bm), count(isB() ? sizes.tn : sizes.tm),
      lanes(isB() ? k.target.warpSize / sizes.lanes : sizes.lanes),
      vector(std::min<int64_t>(16 / unit, count)), threads(sizes.threads()),
      pointStride(constantPointStride(view, tensor)),
      rowStride(singleStride(rows, tensor)), table(view, sizes, tensor) {
  chooseLayout();
}

void ContractSide::chooseLayout() {
  if (sizes.matrix) {
    layout = Layout::Matrix;
    alongPoints = true;
    bytesCopy = getMatrixCopy(view, tensor);
    width = bytesCopy.width;
    run = bytesCopy.isDirect() ? width : 1;
    return;
  }
  ContractAccess access = getContractAccess(view, tensor, bytes);
  access.alongRows = std::min(access.alongRows, extent);
  alongPoints = access.isAlongPoints();
  if (!alongPoints) {
    width = std::max<int64_t>(access.alongRows, 1);
    return;
  }
  width = run = access.alongPoints;
  if (width == 4 && (isB() ? sizes.keepB : sizes.keepA)) {
    layout = Layout::Rows;
    // A row has 4 * bk bytes, so rows that share banks are 32 / bk apart.
    keepShift = sizes.bk == 8 ? 2 : 1;
    keepMask = std::max<int64_t>(lanes >> keepShift, 1) - 1;
    keepMask = std::min(keepMask, sizes.bk / 4 - 1);
    return;
  }
  if (isAsync())
    width = 1;
  if (extent % 32 != 0)
    return; // too small for bank conflicts to matter
  layout = Layout::Swizzled;
  swizzleStep = sizes.bk == 8 ? 16 : 8;
  swizzleCount = sizes.bk / 4;
}

void ContractSide::placeFragments(Value thread) {
  // Consecutive warps cover the rows first. Consecutive lanes of a warp cover
  // the columns first.
  const int64_t warpsA = sizes.bm / (sizes.lanes * sizes.tm);
  const int64_t lanesB = k.target.warpSize / sizes.lanes;
  Value warp = k.div(thread, k.target.warpSize),
        lane = k.rem(thread, k.target.warpSize);
  warp = isB() ? k.div(warp, warpsA) : k.rem(warp, warpsA);
  lane = isB() ? k.rem(lane, lanesB) : k.div(lane, lanesB);
  readIndex = k.add(k.mul(warp, lanes * count), k.mul(lane, group()));
  readLane = k.bitAnd(k.shr(lane, keepShift), keepMask);
}

Value ContractSide::rowOf(int64_t i) {
  const int64_t groups = i / group();
  return k.add(readIndex, groups * lanes * group() + i % group());
}

Value ContractSide::rowOf(Value i) {
  Value groups = k.div(i, group());
  return k.add(k.add(readIndex, k.mul(groups, lanes * group())),
               k.rem(i, group()));
}

ContractSide::Values ContractSide::loadFragment(Value stage, int64_t point) {
  if (layout == Layout::Matrix)
    return loadMatrixFragment(stage, point);
  Values fragment;
  if (layout == Layout::Rows) {
    // readShared points to the thread's first row.
    const int64_t number = point / 4, low = number & keepMask;
    Value swizzled = k.bitXor(readLane, k.constant(low));
    Value base = k.at(k.at(readShared, k.mul(swizzled, 16)), stage);
    for (int64_t i = 0; i < count; ++i)
      fragment.push_back(k.load(
          wide, k.at(base, (i * lanes * sizes.bk + (number - low) * 4) * unit),
          4));
    return fragment;
  }
  const int64_t swizzle = swizzleStep * (point / 4 % swizzleCount);
  const int64_t warpWidth = lanes * vector;
  for (int64_t g = 0; g < count / vector; ++g) {
    int64_t constant = g * warpWidth;
    Value row = readIndex;
    if (lanes * count % 32 == 0 || warpWidth % 32 == 0) {
      // The bits of the lane and of the group are disjoint.
      row = k.bitXor(row, k.constant(swizzle & (warpWidth - 1)));
      constant ^= swizzle & ~(warpWidth - 1);
    } else if (swizzle != 0) {
      row = k.bitXor(k.add(row, constant), k.constant(swizzle));
      constant = 0;
    }
    Value base = k.at(k.at(readShared, k.mul(row, unit)), stage);
    fragment.push_back(
        k.load(wide, k.at(base, (point * extent + constant) * unit), vector));
  }
  return fragment;
}

ContractSide::Values ContractSide::elementsOf(ArrayRef<Value> fragment,
                                              int64_t point) {
  Values elements;
  for (int64_t i = 0; i < count; ++i)
    elements.push_back(layout == Layout::Rows
                           ? k.extract(fragment[i], point % 4)
                           : k.extract(fragment[i / vector], i % vector));
  return elements;
}

} // namespace gensyn::gpu
