// Prefix sums along a dimension, and TopK.

#include "../Support/OperatorTable.h"

using namespace mlir;
using namespace gensyn;
using namespace gensyn::onnx_to_repro;
using repro::ReduceKind;

namespace {
/// An exclusive prefix omits the element itself; the first is the identity.
template <ReduceKind kind> Value convertPrefix(NodeBuilder &b) {
  Value x = b.operand("x");
  const int64_t rank = rankOf(x);
  std::optional<Extents> axis = b.constantIntegers(b.raw("axis"));
  if (!axis || axis->size() != 1)
    return b.refuse("axis must be a constant");
  if (!b.checkDimensions(*axis, rank))
    return nullptr;
  const int64_t dim = NodeBuilder::normalized(axis->front(), rank);
  const bool isReverse = b.integer("reverse") != 0;
  const int64_t extent = shapeOf(x)[dim];
  if (extent == 0)
    return x;
  auto scan = [&](Value value) -> Value {
    return repro::ScanOp::create(b.builder, b.location, value.getType(), kind,
                                 value, dim, repro::OrderAttr());
  };
  if (isReverse)
    x = b.reverse(x, {dim});
  if (b.integer("exclusive") != 0) {
    Extents one(shapeOf(x));
    one[dim] = 1;
    Value start = b.fill(kind == ReduceKind::Sum ? 0 : 1, elementOf(x), one);
    x = extent == 1
            ? start
            : b.concat({start, scan(b.sliceDim(x, dim, 0, extent - 1))}, dim);
  } else {
    x = scan(x);
  }
  return isReverse ? b.reverse(x, {dim}) : x;
}
} // namespace

/// A NaN is the greatest; ties keep the order of their positions.
static Values convertTopK(NodeBuilder &b) {
  Value x = b.first();
  const int64_t dim = b.axis("axis", rankOf(x));
  int64_t count;
  if (b.since() < 10) {
    count = b.integer("k");
  } else {
    std::optional<Extents> known = b.constantIntegers(b.raw("K"));
    if (!known || known->size() != 1)
      return {b.refuse("K must be a constant")};
    count = known->front();
  }
  if (count < 0 || count > shapeOf(x)[dim])
    return {b.refuse("K is " + Twine(count) + " of " + Twine(shapeOf(x)[dim]) +
                     " elements")};
  const bool isLargest = b.since() < 11 || b.integer("largest") != 0;
  Extents shape(shapeOf(x));
  shape[dim] = count;
  auto sort = repro::SortOp::create(
      b.builder, b.location, RankedTensorType::get(shape, elementOf(x)),
      RankedTensorType::get(shape, b.builder.getI32Type()),
      isLargest ? repro::SortDirection::Descending
                : repro::SortDirection::Ascending,
      x, dim, count);
  return {sort.getValues(),
          b.convert(sort.getPositions(), b.builder.getI64Type())};
}

void onnx_to_repro::addPrefixes(OperatorTable &table) {
  table.add("CumProd", {26}, convertPrefix<ReduceKind::Product>);
  table.add("CumSum", {11, 14}, convertPrefix<ReduceKind::Sum>);
  table.addMany("TopK", {1, 10, 11, 24}, convertTopK);
}
