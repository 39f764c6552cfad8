// The default orders. The numbers are policy, not meaning: a program keeps the
// orders it was frozen with.
//
// They are functions of the reduced extents alone (g8): a sample's bits then do
// not depend on the batch around it, on how other dimensions are split among
// devices, or on layout.
//
// lanes<32>: 32 floats are a 128-byte line, a warp of a GPU, two AVX-512 or
// four AVX2 registers: enough independent sums to hide the latency of an
// addition, and short rows do not pay for lanes that stay empty. Blocks of
// 1024: one long row feeds n / 32 threads, and the error stays near that of
// pairwise summation. contract up to 1024 points is one fma chain: its
// parallelism lies in the result's elements. Beyond, at most about 64 blocks
// give small outputs work to split, with bounded workspace; a block ends where
// an inner iterator ends, and at a multiple of 16, so that kernels cut k at the
// same places.

#include "gensyn/Dialect/Repro/IR/Repro.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace mlir;
using namespace gensyn;
using namespace gensyn::repro;

static constexpr int64_t kBlock = 1024, kLanes = 32, kMaxBlocks = 64;

/// Sums and products of n points.
static Order orderOfReduce(int64_t points) {
  if (points <= kBlock)
    return Order::lanes(kLanes);
  return Order::blocked(kBlock, Order::lanes(kLanes),
                        orderOfReduce(llvm::divideCeil(points, kBlock)));
}

/// A contraction over `extents`, outermost first.
static Order orderOfContract(ArrayRef<int64_t> extents) {
  int64_t points = 1;
  for (int64_t extent : extents)
    points *= extent;
  if (points <= kBlock)
    return Order::sequential();
  int64_t least = std::max<int64_t>(
      kBlock, llvm::PowerOf2Ceil(llvm::divideCeil(points, kMaxBlocks)));
  int64_t whole = 1;
  for (int64_t extent : llvm::reverse(extents)) {
    if (whole * extent > least)
      break;
    whole *= extent;
  }
  int64_t block = llvm::alignTo(least, std::lcm(whole, int64_t(16)));
  if (block >= points)
    return Order::sequential();
  return Order::blocked(block, Order::sequential(), Order::sequential());
}

static bool isFloatTensor(Value value) {
  return isa<FloatType>(cast<ShapedType>(value.getType()).getElementType());
}

bool ContractOp::needsOrder() { return isFloatTensor(getResult()); }
Attribute ContractOp::getAssignedOrder() { return getOrderAttr(); }
void ContractOp::assignOrder(const Order &order) {
  setOrderAttr(OrderAttr::get(getContext(), order));
}
Order ContractOp::getDefaultOrder() {
  SmallVector<int64_t> extents;
  for (int64_t iterator : getDomain().getReduced())
    extents.push_back(getDomain().getExtents()[iterator]);
  return orderOfContract(extents);
}

bool ReduceOp::needsOrder() {
  return isFloatTensor(getResult()) &&
         (getKind() == ReduceKind::Sum || getKind() == ReduceKind::Product);
}
Attribute ReduceOp::getAssignedOrder() { return getOrderAttr(); }
void ReduceOp::assignOrder(const Order &order) {
  setOrderAttr(OrderAttr::get(getContext(), order));
}
Order ReduceOp::getDefaultOrder() {
  // Windows are short and their elements strided: lanes would stay empty.
  return isRowForm() ? orderOfReduce(getDomain().getNumPoints())
                     : Order::sequential();
}
