// NonZero, Compress, and other operators on positions of true elements.

#include "NonZeroCompress.h"

#include "../Support/Indexed.h"
#include "../Support/OperatorTable.h"

using namespace mlir;
using namespace gensyn;
using namespace gensyn::onnx_to_repro;
using repro::CompareKind;

Value onnx_to_repro::countTrue(NodeBuilder &b, Value mask) {
  Value ones = b.convert(mask, b.builder.getI64Type());
  return repro::ScanOp::create(b.builder, b.location, ones.getType(),
                               repro::ReduceKind::Sum, ones, 0,
                               repro::OrderAttr());
}

void onnx_to_repro::checkCount(NodeBuilder &b, Value counts, int64_t count) {
  const int64_t n = shapeOf(counts)[0];
  Value last = b.reshape(b.sliceDim(counts, 0, n - 1, n), {});
  repro::CheckOp::create(
      b.builder, b.location, b.compare(CompareKind::Eq, last, double(count)),
      b.builder.getStringAttr("the size that was declared for a result of " +
                              b.node.opType() + ", " + Twine(count) +
                              ", is not the number of elements found"));
}

Value onnx_to_repro::placeAt(NodeBuilder &b, Value groups, Value updates,
                             int64_t count) {
  IndexMaps maps(b, 1);
  AffineExpr place = maps.add(groups, {0});
  return maps.scatter(repro::ScatterKind::Set,
                      b.fill(0, elementOf(updates), {count}), updates, {place},
                      repro::IndexBound::Zero);
}

Value onnx_to_repro::truePositions(NodeBuilder &b, Value mask, int64_t count) {
  Value counts = countTrue(b, mask);
  checkCount(b, counts, count);
  Value minusOne = b.fill(-1, counts);
  Value groups = b.select(mask, b.add(counts, minusOne), minusOne);
  Value own = b.iota(0, shapeOf(mask), b.builder.getI64Type());
  return placeAt(b, groups, own, count);
}

/// [rank, count]: one row for each dimension.
static Value convertNonZero(NodeBuilder &b) {
  Value x = b.first();
  const int64_t rank = rankOf(x), total = product(shapeOf(x));
  const int64_t count = b.resultShape()[1];
  if (rank == 0 || total == 0)
    return b.refuse("the operand has no dimension or no element");
  Value mask = x;
  if (!elementOf(x).isInteger(1))
    mask = b.compare(CompareKind::Ne, x, 0);
  Value flat = truePositions(b, b.reshape(mask, {total}), count);
  Values rows;
  int64_t stride = total;
  for (int64_t extent : shapeOf(x)) {
    stride /= extent;
    Value row = b.div(flat, b.fill(double(stride), flat));
    row = b.binary<repro::RemOp>(row, b.fill(double(extent), flat));
    rows.push_back(b.reshape(row, {1, count}));
  }
  return rank == 1 ? rows.front() : b.concat(rows, 0);
}

/// A condition shorter than the dimension drops the remaining elements.
static Value convertCompress(NodeBuilder &b) {
  Value x = b.raw("input"), condition = b.raw("condition");
  int64_t dim = 0;
  if (b.node.integer("axis"))
    dim = b.axis("axis", rankOf(x));
  else
    x = b.reshape(x, {product(shapeOf(x))});
  if (shapeOf(condition)[0] == 0)
    return b.refuse("the condition has no elements");
  Value places = truePositions(b, condition, b.resultShape()[dim]);
  return gatherAlong(b, x, places, dim);
}

void onnx_to_repro::addNonZeroCompress(OperatorTable &table) {
  table.add("NonZero", {9, 13}, convertNonZero);
  table.add("Compress", {9, 11, 28}, convertCompress);
}
