// Wrong rewrites of reductions, indexing and movement.

#include "WrongPasses.h"

#include "gensyn/Dialect/Repro/IR/Repro.h"

using namespace mlir;
using namespace gensyn::repro;

namespace gensyn::wrong {

static RankedTensorType tensorOf(Value value) {
  return cast<RankedTensorType>(value.getType());
}

/// Changes the order of an op from `from` to `to`, as texts.
static bool changeOrder(Operation *op, IRRewriter &rewriter, StringRef from,
                        StringRef to) {
  auto ordered = dyn_cast<OrderedOpInterface>(op);
  auto order = ordered ? dyn_cast_or_null<OrderAttr>(ordered.getAssignedOrder())
                       : OrderAttr();
  if (!order || order.getOrder().print() != from)
    return false;
  rewriter.modifyOpInPlace(op, [&] { ordered.assignOrder(*Order::parse(to)); });
  return true;
}

static bool parallelSum(Operation *op, IRRewriter &rewriter) {
  return changeOrder(op, rewriter, "sequential", "lanes<8>");
}

static bool halveLanes(Operation *op, IRRewriter &rewriter) {
  return changeOrder(op, rewriter, "lanes<32>", "lanes<16>");
}

static bool otherBlocks(Operation *op, IRRewriter &rewriter) {
  return changeOrder(op, rewriter, "blocked<16, sequential, sequential>",
                     "blocked<32, sequential, sequential>");
}

static Value reversed(IRRewriter &rewriter, Value value) {
  SmallVector<int64_t> dims;
  for (int64_t i = 0; i < tensorOf(value).getRank(); ++i)
    dims.push_back(i);
  return ReverseOp::create(rewriter, value.getLoc(), value.getType(), value,
                           rewriter.getDenseI64ArrayAttr(dims));
}

/// Sums from the last element to the first.
static bool sumBackwards(Operation *op, IRRewriter &rewriter) {
  auto reduce = dyn_cast<ReduceOp>(op);
  if (!reduce || reduce.getKind() != ReduceKind::Sum ||
      reduce.getOperand().getDefiningOp<ReverseOp>())
    return false;
  Value operand = reversed(rewriter, reduce.getOperand());
  rewriter.modifyOpInPlace(op, [&] { op->setOperand(0, operand); });
  return true;
}

/// Applies updates from the last to the first.
static bool reorderScatter(Operation *op, IRRewriter &rewriter) {
  auto scatter = dyn_cast<ScatterOp>(op);
  if (!scatter || scatter.getUpdates().getDefiningOp<ReverseOp>())
    return false;
  SmallVector<Value> operands = {scatter.getBase()};
  for (Value operand : llvm::drop_begin(op->getOperands()))
    operands.push_back(reversed(rewriter, operand));
  rewriter.modifyOpInPlace(op, [&] { op->setOperands(operands); });
  return true;
}

/// An outer product without the step that makes a zero +0 (contract_r3).
static bool dropContractZero(Operation *op, IRRewriter &rewriter) {
  auto contract = dyn_cast<ContractOp>(op);
  if (!contract || contract.getDomain().getNumPoints() != 1)
    return false;
  auto type = tensorOf(contract.getResult());
  auto spread = [&](Value value, int64_t dim) {
    Value flat = createReshape(rewriter, op->getLoc(), value,
                               {tensorOf(value).getNumElements()});
    return createBroadcast(rewriter, op->getLoc(), flat, type, {dim});
  };
  Value lhs = spread(contract.getLhs(), 0), rhs = spread(contract.getRhs(), 1);
  rewriter.replaceOpWithNewOp<MulOp>(op, lhs, rhs);
  return true;
}

/// max of a row without NaN, like maxNum.
static bool maxWithoutNan(Operation *op, IRRewriter &rewriter) {
  auto reduce = dyn_cast<ReduceOp>(op);
  if (!reduce || reduce.getKind() != ReduceKind::Max ||
      reduce.getOperand().getDefiningOp<SelectOp>())
    return false;
  Value x = reduce.getOperand();
  Value isNan =
      CompareOp::create(rewriter, op->getLoc(), CompareKind::Ne, x, x);
  Value least = createFilled(rewriter, op->getLoc(), tensorOf(x),
                             -std::numeric_limits<double>::infinity());
  Value clean = SelectOp::create(rewriter, op->getLoc(), isNan, least, x);
  rewriter.modifyOpInPlace(op, [&] { op->setOperand(0, clean); });
  return true;
}

/// The last of equal elements instead of the first.
static bool lastWinner(Operation *op, IRRewriter &rewriter) {
  auto reduce = dyn_cast<ArgReduceOp>(op);
  if (!reduce || reduce.getLast())
    return false;
  rewriter.modifyOpInPlace(op, [&] { reduce.setLast(true); });
  return true;
}

/// Equal elements in descending order of their positions.
static bool unstableSort(Operation *op, IRRewriter &rewriter) {
  auto sort = dyn_cast<SortOp>(op);
  if (!sort || sort.getOperand().getDefiningOp<ReverseOp>() ||
      tensorOf(sort.getOperand()).getRank() != 1)
    return false;
  Value operand = reversed(rewriter, sort.getOperand());
  rewriter.setInsertionPointAfter(op);
  Value positions = sort.getPositions();
  Value last = createFilled(rewriter, op->getLoc(), tensorOf(positions),
                            double(tensorOf(operand).getDimSize(0) - 1));
  auto mirrored = SubOp::create(rewriter, op->getLoc(), last, positions);
  rewriter.replaceAllUsesExcept(positions, mirrored.getResult(), mirrored);
  rewriter.modifyOpInPlace(op, [&] { op->setOperand(0, operand); });
  return true;
}

/// Another stream of random numbers.
static bool otherStream(Operation *op, IRRewriter &rewriter) {
  auto bits = dyn_cast<RandomBitsOp>(op);
  if (!bits || !bits.getStream())
    return false;
  rewriter.modifyOpInPlace(op, [&] { bits.setStream(*bits.getStream() + 1); });
  return true;
}

/// Swaps results of a kernel, like a fusion that confuses two values.
static bool swapResults(Operation *op, IRRewriter &rewriter) {
  auto kernel = dyn_cast<KernelOp>(op);
  if (!kernel || kernel.getNumResults() < 2)
    return false;
  const size_t last = kernel.getNumResults() - 1;
  if (kernel.getResult(0).getType() != kernel.getResult(last).getType())
    return false;
  Operation *yield = kernel.getBlock().getTerminator();
  SmallVector<Value> values(yield->getOperands());
  std::swap(values[0], values[last]);
  rewriter.modifyOpInPlace(yield, [&] { yield->setOperands(values); });
  return true;
}

ArrayRef<WrongPass> getTensorPasses() {
  static const WrongPass passes[] = {
      {"wrong-parallel-sum", "sequential -> lanes<8>", parallelSum},
      {"wrong-halve-lanes", "lanes<32> -> lanes<16>", halveLanes},
      {"wrong-blocks", "blocks of 16 -> blocks of 32", otherBlocks},
      {"wrong-sum-backwards", "a sum in descending order", sumBackwards},
      {"wrong-reorder-scatter", "updates in descending order", reorderScatter},
      {"wrong-drop-contract-zero", "a contraction without contract_r3",
       dropContractZero},
      {"wrong-max-without-nan", "max that leaves NaN out", maxWithoutNan},
      {"wrong-last-winner", "the last of equal elements", lastWinner},
      {"wrong-unstable-sort", "equal elements in descending order",
       unstableSort},
      {"wrong-stream", "another random stream", otherStream},
      {"wrong-swap-results", "results of a kernel change places", swapResults},
  };
  return passes;
}

} // namespace gensyn::wrong
