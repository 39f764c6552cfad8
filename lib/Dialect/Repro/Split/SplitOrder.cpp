// See SplitOrder.h. docs/Numerics.md, order_r1 to order_r4, has the orders.

#include "SplitOrder.h"

#include "gensyn/Dialect/Repro/IR/TensorTypes.h"

using namespace mlir;
using namespace gensyn;
using namespace gensyn::repro;

raw_ostream &repro::operator<<(raw_ostream &out, Split split) {
  switch (split.kind) {
  case Split::Kind::Free:
    return out << "free";
  case Split::Kind::Any:
    return out << "any";
  case Split::Kind::Blocks:
    return out << "blocks<" << split.size << ">";
  case Split::Kind::Lanes:
    return out << "lanes<" << split.size << ">";
  case Split::Kind::Chain:
    return out << "chain";
  case Split::Kind::None:
    break;
  }
  return out << "none";
}

SmallVector<Split> repro::getSplitsOfPoints(ArrayRef<int64_t> extents,
                                            OrderAttr attribute) {
  SmallVector<Split> splits(extents.size());
  auto isLong = [](int64_t extent) { return extent > 1; };
  if (!attribute || attribute.getOrder().isExact()) {
    for (auto [split, extent] : llvm::zip_equal(splits, extents))
      if (isLong(extent))
        split = Split::any();
    return splits;
  }
  const Order order = attribute.getOrder();
  const auto *outer = llvm::find_if(extents, isLong);
  if (outer == extents.end() || llvm::is_contained(extents, 0))
    return splits;
  const auto first = size_t(outer - extents.begin());
  // Points below one index of the outermost dimension are adjacent.
  const int64_t below = llvm::product_of(extents.drop_front(first + 1));
  switch (order.kind()) {
  case Order::Kind::Sequential:
    splits[first] = Split::chain();
    break;
  case Order::Kind::Blocked:
    if (order.blockSize() % below == 0 &&
        order.blockSize() / below < extents[first])
      splits[first] = Split::blocks(order.blockSize() / below);
    break;
  case Order::Kind::Lanes: {
    // Lane i mod L is (i mod P) mod L: the part of a point is its innermost
    // index modulo P, if its other indices only add multiples of P.
    size_t last = extents.size() - 1;
    while (!isLong(extents[last]))
      --last;
    int64_t most = order.laneCount();
    if (last != first)
      while (extents[last] % most != 0)
        most /= 2;
    if (most > 1)
      splits[last] = Split::lanes(most);
    break;
  }
  case Order::Kind::Exact:
    break;
  }
  return splits;
}

OrderAttr repro::getOrderOfPiece(ArrayRef<int64_t> extents,
                                 ArrayRef<IndexRange> ranges,
                                 OrderAttr attribute, bool &fits) {
  fits = true;
  const auto *cut = ranges.begin();
  for (int64_t extent : extents) {
    if (!cut->isWhole(extent))
      break;
    ++cut;
  }
  if (cut == ranges.end() || !attribute)
    return attribute;
  MLIRContext *context = attribute.getContext();
  const Order order = attribute.getOrder();
  if (order.kind() == Order::Kind::Blocked)
    return OrderAttr::get(context, order.inner());
  fits = order.kind() == Order::Kind::Lanes;
  if (!fits)
    return {};
  const int64_t lanes = order.laneCount() / cut->stride;
  return OrderAttr::get(context,
                        lanes > 1 ? Order::lanes(lanes) : Order::sequential());
}

/// The order in which the results of pieces are combined.
static OrderAttr getOrderOfJoin(OrderAttr attribute, int64_t pieces) {
  if (!attribute)
    return {};
  const Order order = attribute.getOrder();
  return OrderAttr::get(attribute.getContext(),
                        order.kind() == Order::Kind::Blocked
                            ? order.outer()
                            : Order::lanes(pieces));
}

Value repro::joinPieces(OpBuilder &builder, Location location, ReduceKind kind,
                        ValueRange pieces, OrderAttr order) {
  SmallVector<Value> rows;
  for (Value piece : pieces) {
    SmallVector<int64_t> shape = {1};
    llvm::append_range(shape, shapeOf(piece));
    rows.push_back(createReshape(builder, location, piece, shape));
  }
  Value all = ConcatOp::create(builder, location, rows, uint64_t(0));
  Value joined = createReduce(builder, location, kind, all, 0, 0);
  if (OrderAttr outer = getOrderOfJoin(order, int64_t(pieces.size())))
    cast<OrderedOpInterface>(joined.getDefiningOp())
        .assignOrder(outer.getOrder());
  return joined;
}
