// Reductions of a whole tensor whose elements lie in several places. Unlike the
// pieces of SplitOp.h, all blocks of a place are one op.

#include "gensyn/Dialect/Repro/IR/SplitOp.h"

#include "gensyn/Dialect/Repro/IR/TensorTypes.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace gensyn;
using namespace gensyn::repro;

/// The size of blocks where any would do: that of the default order, so that a
/// block is worth a result.
static constexpr int64_t kAnyBlock = 1024;

int64_t repro::getRowBlock(Operation *op) {
  auto reduce = dyn_cast<ReduceOp>(op);
  if (!reduce || typeOf(reduce.getResult()).getNumElements() != 1)
    return 0;
  const int64_t rank = typeOf(reduce.getOperand()).getRank();
  const bool readsAll = simplifyAffineMap(reduce.getMap(0)).isIdentity() &&
                        llvm::equal(reduce.getDomain().getExtents(),
                                    shapeOf(reduce.getOperand()));
  if (!readsAll || int64_t(reduce.getDomain().getReduced().size()) != rank)
    return 0;
  const std::optional<OrderAttr> order = reduce.getOrder();
  if (!order || !*order)
    return cast<OrderedOpInterface>(op).needsOrder() ? 0 : kAnyBlock;
  return order->getOrder().kind() == Order::Kind::Blocked
             ? order->getOrder().blockSize()
             : 0;
}

/// Reduces the last dimension of `value`, in one of the levels of the order.
static Value reduceLast(OpBuilder &builder, ReduceOp op, Value value,
                        bool isInner) {
  const int64_t last = typeOf(value).getRank() - 1;
  Value result =
      createReduce(builder, op.getLoc(), op.getKind(), value, last, last);
  if (OrderAttr order = op.getOrderAttr())
    cast<OrderedOpInterface>(result.getDefiningOp())
        .assignOrder(isInner ? order.getOrder().inner()
                             : order.getOrder().outer());
  return result;
}

Value repro::buildRowBlocks(OpBuilder &builder, Operation *op, Value range) {
  auto reduce = cast<ReduceOp>(op);
  const Location location = op->getLoc();
  const int64_t size = getRowBlock(op), count = shapeOf(range)[0],
                whole = count / size * size;
  SmallVector<Value> results;
  if (whole) {
    Value rows =
        buildTile(builder, location, range, {IndexRange::whole(whole)});
    rows = createReshape(builder, location, rows, {whole / size, size});
    results.push_back(reduceLast(builder, reduce, rows, /*isInner=*/true));
  }
  if (whole < count) {
    Value rest =
        buildTile(builder, location, range, {IndexRange{whole, count - whole}});
    rest = reduceLast(builder, reduce, rest, /*isInner=*/true);
    results.push_back(createReshape(builder, location, rest, {1}));
  }
  if (results.size() == 1)
    return results.front();
  return ConcatOp::create(builder, location, results, uint64_t(0));
}

Value repro::joinRowBlocks(OpBuilder &builder, Operation *op, Value blocks) {
  Value joined =
      reduceLast(builder, cast<ReduceOp>(op), blocks, /*isInner=*/false);
  return createReshape(builder, op->getLoc(), joined,
                       shapeOf(op->getResult(0)));
}
