// See ViewBuilder.h.

#include "ViewBuilder.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace gensyn::codegen {

ContractIndices indicesOf(repro::ContractOp op) {
  ContractIndices indices;
  Type types[] = {op.getLhs().getType(), op.getRhs().getType(),
                  op.getResult().getType()};
  for (auto [number, type] : llvm::enumerate(types))
    indices[number] = indicesOf(op.getMap(unsigned(number)),
                                cast<ShapedType>(type).getShape());
  return indices;
}

std::optional<int64_t> chainLength(repro::ContractOp op) {
  int64_t points = op.getDomain().getNumPoints();
  // Integers get the blocks that a float would have, so that schedules may
  // split them.
  if (!op.getOrder())
    return std::min(points, std::max<int64_t>(
                                1024, llvm::PowerOf2Ceil((points + 63) / 64)));
  Order order = op.getOrder()->getOrder();
  if (order.isSequential())
    return points;
  if (order.kind() == Order::Kind::Blocked && order.inner().isSequential() &&
      order.outer().isSequential())
    return std::min(order.blockSize(), points);
  return std::nullopt;
}

bool hasWideTypes(repro::ContractOp op) {
  auto elementOf = [](Value value) {
    return cast<ShapedType>(value.getType()).getElementType();
  };
  auto isOperand = [&](Value value) {
    Type element = elementOf(value);
    return isa<FloatType>(element) || element.getIntOrFloatBitWidth() >= 2;
  };
  Type result = elementOf(op.getResult());
  return isOperand(op.getLhs()) && isOperand(op.getRhs()) &&
         (result.isF32() || result.isF64() ||
          (isa<IntegerType>(result) && result.getIntOrFloatBitWidth() >= 8));
}

/// True if the number of elements of each tensor is from 1 to `most`.
static bool haveElements(repro::ContractOp op, int64_t most) {
  return llvm::all_of(
      ArrayRef<Type>{op.getLhs().getType(), op.getRhs().getType(),
                     op.getResult().getType()},
      [&](Type type) {
        const int64_t elements = cast<ShapedType>(type).getNumElements();
        return elements != 0 && elements <= most;
      });
}

bool hasElements(repro::ContractOp op) {
  return haveElements(op, std::numeric_limits<int64_t>::max());
}

bool hasAddressableTensors(repro::ContractOp op) {
  return haveElements(op, std::numeric_limits<int32_t>::max());
}

bool ViewBuilder::sortIterators(bool swapped, bool canSkip) {
  result.swapped = swapped;
  const unsigned a = swapped ? 1 : 0, b = 1 - a;
  Dimensions aChecked, bChecked, cChecked;
  if (!findChecks(a, canSkip, gemm().aChecks, aChecked) ||
      !findChecks(b, canSkip, gemm().bChecks, bChecked))
    return false;
  for (auto [d, index] : llvm::enumerate(indices[2]))
    if (!index.isInside(extents)) {
      gemm().cChecks.push_back({index.constant, index.extent});
      cChecked.push_back(unsigned(d));
    }
  gemm().aOffset = constantOf(indices[a]);
  gemm().bOffset = constantOf(indices[b]);
  gemm().cOffset = constantOf(indices[2]);
  for (unsigned i = 0; i < extents.size(); ++i) {
    if (extents[i] == 1)
      continue;
    GemmAxis axis;
    axis.extent = extents[i];
    axis.a = strideOf(indices[a], i);
    axis.b = strideOf(indices[b], i);
    axis.c = strideOf(indices[2], i);
    for (unsigned d : aChecked)
      axis.aChecks.push_back(indices[a][d].steps[i]);
    for (unsigned d : bChecked)
      axis.bChecks.push_back(indices[b][d].steps[i]);
    for (unsigned d : cChecked)
      axis.cChecks.push_back(indices[2][d].steps[i]);
    for (auto [operand, d] : skipped)
      axis.skips.push_back(indices[operand][d].steps[i]);
    if (axis.c < 0)
      return false;
    if (op.getDomain().isReduced(i))
      gemm().points.push_back(axis);
    else if (isSkipping(i) || uses(indices[a], i) == uses(indices[b], i))
      gemm().batch.push_back(axis);
    else if (uses(indices[a], i))
      gemm().rows.push_back(axis);
    else
      gemm().columns.push_back(axis);
  }
  orderByResult(gemm().rows);
  orderByResult(gemm().columns);
  return true;
}

bool ViewBuilder::isSkipping(unsigned iterator) {
  for (unsigned operand = 0; operand < 2; ++operand)
    if (op.getBound(operand) == repro::Bound::Skip)
      for (const LinearIndex &index : indices[operand])
        if (index.steps[iterator] != 0 && !index.isInside(extents))
          return true;
  return false;
}

// A matrix product cannot express a skipped window unless the whole product
// skips the point.
bool ViewBuilder::findChecks(unsigned operand, bool canSkip,
                             SmallVector<GemmCheck, 2> &checks,
                             Dimensions &dimensions) {
  for (auto [d, index] : llvm::enumerate(indices[operand])) {
    if (index.isInside(extents))
      continue;
    if (op.getBound(operand) != repro::Bound::Zero) {
      if (!canSkip || op.getBound(operand) != repro::Bound::Skip)
        return false;
      gemm().skips.push_back({index.constant, index.extent});
      skipped.push_back({operand, unsigned(d)});
      continue;
    }
    checks.push_back({index.constant, index.extent});
    dimensions.push_back(unsigned(d));
  }
  return true;
}

void ViewBuilder::orderByResult(GemmAxes &axes) {
  llvm::stable_sort(
      axes, [](const GemmAxis &x, const GemmAxis &y) { return x.c > y.c; });
}

} // namespace gensyn::codegen
