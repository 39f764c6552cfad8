// The default orders. The numbers are policy, not meaning: a program keeps the
// orders it was frozen with.
//
// They are functions of the reduced extents alone (g8): the bits of a sample
// then do not depend on the batch around it, on the distribution of other
// dimensions over devices, or on layout.
//
// *fast*. lanes<32>: 32 floats are a 128-byte line, a warp of a GPU, two
// AVX-512 or four AVX2 registers: enough independent sums to hide the latency
// of an addition, and short rows do not pay for lanes that stay empty. Blocks
// of 1024: one long row feeds n / 32 threads, and the error stays near that of
// pairwise summation. contract up to 1024 points is one fma chain: its
// parallelism lies in the result's elements. Beyond, at most about 64 blocks
// give small outputs work to split, with bounded workspace; a block ends where
// an inner iterator ends, and at a multiple of 16, so that kernels cut k at the
// same places.
//
// *accurate*. The same shapes, which the same kernels take, with shorter
// chains: 128 lanes, and contractions in blocks of about the square root of
// their points, at least 128, so that block and number of blocks add equally to
// the error: 2 sqrt(n) roundings instead of n up to 1024. Lanes in contractions
// would do better still, but no matrix kernel could hold them.
//
// *exact*. Every sum rounded once, by integers; what has no exact form
// (products and prefixes) is accurate.

#include "gensyn/Dialect/Repro/IR/Repro.h"
#include "gensyn/Dialect/Repro/IR/TensorTypes.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace mlir;
using namespace gensyn;
using namespace gensyn::repro;

static constexpr int64_t kBlock = 1024, kMaxBlocks = 64;
static constexpr int64_t kLanes = 32, kAccurateLanes = 128;
static constexpr int64_t kAccurateBlock = 128;

/// Sums and products of n points, by `lanes` lanes.
static Order orderOfReduce(int64_t points, int64_t lanes) {
  if (points <= kBlock)
    return Order::lanes(lanes);
  return Order::blocked(kBlock, Order::lanes(lanes),
                        orderOfReduce(llvm::divideCeil(points, kBlock), lanes));
}

/// A contraction over `extents`, outermost first: one chain up to `longest`
/// points, else blocks of at least `block`.
static Order orderOfContract(ArrayRef<int64_t> extents, int64_t points,
                             int64_t longest, int64_t block) {
  if (points <= longest)
    return Order::sequential();
  int64_t whole = 1;
  for (int64_t extent : llvm::reverse(extents)) {
    if (whole * extent > block)
      break;
    whole *= extent;
  }
  block = llvm::alignTo(block, std::lcm(whole, int64_t(16)));
  if (block >= points)
    return Order::sequential();
  return Order::blocked(block, Order::sequential(), Order::sequential());
}

static int64_t powerAtLeast(int64_t value) {
  return static_cast<int64_t>(
      llvm::PowerOf2Ceil(static_cast<uint64_t>(std::max<int64_t>(value, 1))));
}

static bool isFloatTensor(Value value) {
  return isa<FloatType>(typeOf(value).getElementType());
}
static bool isRounded(ReduceKind kind) {
  return kind == ReduceKind::Sum || kind == ReduceKind::Product;
}
static OrderedStep stepOf(ReduceKind kind) {
  return kind == ReduceKind::Product ? OrderedStep::Multiply : OrderedStep::Add;
}

bool ContractOp::needsOrder() { return isFloatTensor(getResult()); }
Attribute ContractOp::getAssignedOrder() { return getOrderAttr(); }
void ContractOp::assignOrder(const Order &order) {
  setOrderAttr(OrderAttr::get(getContext(), order));
}
int64_t ContractOp::getOrderedPoints() { return getDomain().getNumPoints(); }
OrderedStep ContractOp::getOrderedStep() {
  return OrderedStep::FusedMultiplyAdd;
}
Order ContractOp::getDefaultOrder(Accuracy accuracy) {
  if (accuracy == Accuracy::Exact)
    return Order::exact();
  SmallVector<int64_t> extents;
  for (int64_t iterator : getDomain().getReduced())
    extents.push_back(getDomain().getExtents()[iterator]);
  const int64_t points = getOrderedPoints();
  if (accuracy == Accuracy::Fast)
    return orderOfContract(
        extents, points, kBlock,
        std::max(kBlock, powerAtLeast(llvm::divideCeil(points, kMaxBlocks))));
  int64_t root = kAccurateBlock;
  while (root * root < points)
    root *= 2;
  return orderOfContract(extents, points, kAccurateBlock, root);
}

bool ReduceOp::needsOrder() {
  return isFloatTensor(getResult()) && isRounded(getKind());
}
Attribute ReduceOp::getAssignedOrder() { return getOrderAttr(); }
void ReduceOp::assignOrder(const Order &order) {
  setOrderAttr(OrderAttr::get(getContext(), order));
}
int64_t ReduceOp::getOrderedPoints() { return getDomain().getNumPoints(); }
OrderedStep ReduceOp::getOrderedStep() { return stepOf(getKind()); }
Order ReduceOp::getDefaultOrder(Accuracy accuracy) {
  if (accuracy == Accuracy::Exact && getKind() == ReduceKind::Sum)
    return Order::exact();
  // Windows are short and their elements strided: lanes would stay empty.
  if (!isRowForm())
    return Order::sequential();
  const int64_t points = getOrderedPoints();
  if (accuracy == Accuracy::Fast)
    return orderOfReduce(points, kLanes);
  return orderOfReduce(
      points, std::clamp(powerAtLeast(points), kLanes, kAccurateLanes));
}

bool ScanOp::needsOrder() {
  return isFloatTensor(getOperand()) && isRounded(getKind());
}
Attribute ScanOp::getAssignedOrder() { return getOrderAttr(); }
void ScanOp::assignOrder(const Order &order) {
  setOrderAttr(OrderAttr::get(getContext(), order));
}
int64_t ScanOp::getOrderedPoints() {
  return typeOf(getOperand()).getDimSize(static_cast<unsigned>(getDim()));
}
OrderedStep ScanOp::getOrderedStep() { return stepOf(getKind()); }
/// Short prefixes are one chain; longer ones are chains of blocks that run side
/// by side.
Order ScanOp::getDefaultOrder(Accuracy accuracy) {
  const int64_t points = getOrderedPoints();
  int64_t block = kBlock;
  if (accuracy != Accuracy::Fast) {
    block = kAccurateBlock;
    while (block * block < points)
      block *= 2;
  }
  if (points <= block)
    return Order::sequential();
  return Order::blocked(block, Order::sequential(), Order::sequential());
}
